//! How a report was made, in one line.

use std::fmt::{self, Display, Write as _};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::{Average, Error, Result, TagSet, ZeroDivision};

/// How a report was made: the library's version and every option that its numbers depend on.
///
/// Printed, it is a signature of one line in the manner of sacreBLEU's, to be put beside the
/// numbers in a paper. It is read back from that line, and is that line in JSON. Two reports can be
/// compared if their protocols are equal.
///
/// ```
/// use chunkeval_core::{ChunkEvaluator, Metric, Protocol};
///
/// let report = ChunkEvaluator::new(["O", "B-PER", "I-PER"])?.accumulate();
/// let line = report.protocol.to_string();
/// # let line = line.replace(env!("CARGO_PKG_VERSION"), "0.1.0");
/// assert_eq!(
///     line,
///     "chunkeval:0.1.0|mode:lenient|style:prefix|reading:strict|average:micro+macro+weighted|zero:0"
/// );
/// let read: Protocol = line.parse()?;
/// assert_eq!(read.get("mode"), Some("lenient"));
/// assert_eq!(read.with("beta", 0.5).to_string(), line + "|beta:0.5");
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Protocol {
    /// Name and value, the library and its version first.
    entries: Vec<(String, String)>,
}

const LIBRARY: &str = "chunkeval";

impl Protocol {
    /// The protocol of tags read through a label list.
    pub(crate) fn of_tags(tags: &TagSet) -> Self {
        let options = tags.options().into_iter();
        options.fold(Self::default(), |protocol, (name, value)| protocol.with(name, value))
    }

    /// The protocol of the scores of chunks.
    pub(crate) fn of_chunks(tags: &TagSet, zero_division: ZeroDivision) -> Self {
        Self::of_tags(tags)
            .with("average", Average::ALL.map(Average::name).join("+"))
            .with("zero", zero_division)
    }

    /// The same with one more entry, or with another value in the entry of that name.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Display) -> Self {
        let value = value.to_string();
        match self.entries.iter_mut().find(|entry| entry.0 == name) {
            Some(entry) => entry.1 = value,
            None => self.entries.push((name.to_owned(), value)),
        }
        self
    }

    /// The value of an entry.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.entries().find(|entry| entry.0 == name).map(|entry| entry.1)
    }

    /// Names and values in order.
    pub fn entries(&self) -> impl Iterator<Item = (&str, &str)> {
        self.entries.iter().map(|(name, value)| (&**name, &**value))
    }
}

/// The version of this library alone.
impl Default for Protocol {
    fn default() -> Self {
        Self { entries: vec![(LIBRARY.to_owned(), env!("CARGO_PKG_VERSION").to_owned())] }
    }
}

/// `name:value|name:value|…`; what would break the line is written as `%7C` (its UTF-8 bytes).
impl Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.entries().enumerate() {
            if i > 0 {
                f.write_char('|')?;
            }
            write_escaped(f, name, ":")?;
            f.write_char(':')?;
            write_escaped(f, value, "")?;
        }
        Ok(())
    }
}

fn write_escaped(f: &mut fmt::Formatter<'_>, text: &str, more: &str) -> fmt::Result {
    for c in text.chars() {
        let breaks_lines = c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        if breaks_lines || matches!(c, '%' | '|') || more.contains(c) {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                write!(f, "%{byte:02X}")?;
            }
        } else {
            f.write_char(c)?;
        }
    }
    Ok(())
}

fn unescape(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let (high, low) = (digit(rest.next()?)?, digit(rest.next()?)?);
                u8::try_from(high * 16 + low).ok()?
            }
            _ => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// The line that [`Display`] writes.
impl FromStr for Protocol {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self> {
        let bad = |reason: String| Error::config("signature", reason);
        let mut entries: Vec<(String, String)> = Vec::new();
        for entry in line.split('|') {
            let halves = entry.split_once(':');
            let read = halves.and_then(|(name, value)| Some((unescape(name)?, unescape(value)?)));
            let (name, value) = read.ok_or_else(|| bad(format!("{entry:?} is no name:value")))?;
            if entries.iter().any(|entry| entry.0 == name) {
                return Err(bad(format!("{name:?} stands in it twice")));
            }
            entries.push((name, value));
        }
        if entries.first().is_none_or(|entry| entry.0 != LIBRARY) {
            return Err(bad(format!("it does not begin with \"{LIBRARY}:\"")));
        }
        Ok(Self { entries })
    }
}

impl From<Protocol> for String {
    fn from(protocol: Protocol) -> Self {
        protocol.to_string()
    }
}

impl TryFrom<String> for Protocol {
    type Error = Error;

    fn try_from(line: String) -> Result<Self> {
        line.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn lines_that_are_none_are_refused() {
        for line in ["", "mode:lenient", "chunkeval", "chunkeval:1|a", "chunkeval:1|a:1|a:2"] {
            assert!(line.parse::<Protocol>().is_err(), "{line:?}");
        }
        for line in ["chunkeval:%", "chunkeval:%4", "chunkeval:%GG", "chunkeval:%FF"] {
            assert!(line.parse::<Protocol>().is_err(), "{line:?}");
        }
        assert_eq!("chunkeval:1|a:b:c".parse::<Protocol>().unwrap().get("a"), Some("b:c"));
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(entries: Vec<(String, String)>) {
            let protocol = entries.iter().fold(Protocol::default(), |p, (n, v)| p.with(n, v));
            let line = protocol.to_string();
            let breaks = line.contains(|c: char| c.is_control() || c == '\u{2028}');
            prop_assert!(!breaks, "{line:?}");
            prop_assert_eq!(&line.parse::<Protocol>().unwrap(), &protocol);
            let json = serde_json::to_string(&protocol).unwrap();
            prop_assert_eq!(serde_json::from_str::<Protocol>(&json).unwrap(), protocol);
        }
    }
}
