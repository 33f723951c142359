//! What of the input could not be used.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::Error;

/// What to do about bytes that are no UTF-8.
pub(crate) const NOT_UTF8: &str = "the file is in another encoding, or was cut within a character; Chinese \
                                    text is often in GB18030: iconv -f GB18030 -t UTF-8";

/// A place that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub(crate) struct Fault {
    /// Line, from 1.
    pub(crate) line: u64,
    /// Column in characters, from 1.
    pub(crate) column: u64,
    /// The file, where there are several.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) file: Option<String>,
    /// What is wrong there.
    pub(crate) reason: String,
    /// What to do about it.
    #[serde(skip)]
    pub(crate) hint: Option<String>,
}

impl Fault {
    /// The error that names it in a file.
    pub(crate) fn at(self, path: &Path) -> Error {
        let Self { line, column, reason, hint, .. } = self;
        Error::Place { path: path.to_owned(), line, column, reason, hint }
    }

    /// The same in a file, if it is not known in which.
    pub(crate) fn of_file(self, file: &str) -> Self {
        Self { file: self.file.or_else(|| Some(file.to_owned())), ..self }
    }

    /// The place with its file; `file` is that where there is one.
    pub(crate) fn place(&self, file: &str) -> String {
        let file = self.file.as_deref().unwrap_or(file);
        format!("{file}:{}:{}", self.line, self.column)
    }
}

/// Sentences or lines that were left out, since they cannot be used.
#[derive(Clone, Debug, Default, Serialize)]
pub(crate) struct Unusable {
    /// How many sentences or lines.
    pub(crate) sentences: u64,
    /// The faults in the first of them, in the order of the lines.
    pub(crate) first: Vec<Fault>,
}

impl Unusable {
    /// How many faults are listed.
    pub(crate) const LISTED: usize = 10;

    /// One more.
    pub(crate) fn push(&mut self, fault: Fault) {
        self.sentences += 1;
        if self.first.len() < Self::LISTED {
            self.first.push(fault);
        }
    }

    /// Those of another thread.
    pub(crate) fn add(&mut self, other: Self) {
        self.sentences = self.sentences.saturating_add(other.sentences);
        self.first.extend(other.first);
        self.first.sort();
        self.first.truncate(Self::LISTED);
    }

    /// The same in a file, where it is not known in which.
    pub(crate) fn of_file(self, file: &str) -> Self {
        let first = self.first.into_iter().map(|fault| fault.of_file(file)).collect();
        Self { first, ..self }
    }
}
