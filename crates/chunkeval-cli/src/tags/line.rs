//! Lines of a block, and bytes that they must not have.

use memchr::memchr;

use crate::unusable::{Fault, NOT_UTF8};

/// A line of a block, without its line end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line<'t> {
    pub(super) text: &'t [u8],
    pub(super) number: u64,
    pub(super) start: usize,
    pub(super) end: usize,
}

impl<'t> Line<'t> {
    pub(super) fn bytes(&self) -> &'t [u8] {
        self.text.get(self.start..self.end).unwrap_or_default()
    }

    /// Names bytes that a line must not have.
    pub(super) fn check(&self) -> Result<(), Wrong> {
        let bytes = self.bytes();
        let valid = match std::str::from_utf8(bytes) {
            Ok(text) => text.len(),
            Err(error) => error.valid_up_to(),
        };
        let good = bytes.get(..valid).unwrap_or(bytes);
        let wrong = |at: usize, what: &str, hint: &str| {
            Err((self.start + at, what.to_owned(), Some(hint.to_owned())))
        };
        if let Some(at) = good.iter().position(|byte| matches!(byte, 0 | b'\r')) {
            return match good.get(at) {
                Some(0) => wrong(at, "a NUL byte inside the line", "is it a text file in UTF-8?"),
                _ => wrong(at, "a carriage return inside the line", "lines end with \\n or \\r\\n"),
            };
        }
        if valid < bytes.len() {
            return wrong(valid, "invalid UTF-8", NOT_UTF8);
        }
        Ok(())
    }

    pub(super) fn fault(&self, at: usize, reason: String, hint: Option<String>) -> Fault {
        let before = self.text.get(self.start..at.max(self.start)).unwrap_or_default();
        let column = 1 + String::from_utf8_lossy(before).chars().count() as u64;
        Fault { line: self.number, column, file: None, reason, hint }
    }
}

/// What is wrong with a line: the byte, the reason, a hint.
pub(super) type Wrong = (usize, String, Option<String>);

/// Whether a block has only bytes that every line may have, so that no line needs to be checked.
pub(super) fn is_clean(text: &[u8]) -> bool {
    memchr(0, text).is_none() && memchr(b'\r', text).is_none() && std::str::from_utf8(text).is_ok()
}
