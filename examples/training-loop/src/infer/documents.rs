//! Sentences with the texts that they are from.

use chunkeval::ErrorKind;
use chunkeval::data::{Format, ReadSentences as _, Sentence, TextTokens};

use super::args::{InferArgs, Join};
use super::input::{self, InputFormat};
use super::text::Text;
use crate::corpus::{Split, Unit};
use crate::error::{Error, Result};

/// What is to be predicted.
#[derive(Debug)]
pub(super) struct Documents {
    /// The sentences; without gold tags if they are text, or if the user wants none.
    pub(super) split: Split,
    /// The text of each sentence.
    pub(super) texts: Vec<Text>,
    /// Whether the labels are gold.
    pub(super) gold: bool,
    /// Lines of text that hold nothing.
    pub(super) blank_lines: u64,
}

impl Documents {
    /// Reads all of them; in the format of the run if the user names none.
    ///
    /// # Errors
    /// They cannot be read, or the options do not fit the format.
    pub(super) fn read(args: &InferArgs, of_run: &str, unit: Option<Unit>) -> Result<Self> {
        let of_run: Format = of_run.parse()?;
        match args.format.clone().unwrap_or_else(|| InputFormat::Tokens(of_run.clone())) {
            InputFormat::Words => Self::text(args, TextTokens::Words),
            InputFormat::Characters => Self::text(args, input::characters(&of_run)),
            InputFormat::Tokens(format) => {
                let is_joined = format == Format::Waybill || unit == Some(Unit::Characters);
                let default = if is_joined { Join::None } else { Join::Space };
                let read = Self::tokens(args, &format, args.join.unwrap_or(default));
                read.map_err(|error| with_hint(error, args))
            }
        }
    }

    fn text(args: &InferArgs, tokens: TextTokens) -> Result<Self> {
        if args.join.is_some() {
            let reason = "--join is for files of tokens; text is shown as it is";
            return Err(Error::Usage(reason.to_owned()));
        }
        let mut reader = input::text(args, tokens)?;
        let (mut texts, mut sentences) = (Vec::new(), Vec::new());
        let mut sentence = Sentence::new();
        while reader.read_into(&mut sentence)? {
            texts.push(Text::given(reader.text(), &sentence));
            sentences.push(std::mem::take(&mut sentence));
        }
        let split = Split { name: "input", path: input::name(args).to_owned(), sentences };
        Ok(Self { split, texts, gold: false, blank_lines: reader.blank_lines() })
    }

    fn tokens(args: &InferArgs, format: &Format, join: Join) -> Result<Self> {
        let split = input::tokens(args, format)?;
        let texts = split.sentences.iter().map(|sentence| Text::joined(sentence, join)).collect();
        Ok(Self { split, texts, gold: !args.unlabelled, blank_lines: 0 })
    }
}

/// An error about a file of another layout says which option helps.
fn with_hint(error: Error, args: &InferArgs) -> Error {
    let kind = if let Error::Library(error) = &error { error.kind() } else { return error };
    let ErrorKind::Parse { path, line, column, reason } = kind else { return error };
    let hint = if *line == 1 && args.format.is_none() {
        "that is the format of the run, --format names others: text is words or characters"
    } else if !args.unlabelled && reason.ends_with("columns, found 1") {
        "if there are no labels, say so with --unlabelled"
    } else {
        return error;
    };
    let (path, line, column) = (path.clone(), *line, *column);
    let reason = format!("{reason}; {hint}");
    Error::Library(ErrorKind::Parse { path, line, column, reason }.into())
}
