//! What the scores do not cover.

use std::io::{Write as _, stderr};

use chunkeval_stats::Resampling;

use crate::input::name;
use crate::llm::Replaced;
use crate::output::{Missing, Page};
use crate::tags::{Detected, Source};
use crate::unusable::Unusable;
use crate::words::counted;
use crate::{Exit, Result};

/// What is left out where it cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Line,
    /// A line of a file that is converted rather than scored.
    Converted,
    Sentence,
}

impl Unit {
    /// So many of them, and the verb.
    fn words(self, number: u64) -> &'static str {
        match (self, number) {
            (Self::Line | Self::Converted, 1) => "line was",
            (Self::Line | Self::Converted, _) => "lines were",
            (Self::Sentence, 1) => "sentence was",
            (Self::Sentence, _) => "sentences were",
        }
    }

    /// Several of them, at the beginning of a sentence.
    pub(crate) fn plural(self) -> &'static str {
        match self {
            Self::Line | Self::Converted => "Lines",
            Self::Sentence => "Sentences",
        }
    }

    /// What does not have them, and what there is of a part.
    fn result(self) -> [&'static str; 2] {
        match self {
            Self::Converted => ["output lacks", "this is the output"],
            Self::Line | Self::Sentence => ["scores lack", "these are the scores"],
        }
    }
}

/// Says on standard error which scheme was taken, if nobody asked for one.
pub(crate) fn scheme(detected: Option<Detected>) {
    if let Some(Detected { scheme, certainty }) = detected {
        // If standard error is closed there is nobody left to tell.
        let _ = writeln!(
            stderr(),
            "note: the gold tags are {scheme} (certainty {certainty:.2}); --scheme {scheme} \
             asks for it"
        );
    }
}

/// Says on standard error that predicted tags stand alone.
pub(crate) fn bare(source: &Source) {
    if let Source::Pair { gold, predicted, .. } = source {
        let (gold, predicted) = (name(gold).display(), name(predicted).display());
        let _ = writeln!(
            stderr(),
            "note: {predicted} has tags alone: its sentences are as long as those of {gold}, and no \
             tokens could be compared"
        );
    }
}

/// Says on standard error what converted lines have instead of bytes that are no UTF-8.
pub(crate) fn replaced(replaced: &Replaced) {
    if let Some(first) = replaced.first {
        let lines = counted(replaced.lines, "line", "lines");
        let _ = writeln!(
            stderr(),
            "warning: bytes that are no UTF-8 were written as U+FFFD, {} in {lines}, the first on \
             line {first}",
            counted(replaced.times, "time", "times")
        );
    }
}

/// What Ctrl-C has cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Interrupted {
    Nothing,
    Reading,
    /// What came when all was read.
    Afterwards(Missing),
}

impl Interrupted {
    /// Reading, or nothing.
    pub(crate) fn reading(reading: bool) -> Self {
        if reading { Self::Reading } else { Self::Nothing }
    }

    /// What it was of a page, if it was not reading.
    pub(crate) fn of(reading: bool, page: &Page) -> Self {
        match (reading, page.stopped()) {
            (true, _) => Self::Reading,
            (false, Some(missing)) => Self::Afterwards(missing),
            (false, None) => Self::Nothing,
        }
    }
}

/// What resampling gives, unless Ctrl-C ended it.
pub(crate) fn unless_stopped<T>(result: chunkeval_stats::Result<T>) -> Result<Option<T>> {
    match result {
        Err(chunkeval_stats::Error::Stopped) => Ok(None),
        result => Ok(Some(result?)),
    }
}

/// The intervals of a part whose counts are saved: none of fewer than two units, which is said on
/// standard error. Those of the sum are what the part is scored for.
pub(crate) fn of_part(
    asked: Option<Resampling>,
    units: usize,
    [one, many]: [&str; 2],
) -> Option<Resampling> {
    if asked.is_none() || units > 1 {
        return asked;
    }
    let found = counted(units as u64, one, many);
    let _ = writeln!(
        stderr(),
        "note: there are no intervals of {found}; chunkeval merge --ci gives those of all parts"
    );
    None
}

/// Says on standard error what the scores do not cover, and how that ends.
pub(crate) fn tell(unusable: &Unusable, unit: Unit, interrupted: Interrupted) -> Exit {
    let mut stderr = stderr().lock();
    let [lacks, part] = unit.result();
    let n = unusable.sentences;
    if n > 0 {
        let words = unit.words(n);
        let (them, end) =
            (if n == 1 { "it" } else { "them" }, if unusable.first.is_empty() { "." } else { ":" });
        let _ = writeln!(stderr, "warning: {n} {words} left out, and the {lacks} {them}{end}");
        for fault in &unusable.first {
            let place = match &fault.file {
                Some(file) => fault.place(file),
                None => format!("line {}:{}", fault.line, fault.column),
            };
            let _ = writeln!(stderr, "  {place}: {}", fault.reason);
        }
        if (1..n).contains(&(unusable.first.len() as u64)) {
            let _ = writeln!(stderr, "  …");
        }
    }
    let lacks = match interrupted {
        Interrupted::Nothing => return if n > 0 { Exit::BadInput } else { Exit::Ok },
        Interrupted::Reading => format!("{part} of what was read so far"),
        Interrupted::Afterwards(missing) => missing.words().to_owned(),
    };
    let _ = writeln!(stderr, "interrupted: {lacks}");
    Exit::Interrupted
}
