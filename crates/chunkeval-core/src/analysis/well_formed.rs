//! What a scheme asks of two neighbouring tags.
//!
//! This is what the schemes mean, and not how a strict reader copes with what they do not mean
//! (that is [`rules`](crate::tags)). A row without a fault has the same chunks in the lenient and
//! in the strict reading, with one exception: in IOE1 seqeval, and so the strict reading, finds no
//! chunk in an `E` that stands alone unless an `E` of its type is before it.

use super::fault::TagFault;
use crate::tags::Position::{self, Begin, End, Inside, Outside, Single};
use crate::{MISSING_PREDICTION, Scheme, TagSet};

/// A scheme as sets of positions.
struct Grammar {
    /// The positions that its labels have.
    has: &'static [Position],
    /// After these a chunk can go on.
    open: &'static [Position],
    /// Over these a chunk can go on.
    joins: &'static [Position],
    /// Of [`joins`](Self::joins), those that cannot begin a chunk.
    must_join: &'static [Position],
    /// Of [`open`](Self::open), those that cannot end a chunk.
    must_go_on: &'static [Position],
    /// These part a chunk from the one before it, which has the same type.
    parts_before: &'static [Position],
    /// These part a chunk from the one behind it, which has the same type.
    parts_behind: &'static [Position],
}

const IOB2: Grammar = Grammar {
    has: &[Outside, Begin, Inside],
    open: &[Begin, Inside],
    joins: &[Inside],
    must_join: &[Inside],
    must_go_on: &[],
    parts_before: &[],
    parts_behind: &[],
};

const IOB1: Grammar = Grammar { must_join: &[], parts_before: &[Begin], ..IOB2 };

const IOE2: Grammar = Grammar {
    has: &[Outside, Inside, End],
    open: &[Inside],
    joins: &[Inside, End],
    must_join: &[],
    must_go_on: &[Inside],
    parts_before: &[],
    parts_behind: &[],
};

const IOE1: Grammar = Grammar { must_go_on: &[], parts_behind: &[End], ..IOE2 };

/// BILOU too, whose `L` is an `E` and whose `U` is an `S`.
const IOBES: Grammar = Grammar {
    has: &[Outside, Begin, Inside, End, Single],
    open: &[Begin, Inside],
    joins: &[Inside, End],
    must_join: &[Inside, End],
    must_go_on: &[Begin, Inside],
    parts_before: &[],
    parts_behind: &[],
};

impl Grammar {
    const fn of(scheme: Scheme) -> &'static Self {
        match scheme {
            Scheme::Iob1 => &IOB1,
            Scheme::Iob2 => &IOB2,
            Scheme::Ioe1 => &IOE1,
            Scheme::Ioe2 => &IOE2,
            Scheme::Iobes | Scheme::Bilou => &IOBES,
        }
    }

    /// What is wrong between two tags; at most one thing.
    fn fault(&self, previous: Position, current: Position, same_type: bool) -> Option<TagFault> {
        let joint = self.open.contains(&previous) && self.joins.contains(&current);
        let must_join = self.must_join.contains(&current);
        let must_go_on = self.must_go_on.contains(&previous);
        let beside = previous != Outside && current != Outside && same_type;
        if joint && !same_type && (must_join || must_go_on) {
            Some(TagFault::TypeChange)
        } else if must_join && !joint {
            Some(TagFault::Stray)
        } else if must_go_on && !joint {
            Some(TagFault::Unfinished)
        } else if self.parts_before.contains(&current) && !beside {
            Some(TagFault::NeedlessBegin)
        } else if self.parts_behind.contains(&previous) && !beside {
            Some(TagFault::NeedlessEnd)
        } else {
            None
        }
    }
}

/// Finds the faults of rows of tag ids under a scheme.
#[derive(Clone, Debug)]
pub(super) struct Checker {
    /// By label id: the class in the low bits, the type above.
    codes: Vec<u32>,
    /// By whether the types are the same, previous class, current class.
    faults: [Option<TagFault>; 2 * CLASSES * CLASSES],
}

/// The bits of a code that hold its class, which is a position or [`FOREIGN`].
const CLASS_BITS: u32 = 3;
const CLASSES: usize = 1 << CLASS_BITS;

/// The code of `O`, and of what stands before and after a row.
const OUTSIDE: u32 = Outside as u32;

/// The code of labels that the scheme does not have; beside others it is as [`OUTSIDE`].
const FOREIGN: u32 = Position::ALL.len() as u32;

impl Checker {
    pub(super) fn new(tags: &TagSet, scheme: Scheme) -> Self {
        let grammar = Grammar::of(scheme);
        let code = |(position, entity_type)| match grammar.has.contains(&position) {
            true if position == Outside => OUTSIDE,
            true => entity_type << CLASS_BITS | position as u32,
            false => FOREIGN,
        };
        let mut faults = [None; 2 * CLASSES * CLASSES];
        let position = |class: usize| Position::ALL.get(class).copied().unwrap_or(Outside);
        for (i, fault) in faults.iter_mut().enumerate() {
            let (previous, current) = (i / CLASSES % CLASSES, i % CLASSES);
            let same_type = i / CLASSES / CLASSES == 1;
            *fault = grammar.fault(position(previous), position(current), same_type);
        }
        Self { codes: tags.positions().map(code).collect(), faults }
    }

