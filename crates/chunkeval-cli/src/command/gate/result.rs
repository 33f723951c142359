//! The scores in a result that was written as JSON.

use std::io::Read as _;
use std::path::{Path, PathBuf};

use chunkeval_core::Scheme;
use serde_json::Value;

use super::table::Table;
use crate::input::Input;
use crate::{Error, Result};

/// A result, read back.
pub(super) struct Scores {
    path: PathBuf,
    value: Value,
}

const AVERAGES: [&str; 3] = ["micro", "macro", "weighted"];
const SCORES: [&str; 3] = ["precision", "recall", "f1"];

/// Of what a score is, and which: `f1`, `macro.f1`, `PER.recall`, `strict.PER.recall`.
pub(super) fn split(name: &str) -> Option<(&str, &str)> {
    let (of, score) = name.rsplit_once('.').unwrap_or(("micro", name));
    SCORES.contains(&score).then_some((of, score))
}

impl Scores {
    /// Reads a file or standard input.
    pub(super) fn load(path: &Path) -> Result<Self> {
        let mut input = Input::open(path)?;
        let mut text = Vec::new();
        input.source.read_to_end(&mut text).map_err(|e| Error::read(&input.path, e))?;
        let refused = |reason: String| {
            let hint = "chunkeval tags … --format json and chunkeval llm … --format json write such \
                        results";
            Error::content(&input.path, reason).with_hint(hint)
        };
        let value: Value =
            serde_json::from_slice(&text).map_err(|e| refused(format!("no result: {e}")))?;
        if value["scores"]["averages"].is_object() {
            return Ok(Self { path: input.path, value });
        }
        Err(refused("no result: it has no scores".to_owned()))
    }

    /// A score; `None` if it is undefined.
    ///
    /// # Errors
    /// There is no such score, or it is none.
    pub(super) fn get(&self, name: &str) -> Result<Option<f64>> {
        let lacks = || self.lacks(name);
        let (of, score) = split(name).ok_or_else(lacks)?;
        let (table, of) = self.place(of).ok_or_else(lacks)?;
        let key = format!("scores{table}");
        let row = self.value.get(&key).and_then(|scores| row(scores, of)).ok_or_else(lacks)?;
        self.score(row.get(score).ok_or_else(lacks)?, [score, of, &key])
    }

    /// A number as a score; where it stands is named if it is none.
    fn score(&self, value: &Value, [score, of, key]: [&str; 3]) -> Result<Option<f64>> {
        match value.as_f64() {
            _ if value.is_null() => Ok(None),
            Some(number) if (0.0..=1.0).contains(&number) => Ok(Some(number)),
            _ => {
                let reason = format!("{score} of {of} in {key} is {value}");
                let hint = "a score is a number from 0 to 1, or null where it is undefined: was the \
                            file written or edited by something else?";
                Err(Error::content(&self.path, reason).with_hint(hint))
            }
        }
    }

