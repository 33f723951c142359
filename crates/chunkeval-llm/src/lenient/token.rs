//! A string or a word, which may turn out to be a key or a value.

use std::borrow::Cow;

use super::repairs::Repairs;
use super::strings::{bare_word, string, string_prefix};
use super::value::{Item, Value, is_json_word, word};
use crate::RepairKind;
use crate::cursor::Cursor;

/// A string or a word, and the byte at which it begins.
#[derive(Clone, Debug)]
pub(crate) struct Token<'t> {
    pub(crate) start: usize,
    end: usize,
    text: Written<'t>,
}

#[derive(Clone, Debug)]
enum Written<'t> {
    InQuotes(Cow<'t, str>),
    Bare(&'t str),
}

impl<'t> Token<'t> {
    /// The token at the cursor, which stands on no sign but a quote; `None` if it does not end.
    pub(crate) fn read(cursor: &mut Cursor<'t>, repairs: &mut Repairs) -> Option<Self> {
        let start = cursor.offset();
        let text = match string_prefix(cursor) {
            Some(letters) => Written::InQuotes(string(cursor, letters, repairs)?),
            None => Written::Bare(bare_word(cursor, repairs)?),
        };
        Some(Self { start, end: cursor.offset(), text })
    }

    /// The token as a key. Any word is a text here.
    pub(crate) fn key(self, repairs: &mut Repairs) -> Cow<'t, str> {
        match self.text {
            Written::InQuotes(text) => text,
            Written::Bare(text) => {
                repairs.note(RepairKind::BareWord, self.start);
                Cow::Borrowed(text)
            }
        }
    }

    /// The token as a value.
    pub(crate) fn item(self, repairs: &mut Repairs) -> Item<'t> {
        let value = match self.text {
            Written::InQuotes(text) => Value::Text(text),
            Written::Bare(text) => {
                if !is_json_word(text) {
                    repairs.note(RepairKind::BareWord, self.start);
                }
                word(text)
            }
        };
        Item { start: self.start, end: self.end, value }
    }
}
