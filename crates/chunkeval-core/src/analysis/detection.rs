//! Which scheme rows of tags are written in, how sure that is, and why.

use std::fmt;

use serde::Serialize;

use super::detector::SchemeDetector;
use super::fault::{TagFault, TagFaultCounts};
use crate::{Notation, Result, Scheme, TagRows, TagStyle};

/// The scheme that rows of tags are written in, by how the tags follow each other.
///
/// Every scheme is held against every row: the one that forbids least of what is written there is
/// the best, and the lead over the next best says how sure that is. (seqeval looks at the letters
/// alone, see [`Scheme::detect_as_seqeval`].)
///
/// ```
/// use chunkeval_core::{Scheme, SchemeDetection, TagStyle};
///
/// let rows = [vec!["I-PER", "I-PER", "O", "I-LOC", "B-LOC"], vec!["I-ORG", "B-ORG"]];
/// let detection = SchemeDetection::new(&rows, TagStyle::Prefix)?;
/// assert_eq!(detection.scheme(), Some(Scheme::Iob1)); // seqeval: IOB2
/// assert_eq!(detection.certainty(), 2.0 / 3.0);
/// assert_eq!(
///     detection.to_string().lines().take(2).collect::<Vec<_>>(),
///     [
///         "IOB1, certainty 0.67: 6 tagged tokens, no fault",
///         "IOE1: 2 faults (2 unreadable), first at row 0, column 4: \"B-LOC\"",
///     ],
/// );
/// # Ok::<(), chunkeval_core::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SchemeDetection {
    /// How many rows there are.
    pub rows: usize,
    /// How many tokens have a tag other than `O`.
    pub tagged: u64,
    /// All schemes, that with the fewest faults first.
    pub candidates: Vec<SchemeCandidate>,
    /// The same for each scheme in each of its notations, in the order of preference.
    #[serde(skip)]
    readings: Vec<SchemeCandidate>,
}

/// What is written in the rows that a scheme forbids.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SchemeCandidate {
    /// The scheme.
    #[serde(serialize_with = "as_text")]
    pub scheme: Scheme,
    /// Which letters it would have.
    #[serde(serialize_with = "as_text")]
    pub notation: Notation,
    /// What it forbids, by kind. A tag that it cannot read counts as
    /// [`UnknownId`](TagFault::UnknownId).
    pub faults: TagFaultCounts,
    /// Where the first fault is.
    pub first: Option<FirstFault>,
}

/// The first place of some rows that a scheme forbids.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct FirstFault {
    /// Row, from 0.
    pub row: usize,
    /// Column, from 0.
    pub column: usize,
    /// The tag there.
    pub tag: String,
    /// What is wrong with it.
    pub fault: TagFault,
}

impl SchemeDetection {
    /// Holds every scheme against some rows: gold ones, as a rule, since predicted rows break
    /// their own scheme.
    ///
    /// # Errors
    /// There are more different tags than 32-bit ids can name.
    pub fn new<R, S>(rows: impl IntoIterator<Item = R>, style: TagStyle) -> Result<Self>
    where
        R: AsRef<[S]>,
        S: AsRef<str>,
    {
        let mut all = TagRows::default();
        for row in rows {
            all.push(row.as_ref(), row.as_ref())?;
        }
        Ok(SchemeDetector::new(all.labels(), style)?.detect(all.batch()))
    }

    /// The schemes, in the order in which they are preferred, held against so many rows.
    pub(super) fn of(rows: usize, tagged: u64, readings: Vec<SchemeCandidate>) -> Self {
        let candidates = ranked(&readings);
        Self { rows, tagged, candidates, readings }
    }

    /// Adds what was found in the rows that stand behind these.
    pub fn merge(&mut self, behind: &Self) {
        for (mine, theirs) in self.readings.iter_mut().zip(&behind.readings) {
            for fault in TagFault::ALL {
                let sum = mine.faults.of(fault);
                *sum = sum.saturating_add(theirs.faults.count(fault));
            }
            if let (None, Some(first)) = (&mine.first, &theirs.first) {
                mine.first = Some(FirstFault { row: self.rows + first.row, ..first.clone() });
            }
        }
        self.rows = self.rows.saturating_add(behind.rows);
        self.tagged = self.tagged.saturating_add(behind.tagged);
        self.candidates = ranked(&self.readings);
    }

    /// The scheme that forbids least of what is written, unless another one forbids as little.
    #[must_use]
    pub fn scheme(&self) -> Option<Scheme> {
        let best = self.candidates.first()?;
        (self.certainty() > 0.0).then_some(best.scheme)
    }

    /// How sure the best scheme is, between 0 and 1: (n − b) / (n + b + 1), where the best scheme
    /// has `b` faults and the next best one `n`.
    ///
    /// It is 0 where two schemes fit equally well (`I-X O` is IOB1 as well as IOE1) or nothing is
    /// tagged, 0.5 where one place alone speaks for a scheme, and near 1 where many places do and
    /// few against it.
    #[must_use]
    pub fn certainty(&self) -> f64 {
        match &self.candidates[..] {
            [best, next, ..] if self.tagged > 0 => {
                let (best, next) = (best.fault_count() as f64, next.fault_count() as f64);
                (next - best) / (next + best + 1.0)
            }
            _ => 0.0,
        }
    }
}

