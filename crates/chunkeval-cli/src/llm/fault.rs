//! What is said of a line that cannot be used.

use chunkeval_core::ErrorKind;
use chunkeval_llm::{LabelError, LineError, LineErrorKind};

use super::guess;
use crate::unusable::{Fault, NOT_UTF8};

/// What is wrong with a line of that text, and what to do about it.
pub(super) fn of_line(error: LineError, line: &str) -> Fault {
    if let LineErrorKind::Count(_) = error.kind() {
        return of_file(error.into());
    }
    let hint = match error.kind() {
        LineErrorKind::Missing => Some(guess::forms(line)),
        kind => hint(kind).map(str::to_owned),
    };
    Fault { line: error.line(), column: error.column(), file: None, reason: error.reason(), hint }
}

/// The same of a line that is too long.
pub(super) fn of_file(error: chunkeval_core::Error) -> Fault {
    match error.into_kind() {
        ErrorKind::Parse { line, column, reason, .. } => {
            Fault { line, column, file: None, reason, hint: None }
        }
        other => Fault { line: 0, column: 0, file: None, reason: other.to_string(), hint: None },
    }
}

fn hint(kind: &LineErrorKind) -> Option<&'static str> {
    Some(match kind {
        LineErrorKind::NoObject(_) => {
            "each line is one JSON object; lists and objects over several lines: jq -c '.[]' or \
             jq -c .; tagged text: chunkeval tags"
        }
        LineErrorKind::NotUtf8 => NOT_UTF8,
        LineErrorKind::NotANumber { .. } => {
            "leave the field away, or write null for a text and [] for no gold entities; with \
             --keep-going the line is left out and counted"
        }
        LineErrorKind::Label(LabelError::Null) => {
            "a line without entities has an empty list, []; with --keep-going a line without gold \
             entities is left out and counted"
        }
        LineErrorKind::Label(LabelError::Twice { .. }) => "an item is one entity with one type",
        LineErrorKind::Label(LabelError::Undecided | LabelError::OtherSide { .. }) => {
            "name the types that were asked for, or give the text (--schema-field, --text-field); \
             type → list and lists of {entity, entity_type} need neither"
        }
        LineErrorKind::Label(LabelError::NoText { .. }) => "--text-field says where the text is",
        LineErrorKind::Label(LabelError::Outside { .. } | LabelError::NotAnOffset { .. }) => {
            "start and end count characters of the text from 0, the end not included"
        }
        LineErrorKind::Label(_) | LineErrorKind::NoList { .. } => {
            "gold entities are a list of {entity, entity_type} (also text, name, …; type, label, …; \
             or start and end with a type), type → list, or a list of pairs of entity and type"
        }
        LineErrorKind::HalfPair { .. } => {
            "a character was cut in two, as by a limit on length; with --keep-going the line is \
             left out and counted"
        }
        LineErrorKind::Twice { .. } => {
            "either could be meant; jq -c . keeps the last one, as most programs do; with \
             --keep-going the line is left out and counted"
        }
        LineErrorKind::TypeTwice { .. } => "put all entities of a type into one list",
        LineErrorKind::InstructionTwice => "either could be meant: an instruction has each once",
        LineErrorKind::Converted => "the file was converted before: --write-labels is not needed",
        _ => return None,
    })
}
