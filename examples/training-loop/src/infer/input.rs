//! What the input is: text, or a file of tokens.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::str::FromStr;

use chunkeval::data::{
    Conll, ConllReader, Delimiter, Format, ReadSentences, Sentence, TextReader, TextTokens,
    WaybillReader,
};

use super::args::InferArgs;
use crate::corpus::Split;
use crate::error::{Error, Result};

/// A format that `infer` reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputFormat {
    /// Text, a sentence a line, words with spaces or tabs between.
    Words,
    /// Text, a sentence a line, each character a token.
    Characters,
    /// Tokens, with labels or without.
    Tokens(Format),
}

impl FromStr for InputFormat {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "words" => Ok(Self::Words),
            "characters" => Ok(Self::Characters),
            _ => text.parse().map(Self::Tokens).map_err(|error: chunkeval::Error| {
                let error = error.to_string();
                let is_name = error.contains("is none of ");
                if is_name { format!("{error}; for text: words, characters") } else { error }
            }),
        }
    }
}

/// The tokens of a text whose characters are tokens, for a network that was trained on files of
/// this format: white space is what it was there.
pub(super) fn characters(of_run: &Format) -> TextTokens {
    match of_run {
        Format::Waybill | Format::Conll(Conll { delimiter: Delimiter::Tab, .. }) => {
            TextTokens::CharactersAndSpaces
        }
        _ => TextTokens::Characters,
    }
}

/// What messages call the input.
pub(super) fn name(args: &InferArgs) -> &Path {
    if is_stdin(args) { Path::new("stdin") } else { &args.input }
}

fn is_stdin(args: &InferArgs) -> bool {
    args.input.as_os_str() == "-"
}

fn source(args: &InferArgs) -> Result<Box<dyn BufRead>> {
    if is_stdin(args) {
        return Ok(Box::new(io::stdin().lock()));
    }
    let file = File::open(&args.input).map_err(|e| Error::io(&args.input, e))?;
    Ok(Box::new(BufReader::new(file)))
}

/// A reader of text.
pub(super) fn text(args: &InferArgs, tokens: TextTokens) -> Result<TextReader<Box<dyn BufRead>>> {
    Ok(TextReader::new(source(args)?, name(args), tokens))
}

/// The sentences of a file of tokens, without gold tags if they are not wanted.
pub(super) fn tokens(args: &InferArgs, format: &Format) -> Result<Split> {
    match format {
        Format::Conll(layout) => {
            let reader = ConllReader::new(source(args)?, name(args), layout)?;
            all(if args.unlabelled { reader.tokens_only() } else { reader })
        }
        Format::Waybill => {
            let reader = WaybillReader::new(source(args)?, name(args));
            all(if args.unlabelled { reader.tokens_only() } else { reader })
        }
        _ if is_stdin(args) => {
            let reason = "standard input cannot be a folder of parallel files";
            Err(Error::Usage(reason.to_owned()))
        }
        Format::Parallel(names) if args.unlabelled => {
            all(TextReader::open(args.input.join(&names.tokens), TextTokens::Words)?)
        }
        _ => all(format.open(&args.input)?),
    }
}

fn all(mut reader: impl ReadSentences) -> Result<Split> {
    let mut sentences = Vec::new();
    let mut sentence = Sentence::new();
    while reader.read_into(&mut sentence)? {
        sentences.push(std::mem::take(&mut sentence));
    }
    Ok(Split { name: "input", path: reader.path().to_owned(), sentences })
}
