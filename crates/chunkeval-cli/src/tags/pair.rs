//! Gold tags of one file and predicted tags of another, in step.

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use std::thread::{Builder, Scope, scope};

use super::counter::Plan;
use super::labels::Labels;
use super::layout::Layout;
use super::part::Part;
use super::pool::Found;
use super::rows::{Begin, Rows};
use super::side::{Of, Paths, Side};
use crate::alignment::LeftOut;
use crate::interrupt::Ending;
use crate::unusable::Fault;
use crate::{Error, Result};

/// Parts that lie ready.
const READY: usize = 2;

/// Counts a file of gold tags and one of predicted tags; on more than one thread each file is
/// scanned on its own.
///
/// # Errors
/// A file cannot be read, or a line cannot be used; where files do not run in step there is no
/// going on.
pub(super) fn run<'l>(
    gold: (&Path, &Layout),
    predicted: (&Path, &Layout),
    labels: &'l Labels<'l>,
    plan: &'l Plan,
    threads: NonZeroUsize,
) -> Result<(Vec<Found<'l>>, Ending)> {
    let halt = AtomicBool::new(false);
    let start = &plan.document_start;
    let gold = Side::open(Of::Gold, gold.0, gold.1, labels, start, &halt)?;
    let predicted =
        Side::open(Of::Predicted, predicted.0, predicted.1, labels, start, &halt)?.quiet();
    let paths = [gold.paths(), predicted.paths()];
    let mut pair =
        Pair { paths, plan, rows: Rows::default(), found: Found::nothing(labels, plan)? };
    if threads.get() == 1 {
        pair.count(Parts::here(gold), Parts::here(predicted))?;
        return Ok((vec![pair.found], Ending::now()));
    }
    scope(|scope| {
        let (gold, predicted) = (Parts::there(gold, scope)?, Parts::there(predicted, scope)?);
        let counted = pair.count(gold, predicted);
        halt.store(true, Ordering::Relaxed); // nobody wants more
        counted
    })?;
    Ok((vec![pair.found], Ending::now()))
}

/// The parts of a side in order, with the place up to which they were counted.
struct Parts<'p> {
    next: Box<dyn FnMut(Part) -> Result<Option<Part>> + 'p>,
    part: Part,
    /// The next row of the part.
    row: usize,
    /// Its next row with a tag that cannot be read.
    spoilt: VecDeque<(usize, Fault)>,
    /// Where its next documents begin.
    documents: VecDeque<Begin>,
}

impl<'p> Parts<'p> {
    fn new(next: impl FnMut(Part) -> Result<Option<Part>> + 'p) -> Self {
        let (part, spoilt, documents) = Default::default();
        Self { next: Box::new(next), part, row: 0, spoilt, documents }
    }

    /// Scans where it is called.
    fn here(mut side: Side<'p, 'p>) -> Self {
        Self::new(move |old| side.next(old))
    }

    /// Scans on a thread of its own.
    fn there<'s>(mut side: Side<'s, 's>, scope: &'s Scope<'s, '_>) -> Result<Self> {
        let (give, parts): (_, Receiver<Result<Part>>) = sync_channel(READY);
        let (give_back, used): (Sender<Part>, _) = channel();
        let scan = move || {
            while let Some(part) = side.next(used.try_recv().unwrap_or_default()).transpose() {
                if give.send(part).is_err() {
                    return; // nobody wants it
                }
            }
        };
        let started = Builder::new().spawn_scoped(scope, scan);
        started.map_err(|e| Error::read("a thread".as_ref(), e))?;
        Ok(Self::new(move |old| {
            let _ = give_back.send(old); // if it still scans
            parts.recv().ok().transpose()
        }))
    }

    /// How many rows can be looked at, reading on if there is none.
    ///
    /// # Errors
    /// What comes next cannot be used.
    fn rows(&mut self, paths: &Paths) -> Result<usize> {
        while self.row >= self.part.rows.ends.len() {
            if let Some((file, fault)) = self.part.fault.take() {
                return Err(fault.at(paths.of(file)));
            }
            let old = std::mem::take(&mut self.part);
            let Some(mut next) = (self.next)(old)? else { return Ok(0) };
            self.spoilt = std::mem::take(&mut next.spoilt).into();
            // A document that began behind the last row begins with the next one.
            let begun = self.documents.front().map(|begun| Begin { row: 0, ..*begun });
            let documents = std::mem::take(&mut next.rows.documents);
            self.documents = begun.into_iter().chain(documents).collect();
            (self.part, self.row) = (next, 0);
        }
        Ok(self.part.rows.ends.len() - self.row)
    }

    /// The first line that says that a document begins with the next row.
    fn begins(&mut self) -> Option<u64> {
        let row = self.row;
        let mut line = None;
        while let Some(begun) = self.documents.pop_front_if(|begun| begun.row <= row) {
            line = line.or(Some(begun.line));
        }
        line
    }

    /// The fault of the next row, if it has one.
    fn fault(&mut self) -> Option<Fault> {
        let row = self.row;
        self.spoilt.pop_front_if(|(at, _)| *at == row).map(|(_, fault)| fault)
    }
}

