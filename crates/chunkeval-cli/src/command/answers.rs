//! The options that say where answers stand and how they are read; several subcommands have them.

use chunkeval_llm::{
    AnswerReading, ExtractionEvaluator, FieldPath, Matching, Normalisation, RecordFormat,
};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use super::form::{Answer, FormArgs};
use crate::Result;
use crate::input::Input;
use crate::llm::Guess;

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
pub(crate) struct AnswerArgs {
    #[command(flatten)]
    form: FormArgs,
    /// Field of the answer
    #[arg(long, value_name = "PATH", help_heading = "Input")]
    pub(crate) answer_field: Option<FieldPath>,
    /// Key of the answer that the entities stand under, if there are others beside, as in
    /// {"reasoning": …, "entities": […]}; what the answer says besides is passed over. An
    /// answer without the key is taken as a whole, or is unreadable if read strictly
    #[arg(long, value_name = "KEY", help_heading = "Input")]
    pub(crate) answer_key: Option<String>,
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
    #[arg(long, visible_alias = "normalize", value_name = "WHICH", help_heading = "Scoring")]
    pub(crate) normalise: Option<Normalisation>,
}

impl AnswerArgs {
    /// The form of the lines of an input, which is looked at for the fields that nobody has named;
    /// what was found is told on standard error, unless it is the published form.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(crate) fn found(&self, input: &mut Input, keep_going: bool) -> Result<Guess> {
        let answer = if self.answer_field.is_some() { Answer::Named } else { Answer::Open };
        self.form.found(input, answer, keep_going)
    }

    /// Which fields of a line of that form hold what.
    ///
    /// # Errors
    /// A path of the guess is none.
    pub(crate) fn format(&self, found: Guess) -> Result<RecordFormat> {
        let format = self.form.format(found)?;
        let format = match &self.answer_field {
            Some(path) => format.answer(path.clone()),
            None => format,
        };
        let format = match &self.answer_key {
            Some(key) => format.answer_key(key.as_str()),
            None => format,
        };
        Ok(match &self.id_field {
            Some(path) => format.id(path.clone()),
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
    /// There is no reading, or one stands twice.
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
        self.form.any()
            || self.answer_field.is_some()
            || self.answer_key.is_some()
            || self.id_field.is_some()
            || self.strict
            || self.both
            || self.matching != Matching::default()
            || self.normalise.is_some()
    }
}