    /// The average or type that is meant, and the end of the key of its table: the first one, or the
    /// one that is named before.
    fn place<'n>(&self, of: &'n str) -> Option<(String, &'n str)> {
        if row(&self.value["scores"], of).is_some() {
            return Some((String::new(), of));
        }
        if let Some(table) = self.table(of) {
            return Some((table, "micro"));
        }
        // Tables and types may have points in their names.
        let mut points = of.match_indices('.');
        points.find_map(|(at, _)| {
            let (table, of) = (self.table(of.get(..at)?)?, of.get(at + 1..)?);
            row(self.value.get(format!("scores{table}"))?, of).map(|_| (table, of))
        })
    }

    /// The table of a score.
    ///
    /// # Errors
    /// There is no such score.
    pub(super) fn table_of(&self, name: &str) -> Result<Table<'_>> {
        let place = split(name).and_then(|(of, _)| self.place(of));
        let (end, _) = place.ok_or_else(|| self.lacks(name))?;
        Ok(Table { scores: &self.value[format!("scores{end}")] })
    }

    /// How the key of the scores of a reading or treatment ends.
    fn table(&self, name: &str) -> Option<String> {
        let reading = if self.of_answers() { "reading" } else { "mode" };
        if self.is_signed(reading, name) {
            return Some(String::new());
        }
        let mut ends =
            ["", "_count_as_empty", "_skip"].map(|end| format!("_{name}{end}")).into_iter();
        let named = ends.find(|end| self.value.get(format!("scores{end}")).is_some());
        named.or_else(|| self.strict().filter(|_| name == "strict"))
    }

    /// How the key of the only table of a scheme ends; its reading has the scheme's name.
    fn strict(&self) -> Option<String> {
        let keys = self.value.as_object()?.keys();
        let mut strict = keys.filter_map(|key| key.strip_prefix("scores")).filter(|end| {
            let table = Table { scores: &self.value[format!("scores{end}")] };
            Scheme::ALL.iter().any(|scheme| table.is_signed("mode", scheme.name()))
        });
        let only = strict.next()?;
        strict.next().is_none().then(|| only.to_owned())
    }

    /// Whether it is of answers of language models.
    fn of_answers(&self) -> bool {
        self.is_signed("metric", "extraction")
    }

    /// Whether the signature of the first table has an entry.
    fn is_signed(&self, key: &str, value: &str) -> bool {
        Table { scores: &self.value["scores"] }.is_signed(key, value)
    }

    /// The lower end of a score's interval; `None` if the score is undefined.
    ///
    /// # Errors
    /// There is no such score, it has no interval, or its end is no score.
    pub(super) fn low(&self, name: &str) -> Result<Option<f64>> {
        let (of, score) = split(name).ok_or_else(|| self.lacks(name))?;
        let (table, of) = self.place(of).ok_or_else(|| self.lacks(name))?;
        let key = format!("intervals{table}");
        let rows = self.value[&key].as_array();
        let rows = rows.ok_or_else(|| {
            let hint = "write the baseline with --ci, so that it says how sure its scores are";
            let reason = match &*table {
                "" => "the result has no intervals".to_owned(),
                _ => format!("the result has no intervals for {name}"),
            };
            Error::content(&self.path, reason).with_hint(hint)
        })?;
        let mut rows = rows.iter().filter(|row| row["type"] == of);
        // An average stands behind the types, one of which may have its name.
        let row = if AVERAGES.contains(&of) { rows.next_back() } else { rows.next() };
        let row = row.ok_or_else(|| self.lacks(name))?;
        let end = format!("{score}_low");
        match row.get(&end) {
            Some(low) => self.score(low, [&end, of, &key]),
            // An undefined score has no interval.
            None if row.get(score).is_some_and(Value::is_null) => Ok(None),
            None => Err(self.lacks(name)),
        }
    }

    /// In what the gold standards differ, this one's and an earlier one's: the first type of which
    /// the table of a score has more or fewer entities, or the number of sentences or answers.
    ///
    /// # Errors
    /// There is no such score.
    pub(super) fn other_gold(&self, earlier: &Self, score: &str) -> Result<Option<String>> {
        let differ = |what: &str, mine: u64, theirs: u64| {
            let (path, other) = (self.path.display(), earlier.path.display());
            (mine != theirs).then(|| format!("{path} has {mine} {what}, {other} has {theirs}"))
        };
        let (mine, theirs) = (self.table_of(score)?, earlier.table_of(score)?);
        let by_type = mine.other_support(theirs).and_then(|(name, [mine, theirs])| {
            differ(&format!("gold entities of type {name}"), mine, theirs)
        });
        let counts = [
            ("sentences", "/scores/diagnostics/rows"),
            ("answers", "/records/records"),
            ("gold entities", "/records/gold"),
        ];
        Ok(by_type.or_else(|| {
            counts
                .into_iter()
                .filter(|(what, _)| *what != "sentences" || !self.of_answers())
                .find_map(|(what, path)| {
                    let count = |scores: &Self| scores.value.pointer(path).and_then(Value::as_u64);
                    differ(what, count(self)?, count(earlier)?)
                })
        }))
    }

    /// What the scores do not cover: lines left out, or all behind an interrupt.
    pub(super) fn gap(&self) -> Option<&'static str> {
        // Where only intervals are missing, the scores are whole.
        let whole =
            self.value["missing"].as_array().is_some_and(|of| !of.contains(&"input".into()));
        if self.value["interrupted"] == true && !whole {
            return Some("was interrupted: its scores are those of the beginning");
        }
        let left_out = ["sentences", "lines"].map(|of| self.value["left_out"][of].as_u64());
        let left_out = left_out.into_iter().flatten().next();
        left_out.filter(|n| *n > 0).map(|_| match self.of_answers() {
            true => "lacks lines that were left out with --keep-going",
            false => "lacks sentences that were left out with --keep-going",
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn lacks(&self, name: &str) -> Error {
        let types = self.value["scores"]["types"].as_array().into_iter().flatten();
        let types: Vec<&str> = types.filter_map(|row| row["type"].as_str()).collect();
        let mut hint = format!(
            "a score is one of {}, for all chunks or behind micro, macro, weighted or a type and a \
             point; the types are {}",
            SCORES.join(", "),
            types.join(", ")
        );
        let keys = self.value.as_object().into_iter().flat_map(|result| result.keys());
        let tables: Vec<&str> = keys.filter_map(|key| key.strip_prefix("scores_")).collect();
        if !tables.is_empty() {
            hint += &format!("; other readings go before them: {}", tables.join(", "));
        }
        Error::content(&self.path, format!("there is no score {name:?}")).with_hint(hint)
    }
}

/// The scores of an average or a type.
fn row<'v>(scores: &'v Value, of: &str) -> Option<&'v Value> {
    match AVERAGES.contains(&of) {
        true => scores["averages"].get(of),
        false => scores["types"].as_array()?.iter().find(|row| row["type"] == of),
    }
}
