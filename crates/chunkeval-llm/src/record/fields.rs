//! The fields of one line, found without reading the others.

use std::borrow::Cow;
use std::fmt;

use chunkeval_core::Result;
use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::{FieldPath, JsonLine};

/// As many fields as a format names.
const FIELDS: usize = 5;

/// The JSON texts of the fields of a line.
pub(super) struct Fields<'l> {
    line: JsonLine<'l>,
    /// The fields of the line itself in which they stand.
    raw: [Option<&'l RawValue>; FIELDS],
    /// What stands deeper, written out again.
    deeper: [Option<Option<String>>; FIELDS],
}

impl<'l> Fields<'l> {
    pub(super) fn of(line: &JsonLine<'l>, paths: [&FieldPath; FIELDS]) -> Result<Self> {
        let mut json = serde_json::Deserializer::from_str(line.text);
        let names = paths.map(FieldPath::first);
        let read = Wanted { names }.deserialize(&mut json).and_then(|raw| {
            json.end()?;
            Ok(raw)
        });
        let Found { raw, twice } = read.map_err(|e| {
            // serde_json counts bytes from 1, and places some errors behind the last one.
            let text = e.to_string();
            let reason = text.split(" at line ").next().unwrap_or(&text);
            line.error(
                floor(line.text, e.column().saturating_sub(1)),
                format!("no JSON object: {reason}"),
            )
        })?;
        if let Some((name, first, second)) = twice {
            let [first, second] = [first, second].map(|raw| line.offset_of(raw));
            let column = line.column(first);
            let reason =
                format!("field {name}: it stands in the line twice, first at column {column}");
            return Err(line.error(second, reason));
        }
        let mut deeper = [const { None }; FIELDS];
        for ((path, raw), deeper) in paths.iter().zip(raw).zip(&mut deeper) {
            if let Some(raw) = raw.filter(|_| !path.is_flat()) {
                let value: Value = serde_json::from_str(raw.get())
                    .map_err(|e| line.error(0, format!("field {}: {e}", path.first())))?;
                *deeper = Some(path.find_below(&value).map(Value::to_string));
            }
        }
        Ok(Self { line: *line, raw, deeper })
    }

    /// The JSON text of each field that is there.
    pub(super) fn values(&self) -> [Option<Cow<'_, str>>; FIELDS] {
        std::array::from_fn(|i| match self.deeper.get(i) {
            Some(Some(deeper)) => deeper.as_deref().map(Cow::Borrowed),
            _ => self.raw(i).map(|raw| Cow::Borrowed(raw.get())),
        })
    }

    /// The field of the line itself in which a field stands.
    pub(super) fn raw(&self, field: usize) -> Option<&'l RawValue> {
        self.raw.get(field).copied().flatten()
    }

    /// Where a field of the line begins; 0 for none.
    pub(super) fn offset(&self, raw: Option<&RawValue>) -> usize {
        raw.map_or(0, |raw| self.line.offset_of(raw))
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
