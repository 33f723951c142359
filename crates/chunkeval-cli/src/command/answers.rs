//! The options that say where answers stand and how they are read; several subcommands have them.

use std::io::{Write as _, stderr};

use chunkeval_llm::{
    AnswerReading, ExtractionEvaluator, FieldPath, Matching, Normalisation, Preset, RecordFormat,
};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::Result;
use crate::input::Input;
use crate::llm::guess;

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Form of the lines: instruction (instruction, label, output), plain (text, gold, prediction),
    /// chat (messages, gold; the last message of role assistant is the answer), tool-call (the same
    /// with the arguments of its first tool call) [default: the first of these whose fields the
    /// first line has; instruction, if a field is named]
    #[arg(long, value_name = "FORM", help_heading = "Input", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(Preset::ALL.map(Preset::name))
              .try_map(|name| name.parse::<Preset>()))]
    pub(crate) preset: Option<Preset>,
    /// Field of the gold entities, if it is another one: a path like data.gold,
    /// choices[0].text or messages[role=assistant].content. What it may hold:
    /// chunkeval llm --help
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    pub(crate) gold_field: Option<FieldPath>,
    /// Field of the answer
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    pub(crate) answer_field: Option<FieldPath>,
    /// Field of the text that entities are taken from
    #[arg(long, value_name = "PATH", help_heading = "Input", conflicts_with = "instruction_field")]
    pub(crate) text_field: Option<FieldPath>,
    /// Field of the list of types that were asked for
    #[arg(long, value_name = "PATH", help_heading = "Input", conflicts_with = "instruction_field")]
    pub(crate) schema_field: Option<FieldPath>,
    /// Field of the instruction: a JSON text with schema and input
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    pub(crate) instruction_field: Option<FieldPath>,
    /// Field of the record's id, for lists of errors
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    pub(crate) id_field: Option<FieldPath>,
    /// Read answers as published scripts do: what Python's eval takes, without running it
    #[arg(long, help_heading = "Reading of answers")]
    pub(crate) strict: bool,
    /// Both readings, lenient and strict
    #[arg(long, conflicts_with = "strict", help_heading = "Reading of answers")]
    pub(crate) both: bool,

    /// When an entity is right: set (by its text; twice counts once), multiset (by its text; twice
    /// must be twice), grounded (by where it stands in the text)
    #[arg(long = "match", value_name = "RULE", default_value_t, help_heading = "Scoring",
          hide_possible_values = true,
          value_parser = PossibleValuesParser::new(Matching::ALL.map(Matching::name))
              .try_map(|name| name.parse::<Matching>()))]
    pub(crate) matching: Matching,
    /// Differences between texts that are overlooked: none, all, or some of unicode (é as one
    /// character or as two), width, case and space with + between [default: none; all with --match
    /// grounded]
    #[arg(long, value_name = "WHICH", help_heading = "Scoring")]
    pub(crate) normalise: Option<Normalisation>,
}

impl AnswerArgs {
    /// The form of the lines of an input, which is looked at if nobody said anything; what was found
    /// is told on standard error, unless it is the published form.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(crate) fn preset_of(&self, input: &mut Input, keep_going: bool) -> Result<Preset> {
        let fields = [&self.gold_field, &self.answer_field, &self.text_field, &self.schema_field];
        let named = fields.into_iter().chain([&self.instruction_field]).any(Option::is_some);
        let found = match self.preset {
            Some(preset) => return Ok(preset),
            None if named => None,
            None => guess(input, keep_going)?,
        };
        let preset = found.unwrap_or_default();
        if preset != Preset::default() {
            // If standard error is closed there is nobody left to tell.
            let _ = writeln!(stderr(), "note: read as --preset {preset}");
        }
        Ok(preset)
    }

    /// Which fields of a line of that form hold what.
    pub(crate) fn format(&self, preset: Preset) -> RecordFormat {
        type Set = fn(RecordFormat, FieldPath) -> RecordFormat;
        let fields: [(&Option<FieldPath>, Set); 6] = [
            (&self.gold_field, RecordFormat::gold),
            (&self.answer_field, RecordFormat::answer),
            (&self.instruction_field, RecordFormat::instruction),
            (&self.text_field, RecordFormat::text),
            (&self.schema_field, RecordFormat::schema),
            (&self.id_field, RecordFormat::id),
        ];
        fields.into_iter().fold(preset.into(), |format, (path, set)| match path {
            Some(path) => set(format, path.clone()),
            None => format,
        })
    }

    /// The readings; the first one counts.
    pub(crate) fn readings(&self) -> &'static [AnswerReading] {
        match (self.strict, self.both) {
            (true, _) => &[AnswerReading::Strict],
            (_, true) => &[AnswerReading::Lenient, AnswerReading::Strict],
            _ => &[AnswerReading::Lenient],
        }
    }

    /// Counts the records, and lists so many answers of each kind of health.
    ///
    /// # Errors
    /// None is known.
    pub(crate) fn metric(
        &self,
        readings: &[AnswerReading],
        listed: usize,
    ) -> Result<ExtractionEvaluator> {
        let metric = ExtractionEvaluator::builder()
            .readings(readings.iter().copied())
            .matching(self.matching)
            .list_first(listed);
        let metric = match self.normalise {
            Some(normalisation) => metric.normalisation(normalisation),
            None => metric,
        };
        Ok(metric.build()?)
    }

    /// Whether any of these options was given.
    pub(crate) fn any(&self) -> bool {
        let fields = [&self.gold_field, &self.answer_field, &self.text_field, &self.schema_field];
        self.preset.is_some()
            || fields
                .into_iter()
                .chain([&self.instruction_field, &self.id_field])
                .any(Option::is_some)
            || self.strict
            || self.both
            || self.matching != Matching::default()
            || self.normalise.is_some()
    }
}
