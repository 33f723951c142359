//! The options that say where gold entities stand; several subcommands have them.

use std::io::{Write as _, stderr};

use chunkeval_llm::{FieldPath, Preset, RecordFormat};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser as _};

use crate::Result;
use crate::input::Input;
use crate::llm::guess;

// A doc comment here would become the description of the subcommand.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct FormArgs {
    /// Form of the lines: instruction (instruction, label, output), plain (text, gold, prediction),
    /// chat (messages, gold; the last message of role assistant is the answer), tool-call (the same
    /// with the arguments of its first tool call) [default: the first of these whose fields the
    /// first line has; instruction, if a field is named]
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

    /// The form of the lines of an input, which is looked at if nobody said anything and no other
    /// field was named; what was found is told on standard error, unless it is the published form.
    ///
    /// # Errors
    /// The input cannot be read.
    pub(crate) fn preset_of(
        &self,
        input: &mut Input,
        other: Option<&FieldPath>,
        keep_going: bool,
    ) -> Result<Preset> {
        let found = match self.preset {
            Some(preset) => return Ok(preset),
            None if self.named() || other.is_some() => None,
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
        let fields: [(&Option<FieldPath>, Set); 4] = [
            (&self.gold_field, RecordFormat::gold),
            (&self.instruction_field, RecordFormat::instruction),
            (&self.text_field, RecordFormat::text),
            (&self.schema_field, RecordFormat::schema),
        ];
        fields.into_iter().fold(preset.into(), |format, (path, set)| match path {
            Some(path) => set(format, path.clone()),
            None => format,
        })
    }
}
