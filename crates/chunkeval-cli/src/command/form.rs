//! The options that say where gold entities stand; several subcommands have them.

use std::io::{Write as _, stderr};

use chunkeval_llm::{FieldPath, Preset, RecordFormat};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::Result;
use crate::input::Input;
use crate::llm::{Guess, Named, guess};

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct FormArgs {
    /// Form of the lines: instruction (instruction, label, output), plain (text, gold, prediction),
    /// chat (messages, gold; the last message of role assistant is the answer), tool-call (the same
    /// with the arguments of its first tool call) [default: the first of these whose fields the
    /// first line has; a field that is not there is taken from another form]
    #[arg(long, value_name = "FORM", hide_possible_values = true,
          value_parser = PossibleValuesParser::new(Preset::ALL.map(Preset::name))
              .try_map(|name| name.parse::<Preset>()))]
    preset: Option<Preset>,
    /// Field of the gold entities, if it is another one: a path like data.gold,
    /// choices[0].text or messages[role=assistant].content. What it may hold:
    /// chunkeval llm --help
    #[arg(long, value_name = "PATH")]
    gold_field: Option<FieldPath>,
    /// Field of the text that entities are taken from
    #[arg(long, value_name = "PATH", conflicts_with = "instruction_field")]
    text_field: Option<FieldPath>,
    /// Field of the list of types that were asked for
    #[arg(long, value_name = "PATH", conflicts_with = "instruction_field")]
    schema_field: Option<FieldPath>,
    /// Field of the instruction: a JSON text with schema and input
    #[arg(long, value_name = "PATH")]
    instruction_field: Option<FieldPath>,
}

/// What becomes of the answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Its field was named.
    Named,
    /// It is looked for.
    Open,
    /// It is not read.
    Unread,
}

impl FormArgs {
    /// Whether a field was named.
    fn named(&self) -> bool {
        let fields = [&self.gold_field, &self.text_field, &self.schema_field];
        fields.into_iter().chain([&self.instruction_field]).any(Option::is_some)
    }

    /// Whether any of these options was given.
    pub(crate) fn any(&self) -> bool {
        self.preset.is_some() || self.named()
    }

    /// The form of the lines of an input, which is looked at for the fields that nobody has named;
    /// what was found is told on standard error, unless it is the published form.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(crate) fn found(
        &self,
        input: &mut Input,
        answer: Answer,
        keep_going: bool,
    ) -> Result<Guess> {
        if let Some(preset) = self.preset {
            return Ok(Guess { preset, ..Guess::default() });
        }
        let named = Named {
            gold: self.gold_field.is_some(),
            text: self.text_field.is_some() || self.instruction_field.is_some(),
            schema: self.schema_field.is_some(),
            answer: answer == Answer::Named,
        };
        let mut found = guess(input, named, keep_going)?.unwrap_or_default();
        if answer == Answer::Unread {
            found.answer = None;
        }
        if found != Guess::default() {
            let more = [("--text-field", found.text), ("--answer-field", found.answer)];
            let more =
                more.map(|(option, path)| path.map_or(String::new(), |p| format!(" {option} {p}")));
            // If standard error is closed there is nobody left to tell.
            let _ = writeln!(stderr(), "note: read as --preset {}{}", found.preset, more.concat());
        }
        Ok(found)
    }

    /// Which fields of a line of that form hold what.
    ///
    /// # Errors
    /// A path of the guess is none.
    pub(crate) fn format(&self, found: Guess) -> Result<RecordFormat> {
        let mut start = RecordFormat::from(found.preset);
        if let Some(path) = found.text {
            start = start.text(path.parse()?);
        }
        if let Some(path) = found.answer {
            start = start.answer(path.parse()?);
        }
        type Set = fn(RecordFormat, FieldPath) -> RecordFormat;
        let fields: [(&Option<FieldPath>, Set); 4] = [
            (&self.gold_field, RecordFormat::gold),
            (&self.instruction_field, RecordFormat::instruction),
            (&self.text_field, RecordFormat::text),
            (&self.schema_field, RecordFormat::schema),
        ];
        Ok(fields.into_iter().fold(start, |format, (path, set)| match path {
            Some(path) => set(format, path.clone()),
            None => format,
        }))
    }
}