    /// Calls `each` with the offset and kind of every fault of a row.
    pub(super) fn faults(&self, ids: &[i32], mut each: impl FnMut(usize, TagFault)) {
        let mut previous = OUTSIDE;
        for (i, &id) in ids.iter().enumerate() {
            let (current, own) = self.code(id);
            if let Some(fault) = own {
                each(i, fault);
            }
            self.between_at(i, previous, current, &mut each);
            previous = current;
        }
        self.between_at(ids.len(), previous, OUTSIDE, &mut each);
    }

    /// The faults of a tag that stands behind another one: its own, and that between the two. What
    /// stands before and behind a row is `None`.
    pub(super) fn pair(
        &self,
        previous: Option<i32>,
        current: Option<i32>,
    ) -> [Option<TagFault>; 2] {
        let code = |id: Option<i32>| id.map_or((OUTSIDE, None), |id| self.code(id));
        let ((previous, _), (current, own)) = (code(previous), code(current));
        [own, self.between(previous, current)]
    }

    /// The code of an id, and what is wrong with it whatever stands beside it.
    #[inline]
    fn code(&self, id: i32) -> (u32, Option<TagFault>) {
        match usize::try_from(id).ok().and_then(|id| self.codes.get(id).copied()) {
            Some(FOREIGN) => (FOREIGN, Some(TagFault::ForeignLabel)),
            Some(code) => (code, None),
            None if id == MISSING_PREDICTION => (OUTSIDE, Some(TagFault::MissingPrediction)),
            None => (OUTSIDE, Some(TagFault::UnknownId)),
        }
    }

    /// The fault between two tags.
    #[inline]
    fn between(&self, previous: u32, code: u32) -> Option<TagFault> {
        let same_type = usize::from(previous >> CLASS_BITS == code >> CLASS_BITS);
        let class = |code: u32| code as usize % CLASSES;
        let at = (same_type * CLASSES + class(previous)) * CLASSES + class(code);
        self.faults[at]
    }

    /// The same with its offset, if the second tag has that one.
    #[inline]
    fn between_at(
        &self,
        i: usize,
        previous: u32,
        code: u32,
        each: &mut impl FnMut(usize, TagFault),
    ) {
        match self.between(previous, code) {
            None => {}
            Some(fault @ (TagFault::Unfinished | TagFault::NeedlessEnd)) => {
                each(i.saturating_sub(1), fault);
            }
            Some(fault) => each(i, fault),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LabelReading, TagStyle};

    /// The faults of a row of tags, `column kind`.
    fn faults(scheme: Scheme, row: &str) -> String {
        let labels = ["O", "B-X", "I-X", "E-X", "S-X", "B-Y", "I-Y", "E-Y", "S-Y", "M-X"];
        let tags = TagSet::with_reading(labels, TagStyle::Prefix, LabelReading::Reference).unwrap();
        let ids: Vec<i32> = row.split(' ').map(|tag| tags.id(tag).unwrap_or(-1)).collect();
        let mut found = Vec::new();
        Checker::new(&tags, scheme).faults(&ids, |at, fault| found.push(format!("{at} {fault}")));
        found.join(", ")
    }

    #[test]
    fn faults_of_each_scheme() {
        use Scheme::*;
        for (scheme, row, expected) in [
            (Iob2, "B-X I-X O B-X B-X I-X", ""),
            (Iob2, "I-X I-X O I-Y", "0 stray, 3 stray"),
            (Iob2, "B-X I-Y I-Y", "1 type_change"),
            (Iob2, "S-X I-X", "0 foreign_label, 1 stray"),
            (Iob1, "I-X I-X B-X B-X I-Y I-Y", ""),
            (Iob1, "B-X I-X O I-X B-Y", "0 needless_begin, 4 needless_begin"),
            (Ioe2, "I-X E-X E-X O E-Y", ""),
            (Ioe2, "I-X I-X O I-Y", "1 unfinished, 3 unfinished"),
            (Ioe2, "I-X E-Y", "1 type_change"),
            (Ioe2, "B-X", "0 foreign_label"),
            (Ioe1, "I-X E-X I-X E-Y", "3 needless_end"),
            (Ioe1, "E-X E-X I-X O I-Y", ""),
            (Iobes, "B-X I-X E-X S-X B-Y E-Y O S-X", ""),
            (Iobes, "I-X E-X O E-Y", "0 stray, 3 stray"),
            (Iobes, "E-X E-X", "0 stray, 1 stray"),
            (Iobes, "B-X I-X O B-X S-X B-X", "1 unfinished, 3 unfinished, 5 unfinished"),
            (Iobes, "B-X I-Y E-Y", "1 type_change"),
            (Iobes, "B-X M-X E-X", "1 foreign_label, 0 unfinished, 2 stray"),
            (Bilou, "S-X B-X E-X", ""),
            (Iobes, "B-X ? E-X", "1 unknown_id, 0 unfinished, 2 stray"),
        ] {
            assert_eq!(faults(scheme, row), expected, "{scheme} {row}");
        }
    }
}