/// What is made of both sides.
struct Pair<'l> {
    paths: [Paths; 2],
    plan: &'l Plan,
    rows: Rows,
    found: Found<'l>,
}

impl Pair<'_> {
    fn count(&mut self, mut gold: Parts<'_>, mut predicted: Parts<'_>) -> Result<()> {
        for number in 0.. {
            let rows = (gold.rows(&self.paths[0])?, predicted.rows(&self.paths[1])?);
            match rows {
                (0, 0) => break,
                _ if Ending::now() == Ending::Interrupted && rows.0.min(rows.1) == 0 => break,
                (_, 0) => return Err(self.ended(&gold, 0)),
                (0, _) => return Err(self.ended(&predicted, 1)),
                (left, right) => self.take(left.min(right), &mut gold, &mut predicted)?,
            }
            self.found.add(&self.rows, number, &gold.part)?;
        }
        Ok(())
    }

    /// Takes so many rows of both sides.
    fn take(&mut self, rows: usize, gold: &mut Parts<'_>, predicted: &mut Parts<'_>) -> Result<()> {
        self.rows.clear();
        self.found.bare |= predicted.part.bare;
        for _ in 0..rows {
            let (left, right) = (gold.part.range(gold.row), predicted.part.range(predicted.row));
            let bare = predicted.part.bare; // there is no token to look at
            let same = left.len() == right.len()
                && (bare
                    || left.clone().zip(right.clone()).all(|(left, right)| {
                        is_same(gold.part.token(left), predicted.part.token(right))
                    }));
            if !same {
                return Err(self.differ(gold, predicted));
            }
            if let Some(line) = gold.begins() {
                self.rows.begin_document(line);
            }
            let faults = [gold.fault(), predicted.fault()];
            let first =
                faults.into_iter().zip(&self.paths).find_map(|(f, paths)| Some((f?, paths)));
            match first {
                Some((fault, paths)) if !self.plan.keep_going => return Err(fault.at(&paths.tags)),
                Some((fault, paths)) => {
                    let file = paths.tags.display().to_string();
                    let (before, line) = (self.rows.ends.len(), fault.line);
                    self.rows.left_out.push(LeftOut { before, line });
                    self.found.unusable.push(fault.of_file(&file));
                }
                None => {
                    let tags = (gold.part.rows.gold.get(left), predicted.part.rows.gold.get(right));
                    self.rows.gold.extend_from_slice(tags.0.unwrap_or_default());
                    self.rows.predicted.extend_from_slice(tags.1.unwrap_or_default());
                    self.rows.end(gold.row);
                }
            }
            gold.row += 1;
            predicted.row += 1;
        }
        self.rows.unended = gold.part.rows.unended && gold.row == gold.part.rows.ends.len();
        Ok(())
    }

    /// Two rows that should be of the same tokens.
    fn differ(&self, gold: &Parts<'_>, predicted: &Parts<'_>) -> Error {
        let (left, right) = (gold.part.range(gold.row), predicted.part.range(predicted.row));
        let both = left.clone().zip(right.clone());
        let mut both = both.map(|(l, r)| (l, r, gold.part.token(l), predicted.part.token(r)));
        let bare = predicted.part.bare;
        let text = String::from_utf8_lossy;
        let (at, reason) = match both.find(|(.., token, other)| !bare && token != other) {
            Some((l, r, token, other)) => {
                let (token, other, line) = (text(token), text(other), gold.part.place(l).0);
                let name = self.paths[0].tokens.display();
                (r, format!("token {other:?}, but {token:?} at {name}:{line}"))
            }
            None => {
                let (tokens, others) = (left.len(), right.len());
                let (name, line) = (self.paths[0].tokens.display(), gold.part.place(left.start).0);
                let reason = match bare {
                    true => format!(
                        "a sentence of {others} tags, but of {tokens} tokens at {name}:{line}"
                    ),
                    false => {
                        format!("a sentence of {others} tokens, but of {tokens} at {name}:{line}")
                    }
                };
                (right.start, reason)
            }
        };
        self.error(predicted, 1, at, reason).with_hint(self.hint())
    }

    /// One file goes on where the other has ended.
    fn ended(&self, longer: &Parts<'_>, side: usize) -> Error {
        let shorter = self.paths[1 - side].tokens.display();
        let at = longer.part.range(longer.row).start;
        let reason = format!("{shorter} ends before this sentence");
        self.error(longer, side, at, reason).with_hint(self.hint())
    }

    /// How both sides should be.
    fn hint(&self) -> &'static str {
        match self.found.bare {
            true => {
                "where there are tags alone, each line of gold has its own, and blank lines are \
                 the same"
            }
            false => "both files have the same sentences with the same tokens",
        }
    }

    fn error(&self, parts: &Parts<'_>, side: usize, at: usize, reason: String) -> Error {
        let (line, column) = parts.part.place(at);
        Error::Place { path: self.paths[side].tokens.clone(), line, column, reason, hint: None }
    }
}

/// Whether two tokens are the same; most of them are short.
#[inline(always)]
fn is_same(left: &[u8], right: &[u8]) -> bool {
    left == right
}