/// A candidate for each scheme, in the letters that suit it better; those with few faults first.
fn ranked(readings: &[SchemeCandidate]) -> Vec<SchemeCandidate> {
    let mut ranked: Vec<SchemeCandidate> = Vec::with_capacity(readings.len());
    for reading in readings {
        match ranked.last_mut().filter(|last| last.scheme == reading.scheme) {
            Some(last) if last.fault_count() <= reading.fault_count() => {}
            Some(last) => *last = reading.clone(),
            None => ranked.push(reading.clone()),
        }
    }
    ranked.sort_by_key(SchemeCandidate::fault_count); // stable
    ranked
}

impl SchemeCandidate {
    /// How many faults there are.
    #[must_use]
    pub fn fault_count(&self) -> u64 {
        TagFault::ALL.into_iter().map(|fault| self.faults.count(fault)).sum()
    }
}

/// The best scheme first, with what speaks against each: one line a scheme.
impl fmt::Display for SchemeDetection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, candidate) in self.candidates.iter().enumerate() {
            write!(f, "{}", candidate.scheme)?;
            if candidate.notation != Notation::Usual {
                write!(f, " in the letters of {}", candidate.notation)?;
            }
            if at == 0 {
                let (certainty, tagged) = (self.certainty(), self.tagged);
                write!(f, ", certainty {certainty:.2}: {tagged} tagged tokens, ")?;
            } else {
                f.write_str(": ")?;
            }
            candidate.write_faults(f)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl SchemeCandidate {
    fn write_faults(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kinds: Vec<String> = TagFault::ALL
            .into_iter()
            .filter(|&fault| self.faults.count(fault) > 0)
            .map(|fault| match fault {
                TagFault::UnknownId => format!("{} unreadable", self.faults.count(fault)),
                _ => format!("{} {fault}", self.faults.count(fault)),
            })
            .collect();
        let Some(first) = &self.first else { return f.write_str("no fault") };
        let plural = if self.fault_count() == 1 { "" } else { "s" };
        let (row, column, tag) = (first.row, first.column, &first.tag);
        let kinds = kinds.join(", ");
        write!(
            f,
            "{} fault{plural} ({kinds}), first at row {row}, column {column}: {tag:?}",
            self.fault_count()
        )
    }
}

fn as_text<T: fmt::Display, S: serde::Serializer>(
    value: &T,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn detect(rows: &[&str]) -> SchemeDetection {
        let rows = rows.iter().map(|row| row.split(' ').collect::<Vec<_>>());
        SchemeDetection::new(rows, TagStyle::Prefix).unwrap()
    }

    #[test]
    fn each_scheme_is_known_by_its_rows() {
        for (scheme, rows) in [
            (Scheme::Iob2, ["B-X I-X O B-X B-Y", "O"]),
            (Scheme::Iob1, ["I-X I-X B-X O I-Y", "O I-X B-X"]),
            (Scheme::Ioe2, ["I-X E-X O E-Y", "O"]),
            (Scheme::Ioe1, ["I-X E-X I-X O I-Y", "I-X"]),
            (Scheme::Iobes, ["S-X B-X I-X E-X", "O"]),
            (Scheme::Bilou, ["U-X B-X I-X L-X", "O"]),
        ] {
            let found = detect(&rows);
            assert_eq!(found.candidates[0].scheme, scheme, "{found}");
            assert!(found.certainty() > 0.3, "{found}");
        }
        let bmes = detect(&["B-X M-X E-X S-X"]);
        assert_eq!(bmes.candidates[0].notation, Notation::Bmes);
        assert!(bmes.to_string().starts_with("IOBES in the letters of BMES, certainty 0."));
    }

    #[test]
    fn noise_is_outvoted() {
        let mut rows = vec!["B-X I-X O B-Y"; 50];
        rows.extend(["I-X O", "O I-Y"]);
        let found = detect(&rows);
        assert_eq!(found.scheme(), Some(Scheme::Iob2));
        assert!(found.certainty() > 0.9 && found.candidates[0].fault_count() == 2, "{found}");
    }

    #[test]
    fn parts_add_up_to_the_whole() {
        let rows = ["B-X I-X O", "M-X E-X", "S-X", "", "O B-Y E-X", "I-X I-Y B-X", "PER O"];
        for cut in 0..=rows.len() {
            let (front, back) = rows.split_at(cut);
            let mut found = detect(front);
            found.merge(&detect(back));
            assert_eq!(found, detect(&rows), "{cut}");
        }
    }

    #[test]
    fn tags_with_line_ends_keep_to_their_line() {
        let found = SchemeDetection::new([["B\nX"]], TagStyle::Prefix).unwrap().to_string();
        assert_eq!(found.lines().count(), Scheme::ALL.len(), "{found}");
    }

    #[test]
    fn what_cannot_be_told_is_said() {
        for rows in [&["I-X I-X O I-Y"][..], &["O O"], &[]] {
            let found = detect(rows);
            assert_eq!((found.scheme(), found.certainty()), (None, 0.0), "{found}");
        }
        let unreadable = detect(&["PER O"]);
        assert_eq!(unreadable.candidates[0].first.as_ref().unwrap().tag, "PER");
        assert!(unreadable.to_string().contains("1 fault (1 unreadable)"));
    }
}
