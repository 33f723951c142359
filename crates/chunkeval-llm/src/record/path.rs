//! [`FieldPath`]: where a field stands in a line.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use chunkeval_core::{Error, Result};
use serde_json::Value;
use serde_json::value::RawValue;

use super::fields::text_of;

/// Where a field stands in a JSON object, nested or not.
///
/// | written | is |
/// |---|---|
/// | `output` | the field of that name |
/// | `data.gold` | a field of a field |
/// | `choices[0]`, `choices[-1]` | an item of a list, from the front or from the end |
/// | `messages[role=assistant]` | the last item of a list whose field has that text |
/// | `"a.b"` | a field whose name has signs of this table in it; `\"` and `\\` within |
///
/// ```
/// use chunkeval_llm::FieldPath;
/// use serde_json::json;
///
/// let line = json!({"messages": [
///     {"role": "user", "content": "Who?"}, {"role": "assistant", "content": "{}"},
/// ]});
/// let path: FieldPath = "messages[role=assistant].content".parse()?;
/// assert_eq!(path.find(&line), Some(&json!("{}")));
/// assert_eq!("messages[0].content".parse::<FieldPath>()?.find(&line), Some(&json!("Who?")));
/// assert_eq!("messages[2]".parse::<FieldPath>()?.find(&line), None);
/// assert_eq!(path.to_string(), "messages[role=assistant].content");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FieldPath {
    /// The field of the line itself.
    first: String,
    rest: Vec<Step>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    Field(String),
    /// From the front.
    Item(usize),
    /// From the end, the last one being 1.
    FromEnd(usize),
    /// The last item whose field has a text.
    LastWith(String, String),
}

impl FieldPath {
    /// A field of the line itself.
    pub(crate) fn field(name: &str) -> Self {
        Self { first: name.to_owned(), rest: Vec::new() }
    }

    pub(crate) fn then(self, name: &str) -> Self {
        self.step(Step::Field(name.to_owned()))
    }

    pub(crate) fn item(self, index: usize) -> Self {
        self.step(Step::Item(index))
    }

    pub(crate) fn last_with(self, name: &str, text: &str) -> Self {
        self.step(Step::LastWith(name.to_owned(), text.to_owned()))
    }

    fn step(mut self, step: Step) -> Self {
        self.rest.push(step);
        self
    }

    /// The field that a line itself must have.
    pub(crate) fn first(&self) -> &str {
        &self.first
    }

    /// Whether it is a field of the line itself.
    pub(crate) fn is_flat(&self) -> bool {
        self.rest.is_empty()
    }

    /// The value at this place of a line.
    #[must_use]
    pub fn find<'v>(&self, line: &'v Value) -> Option<&'v Value> {
        self.find_below(line.get(&self.first)?)
    }

    fn find_below<'v>(&self, first: &'v Value) -> Option<&'v Value> {
        self.rest.iter().try_fold(first, |value, step| step.of(value))
    }

    /// The same in the text of a line, given that of its first field.
    pub(crate) fn find_in<'l>(&self, first: &'l RawValue) -> Option<&'l RawValue> {
        self.rest.iter().try_fold(first, |value, step| step.within(value))
    }
}

impl Step {
    fn of<'v>(&self, value: &'v Value) -> Option<&'v Value> {
        match self {
            Self::Field(name) => value.get(name),
            Self::Item(index) => value.get(index),
            Self::FromEnd(index) => {
                let list = value.as_array()?;
                list.get(list.len().checked_sub(*index)?)
            }
            Self::LastWith(name, text) => value.as_array()?.iter().rev().find(|item| {
                item.get(name).and_then(Value::as_str).is_some_and(|found| found == text)
            }),
        }
    }

    fn within<'l>(&self, value: &'l RawValue) -> Option<&'l RawValue> {
        match self {
            Self::Field(name) => field_of(value, name),
            Self::Item(index) => items(value)?.get(*index).copied(),
            Self::FromEnd(index) => {
                let list = items(value)?;
                list.get(list.len().checked_sub(*index)?).copied()
            }
            Self::LastWith(name, text) => items(value)?.into_iter().rev().find(|item| {
                let found = field_of(item, name).and_then(|found| text_of(found.get()));
                found.is_some_and(|found| found == *text)
            }),
        }
    }
}

/// A field of an object; of equal keys the last one counts.
fn field_of<'l>(object: &'l RawValue, name: &str) -> Option<&'l RawValue> {
    serde_json::from_str::<HashMap<String, &'l RawValue>>(object.get()).ok()?.remove(name)
}

fn items(list: &RawValue) -> Option<Vec<&RawValue>> {
    serde_json::from_str(list.get()).ok()
}

/// The table of [`FieldPath`].
impl FromStr for FieldPath {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let bad = |reason: &str| Error::config("field", format!("{text:?}: {reason}"));
        let mut rest = text;
        let first = field(&mut rest).map_err(bad)?;
        let mut steps = Vec::new();
        while let Some(sign) = rest.chars().next() {
            rest = rest.get(1..).unwrap_or_default();
            steps.push(match sign {
                '.' => Step::Field(field(&mut rest).map_err(bad)?),
                '[' => item(&mut rest).map_err(bad)?,
                _ => return Err(bad("expected `.` or `[` behind a `]` or a quoted name")),
            });
        }
        Ok(Self { first, rest: steps })
    }
}

