//! Which scheme the gold tags are written in, found out while they are counted.
//!
//! Nothing is guessed from the beginning of a file: every scheme counts all rows, and the one that
//! is right is known at the end. It is taken only if the letters of the gold tags, by which seqeval
//! decides, and the way in which the tags follow each other say the same.

use chunkeval_core::{Scheme, SchemeCandidate, SchemeDetection, SchemeDetector};

use super::Reading;
use super::labels::Labels;
use super::rows::Rows;
use crate::Result;

/// The scheme that was detected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Detected {
    /// Which one.
    pub(crate) scheme: Scheme,
    /// How sure that is, from 0.5 to 1; see [`SchemeDetection::certainty`].
    pub(crate) certainty: f64,
}

/// What speaks for and against each scheme in the gold tags of some rows.
#[derive(Clone, Debug)]
pub(super) struct Evidence<'l> {
    labels: &'l Labels<'l>,
    detector: SchemeDetector,
    /// How many labels the detector knows.
    known: usize,
    found: SchemeDetection,
    /// For each label, whether it is a gold one.
    gold: Vec<bool>,
}

/// Less is not sure enough: from here on at least one place speaks for the scheme, and three times
/// as many as against it.
const SURE: f64 = 0.5;

/// Why no scheme can be taken, and what to do about it.
type Unsure = (String, String);

impl<'l> Evidence<'l> {
    /// Evidence for one of the readings of the labels; `None` if there is but one.
    pub(super) fn wanted(labels: &'l Labels<'l>) -> Result<Option<Self>> {
        let [first, _, ..] = labels.readings() else { return Ok(None) };
        let style = first.tag_style();
        let detector = SchemeDetector::new(Vec::<String>::new(), style)?;
        let found = SchemeDetection::new(Vec::<[&str; 0]>::new(), style)?;
        Ok(Some(Self { labels, detector, known: 0, found, gold: Vec::new() }))
    }

    /// Looks at the gold tags of rows of so many labels.
    pub(super) fn add(&mut self, rows: &Rows, labels: usize) -> Result<()> {
        if labels > self.known {
            let list = self.labels.list();
            self.known = list.len();
            self.gold.resize(list.len(), false);
            let style = self.labels.readings().first().map(Reading::tag_style).unwrap_or_default();
            self.detector = SchemeDetector::new(list, style)?;
        }
        for &id in &rows.gold {
            if let Some(gold) = self.gold.get_mut(id as usize) {
                *gold = true;
            }
        }
        self.found.merge(&self.detector.detect(rows.batch()?));
        Ok(())
    }

    /// Adds the evidence of other rows of the same labels.
    pub(super) fn merge(&mut self, other: &Self) {
        self.found.merge(&other.found);
        if self.gold.len() < other.gold.len() {
            self.gold.resize(other.gold.len(), false);
        }
        self.gold.iter_mut().zip(&other.gold).for_each(|(mine, theirs)| *mine |= theirs);
    }

    /// How many rows there were.
    pub(super) fn rows(&self) -> usize {
        self.found.rows
    }

    /// The reading that is the right one, by its place.
    pub(super) fn choose(&self) -> Result<(usize, Detected), Unsure> {
        let certainty = self.found.certainty();
        let [best, next, ..] = &*self.found.candidates else { return Err(self.untagged()) };
        if self.found.tagged == 0 {
            return Err(self.untagged());
        }
        if certainty < SURE {
            let reason = format!(
                "the scheme of the gold tags is not sure: {} and {}",
                faults(best),
                faults(next)
            );
            return Err((
                reason,
                format!("say --scheme {} or --scheme {}", best.scheme, next.scheme),
            ));
        }
        let scheme = best.scheme;
        if let Some(letters) = self.by_letters().filter(|letters| *letters != scheme) {
            let other = self.found.candidates.iter().find(|of| of.scheme == letters);
            let reason = format!(
                "the scheme of the gold tags is not sure: {}; seqeval would take {} for their \
                 letters",
                faults(best),
                other.map_or_else(|| letters.to_string(), faults)
            );
            let hint = format!(
                "say --scheme {scheme}, or --scheme {letters} for the numbers of seqeval without a \
                 scheme"
            );
            return Err((reason, hint));
        }
        let mut readings = self.labels.readings().iter().enumerate();
        match readings.find(|(_, reading)| reading.scheme() == Some(scheme)) {
            Some((at, reading)) => match self.labels.list_for(at) {
                Some(_) => Ok((at, Detected { scheme, certainty })),
                None => Err(self.unreadable(scheme, reading)),
            },
            None => Err((
                format!("the gold tags are {scheme}, which does not go with --letters"),
                "leave --letters away".to_owned(),
            )),
        }
    }

    /// The scheme that seqeval takes for the gold tags.
    fn by_letters(&self) -> Option<Scheme> {
        let list = self.labels.list();
        let gold = list.iter().zip(&self.gold).filter(|(_, gold)| **gold).map(|(label, _)| label);
        let style = self.labels.readings().first().map(Reading::tag_style).unwrap_or_default();
        Scheme::detect_as_seqeval(gold, style).ok()
    }

    fn untagged(&self) -> Unsure {
        let all = Scheme::ALL.map(Scheme::name).join(", ");
        let reason = "the scheme of the gold tags cannot be detected: all of them are O";
        (reason.to_owned(), format!("say --scheme, with one of {all}"))
    }

    /// The scheme of the gold tags does not have all predicted ones.
    fn unreadable(&self, scheme: Scheme, reading: &Reading) -> Unsure {
        let mut list = self.labels.list();
        list.sort_unstable();
        let tag = list.iter().find(|label| !reading.reads(label)).map_or("", |label| label);
        let reason = format!("the gold tags are {scheme}, which does not have the tag {tag:?}");
        (reason, format!("--scheme {scheme} names its first place; other schemes have other tags"))
    }
}

/// `IOB2 (3 faults)`.
fn faults(candidate: &SchemeCandidate) -> String {
    let (scheme, count) = (candidate.scheme, candidate.fault_count());
    format!("{scheme} ({count} fault{})", if count == 1 { "" } else { "s" })
}
