//! The fields of one line, found without reading the others.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::error::Category;
use serde_json::value::RawValue;

use super::error::{LineErrorKind, ValueError};
use crate::{FieldPath, JsonLine, LineError};

/// As many fields as a format names.
const FIELDS: usize = 5;

/// Why a line is no JSON object, in words that need no knowledge of the parser.
fn no_object(error: &serde_json::Error, line: &str) -> String {
    let text = error.to_string();
    let reason = text.split(" at line ").next().unwrap_or(&text);
    let reason = match (error.classify(), line.trim_start().chars().next()) {
        (Category::Data, Some('[')) => "it is a list",
        (Category::Data, Some('"')) => "it is a text",
        (Category::Data, _) => "it is a number or a word",
        (Category::Eof, _) => "it ends before its last bracket",
        _ if reason == "expected ident" => "a word that JSON does not have",
        _ => reason,
    };
    reason.to_owned()
}

/// The JSON texts of the fields of a line.
pub(super) struct Fields<'l> {
    line: JsonLine<'l>,
    raw: [Option<&'l RawValue>; FIELDS],
}

impl<'l> Fields<'l> {
    pub(super) fn of(line: &JsonLine<'l>, paths: [&FieldPath; FIELDS]) -> Result<Self, LineError> {
        let mut json = serde_json::Deserializer::from_str(line.text);
        let names = paths.map(FieldPath::first);
        let read = Wanted { names }.deserialize(&mut json).and_then(|raw| {
            json.end()?;
            Ok(raw)
        });
        let Found { raw, twice } = read.map_err(|e| {
            // serde_json counts bytes from 1, and places some errors behind the last one.
            let at = floor(line.text, e.column().saturating_sub(1));
            line.error(at, None, LineErrorKind::NoObject(no_object(&e, line.text)))
        })?;
        if let Some((name, first, second)) = twice {
            let [first, second] = [first, second].map(|raw| line.offset_of(raw.get()));
            let kind = LineErrorKind::Twice { first: line.column(first) };
            return Err(line.error(second, Some(name.to_owned()), kind));
        }
        let mut raw = raw;
        for (path, raw) in paths.iter().zip(&mut raw) {
            *raw = raw.and_then(|first| path.find_in(first));
        }
        Ok(Self { line: *line, raw })
    }

    /// The JSON text of each field that is there.
    pub(super) fn values(&self) -> [Option<&'l str>; FIELDS] {
        self.raw.map(|raw| raw.map(RawValue::get))
    }

    /// The first place outside of a value where the line is no UTF-8.
    pub(super) fn mended_outside(&self, value: Option<&str>) -> Option<usize> {
        let inside = value.map_or(0..0, |value| {
            let start = self.line.offset_of(value);
            start..start + value.len()
        });
        self.line.mended.iter().copied().find(|place| !inside.contains(place))
    }

    /// An error in the value of a field, which names its path; at the beginning of the line if there
    /// is no such field.
    pub(super) fn error(
        &self,
        path: &FieldPath,
        value: Option<&str>,
        error: impl Into<ValueError>,
    ) -> LineError {
        let start = value.map_or(0, |value| self.line.offset_of(value));
        let ValueError { kind, at } = error.into();
        self.line.error(start + at, Some(path.to_string()), kind)
    }
}

/// The text of a JSON string; `None` of anything else.
pub(crate) fn text_of(raw: &str) -> Option<Cow<'_, str>> {
    let inner = raw.strip_prefix('"')?;
    if memchr::memchr(b'\\', inner.as_bytes()).is_none() {
        return inner.strip_suffix('"').map(Cow::Borrowed);
    }
    serde_json::from_str(raw).ok().map(Cow::Owned)
}

/// The character boundary at or before a byte.
fn floor(text: &str, byte: usize) -> usize {
    text.floor_char_boundary(byte)
}

/// Reads an object and keeps what stands under these names.
struct Wanted<'n> {
    names: [&'n str; FIELDS],
}

/// What stands under the names of an object.
struct Found<'n, 'l> {
    raw: [Option<&'l RawValue>; FIELDS],
    /// The first name that stands there twice, and both values: either could be meant.
    twice: Option<(&'n str, &'l RawValue, &'l RawValue)>,
}

/// Which of the names a key is: the first one.
struct Key<'n>(&'n [&'n str]);

impl<'de, 'n> DeserializeSeed<'de> for Wanted<'n> {
    type Value = Found<'n, 'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_map(self)
    }
}

impl<'de, 'n> Visitor<'de> for Wanted<'n> {
    type Value = Found<'n, 'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let mut found = Found { raw: [None; FIELDS], twice: None };
        while let Some(key) = map.next_key_seed(Key(&self.names))? {
            match key {
                None => drop(map.next_value::<IgnoredAny>()?),
                Some(first) => {
                    let raw: &RawValue = map.next_value()?;
                    let name = self.names.get(first);
                    for (slot, of) in found.raw.iter_mut().zip(&self.names) {
                        if Some(of) == name
                            && let Some(before) = slot.replace(raw)
                        {
                            found.twice.get_or_insert((of, before, raw));
                        }
                    }
                }
            }
        }
        Ok(found)
    }
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = Option<usize>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Self::Value, D::Error> {
        json.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = Option<usize>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field's name")
    }

    fn visit_str<E>(self, key: &str) -> Result<Self::Value, E> {
        Ok(self.0.iter().position(|name| *name == key))
    }
}