/// A field's name, taken off the front.
fn field(rest: &mut &str) -> Result<String, &'static str> {
    let name = if rest.starts_with('"') { quoted(rest)? } else { plain(rest, &['.', '[']) };
    if name.is_empty() { Err("a field has no name") } else { Ok(name) }
}

/// What stands before one of the signs, or all.
fn plain(rest: &mut &str, ends: &[char]) -> String {
    let (name, behind) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
    *rest = behind;
    name.to_owned()
}

fn quoted(rest: &mut &str) -> Result<String, &'static str> {
    let mut name = String::new();
    let mut signs = rest.char_indices().skip(1);
    while let Some((at, sign)) = signs.next() {
        match sign {
            '"' => {
                *rest = rest.get(at + 1..).unwrap_or_default();
                return Ok(name);
            }
            '\\' => name.extend(signs.next().map(|(_, sign)| sign)),
            _ => name.push(sign),
        }
    }
    Err("a quote is not closed")
}

/// What stands in square brackets, the opening one taken off.
fn item(rest: &mut &str) -> Result<Step, &'static str> {
    let closed = "a `[` is not closed";
    let signs = ['=', ']'];
    let name = if rest.starts_with('"') { quoted(rest)? } else { plain(rest, &signs) };
    if let Some(behind) = rest.strip_prefix('=') {
        *rest = behind;
        let text = if rest.starts_with('"') { quoted(rest)? } else { plain(rest, &[']']) };
        *rest = rest.strip_prefix(']').ok_or(closed)?;
        return if name.is_empty() {
            Err("a field has no name")
        } else {
            Ok(Step::LastWith(name, text))
        };
    }
    *rest = rest.strip_prefix(']').ok_or(closed)?;
    let number = |digits: &str| digits.parse::<usize>().ok();
    match name.strip_prefix('-') {
        Some(digits) => number(digits).filter(|&n| n > 0).map(Step::FromEnd),
        None => number(&name).map(Step::Item),
    }
    .ok_or("in `[…]` stands neither a number nor name=text")
}

/// As it is written.
impl fmt::Display for FieldPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_name(f, &self.first)?;
        for step in &self.rest {
            match step {
                Step::Field(name) => {
                    f.write_str(".")?;
                    write_name(f, name)?;
                }
                Step::Item(index) => write!(f, "[{index}]")?,
                Step::FromEnd(index) => write!(f, "[-{index}]")?,
                Step::LastWith(name, text) => {
                    f.write_str("[")?;
                    write_name(f, name)?;
                    f.write_str("=")?;
                    write_name(f, text)?;
                    f.write_str("]")?;
                }
            }
        }
        Ok(())
    }
}

fn write_name(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    if name.contains(['.', '[', ']', '=', '"', '\\']) {
        write!(f, "\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
    } else {
        f.write_str(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn every_kind_of_step_is_taken() {
        let line = json!({"a": {"b.c": [1, 2, {"k": "v", "n": 3}, {"k": "v", "n": 4}]}, "": 9});
        let text = line.to_string();
        let raw: HashMap<String, &RawValue> = serde_json::from_str(&text).unwrap();
        let find = |path: &str| {
            let path = path.parse::<FieldPath>().unwrap();
            let found = path.find(&line).cloned();
            let within = raw.get(path.first()).and_then(|first| path.find_in(first));
            assert_eq!(within.map(|raw| json!(raw)), found);
            found
        };
        assert_eq!(find(r#"a."b.c"[0]"#), Some(json!(1)));
        assert_eq!(find(r#"a."b.c"[-3]"#), Some(json!(2)));
        assert_eq!(find(r#"a."b.c"[k=v].n"#), Some(json!(4)));
        for nowhere in [r#"a."b.c"[4]"#, r#"a."b.c"[-5]"#, "a.b", "x", "a[0]", r#"a."b.c"[k=w]"#] {
            assert_eq!(find(nowhere), None, "{nowhere}");
        }
    }

    #[test]
    fn paths_that_are_none_are_refused() {
        let texts = ["", ".a", "a.", "a..b", "a[", "a[]", "a[x]", "a[-0]", "a[-]", "a[1", "a[=x]"];
        for text in
            texts.into_iter().chain(["\"a", "\"a\"b", "a[0]b", "a[k=v", "a[99999999999999999999]"])
        {
            let error = text.parse::<FieldPath>().unwrap_err().to_string();
            assert!(error.starts_with("field: "), "{error}");
        }
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(text in r#"["\\a-c.\[\]=0-9]{0,12}"#) {
            if let Ok(path) = text.parse::<FieldPath>() {
                prop_assert_eq!(path.to_string().parse::<FieldPath>().unwrap(), path);
            }
        }
    }
}
