//! What a scheme says about two neighbouring tags, as data.

/// The position a tag claims in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Position {
    Outside,
    Begin,
    Inside,
    End,
    /// `S` or `U`; under conlleval `[` or `]`, each of which is a chunk of one token there.
    Single,
    /// `.`, which seqeval and conlleval treat much like `O`.
    Dot,
    /// Any other letter (the references' readings only; under conlleval `S` too).
    Other,
}

impl Position {
    /// All of them, in order.
    pub(crate) const ALL: [Self; 7] =
        [Self::Outside, Self::Begin, Self::Inside, Self::End, Self::Single, Self::Dot, Self::Other];
}

/// A set of positions, one bit each.
type Set = u8;

const fn set(positions: &[Position]) -> Set {
    let mut bits = 0;
    let mut i = 0;
    while i < positions.len() {
        bits |= 1 << positions[i] as u8;
        i += 1;
    }
    bits
}

/// By current position (in the order of [`Position`]): from which previous positions it happens.
type Table = [Set; 7];

/// A scheme: when a chunk starts at a tag, when one ends before it, and, where that matters, when
/// an open one goes on over it.
///
/// Each rule is told apart by whether the two tags have the same entity type. Row starts and row
/// ends count as an `O` without a type.
///
#[derive(Debug)]
pub(crate) struct Rules {
    start_same: Table,
    start_other: Table,
    end_same: Table,
    end_other: Table,
    /// For equal types; a chunk never goes on over a tag of another type.
    inside: Table,
    pub(crate) counting: Counting,
}

/// What makes a chunk of starts and ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Counting {
    /// Every end is the end of a chunk (the lenient reading).
    Ends,
    /// A chunk is opened by a start and kept open by insides; a start within an open chunk is none,
    /// and only an open chunk that does not go on can end (the strict schemes).
    OpenedEnds,
    /// Every start is a chunk. Two of them match where both sides start with the same type, and
    /// from there on end together and keep to the same types (conlleval).
    Starts,
}

/// What happens between two neighbouring tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// A chunk starts at the current tag.
    pub(crate) start: bool,
    /// A chunk ends before the current tag.
    pub(crate) end: bool,
    /// An open chunk goes on over the current tag.
    pub(crate) inside: bool,
}

impl Rules {
    /// What happens between a tag at `previous` and one at `current`.
    pub(crate) fn step(&self, previous: Position, current: Position, same_type: bool) -> Step {
        let (start, end) = match same_type {
            true => (&self.start_same, &self.end_same),
            false => (&self.start_other, &self.end_other),
        };
        let happens = |table: &Table| table[current as usize] >> previous as u8 & 1 == 1;
        let inside = same_type && happens(&self.inside);
        Step { start: happens(start), end: happens(end), inside }
    }
}

const NONE: Set = 0;
const ANY: Set = 0b111_1111;
const O: Set = set(&[Position::Outside]);
const B: Set = set(&[Position::Begin]);
const I: Set = set(&[Position::Inside]);
const E: Set = set(&[Position::End]);
const S: Set = set(&[Position::Single]);
const NOT_O: Set = B | I | E | S | set(&[Position::Other]);

/// The reading of seqeval's default mode, which PaddleNLP uses, observed on seqeval 1.2.2.
pub(crate) const LENIENT: Rules = Rules {
    // O, B, I, E, S, `.`, other
    start_same: [NONE, ANY, O | E | S, O | E | S, ANY, NONE, NONE],
    start_other: [NONE, ANY, ANY, ANY, ANY, NONE, ANY],
    end_same: [B | I | E | S, B | I | E | S, E | S, E | S, B | I | E | S, E | S, E | S],
    end_other: [NOT_O; 7],
    inside: [NONE; 7],
    counting: Counting::Ends,
};

/// conlleval.pl's own reading (2004-01-26). Between an `E` or a `.` and a `B` of the same type
/// nothing ends and nothing starts.
pub(crate) const CONLLEVAL: Rules = Rules {
    // O, B, I, E, bracket, `.`, other
    start_same: [NONE, O | B | I, O | E, O | E, ANY, NONE, NONE],
    start_other: [NONE, ANY, ANY, ANY, ANY, NONE, ANY],
    end_same: [B | I | E | S, B | I | S, E | S, E | S, S, S, S],
    end_other: [NOT_O; 7],
    inside: [NONE; 7],
    counting: Counting::Starts,
};

// The strict schemes, observed on seqeval 1.2.2. Positions that a scheme does not have are refused
// when labels are read, so what stands for them means nothing.

pub(crate) const IOB1: Rules = Rules {
    // O, B, I, E, S, `.`, other
    start_same: [NONE, B | I, O | B, NONE, NONE, NONE, NONE],
    start_other: [NONE, NONE, O | B | I, NONE, NONE, NONE, NONE],
    end_same: [B | I, B | I, NONE, NONE, NONE, NONE, NONE],
    end_other: [B | I, I, B | I, NONE, NONE, NONE, NONE],
    inside: [NONE, NONE, B | I, NONE, NONE, NONE, NONE],
    counting: Counting::OpenedEnds,
};

pub(crate) const IOB2: Rules = Rules {
    // O, B, I, E, S, `.`, other
    start_same: [NONE, ANY, NONE, NONE, NONE, NONE, NONE],
    start_other: [NONE, ANY, NONE, NONE, NONE, NONE, NONE],
    end_same: [B | I, B | I, NONE, NONE, NONE, NONE, NONE],
    end_other: [B | I, B | I, B | I, NONE, NONE, NONE, NONE],
    inside: [NONE, NONE, B | I, NONE, NONE, NONE, NONE],
    counting: Counting::OpenedEnds,
};

/// Unfinished by its author's own words; an `E` alone opens nothing, and one ends a chunk only
/// before an `I` or `E` of the same type.
pub(crate) const IOE1: Rules = Rules {
    // O, B, I, E, S, `.`, other
    start_same: [NONE, NONE, O | E, E, NONE, NONE, NONE],
    start_other: [NONE, NONE, O | I | E, NONE, NONE, NONE, NONE],
    end_same: [I, NONE, E, E, NONE, NONE, NONE],
    end_other: [I, NONE, I, I, NONE, NONE, NONE],
    inside: [NONE, NONE, I, I, NONE, NONE, NONE],
    counting: Counting::OpenedEnds,
};

pub(crate) const IOE2: Rules = Rules {
    // O, B, I, E, S, `.`, other
    start_same: [NONE, NONE, O | E, O | E, NONE, NONE, NONE],
    start_other: [NONE, NONE, O | I | E, O | I | E, NONE, NONE, NONE],
    end_same: [E; 7],
    end_other: [E; 7],
    inside: [NONE, NONE, I, I, NONE, NONE, NONE],
    counting: Counting::OpenedEnds,
};

/// BILOU too, whose `L` is an `E` and whose `U` is an `S`.
pub(crate) const IOBES: Rules = Rules {
    // O, B, I, E, S, `.`, other
    start_same: [NONE, ANY, NONE, NONE, ANY, NONE, NONE],
    start_other: [NONE, ANY, NONE, NONE, ANY, NONE, NONE],
    end_same: [E | S; 7],
    end_other: [E | S; 7],
    inside: [NONE, NONE, B | I, B | I, NONE, NONE, NONE],
    counting: Counting::OpenedEnds,
};

#[cfg(test)]
mod tests {
    use super::{CONLLEVAL, IOB1, IOE1, IOE2, LENIENT, Position::*};

    #[test]
    fn lenient_steps() {
        let step = |p, c, same| {
            let s = LENIENT.step(p, c, same);
            (s.start, s.end)
        };
        assert_eq!(step(Outside, Inside, false), (true, false));
        assert_eq!(step(Begin, Inside, true), (false, false));
        assert_eq!(step(Begin, Inside, false), (true, true));
        assert_eq!(step(End, Inside, true), (true, true));
        assert_eq!(step(Single, Outside, false), (false, true));
        assert_eq!(step(Inside, Dot, true), (false, false));
        assert_eq!(step(Other, Begin, true), (true, false));
        assert_eq!(step(Other, Outside, false), (false, true));
        assert_eq!(step(Outside, Outside, true), (false, false));
    }

    /// What the tables of the strict schemes say between pairs that are easily got wrong.
    #[test]
    fn strict_steps() {
        let inside = |rules: &super::Rules, p, c, same| rules.step(p, c, same).inside;
        assert!(IOB1.step(Inside, Begin, true).start);
        assert!(!IOB1.step(Inside, Begin, false).start, "B of another type opens nothing");
        assert!(!IOB1.step(Begin, Begin, false).end);
        assert!(!IOE1.step(Outside, End, false).start, "E alone opens nothing");
        assert!(!IOE1.step(End, Outside, false).end);
        assert!(IOE2.step(End, Begin, true).end, "E ends a chunk before anything");
        assert!(inside(&IOB1, Begin, Inside, true) && !inside(&IOB1, Begin, Inside, false));
        assert!(!inside(&LENIENT, Begin, Inside, true));
    }

    /// Where conlleval's own reading is not seqeval's.
    #[test]
    fn conlleval_steps() {
        let step = |p, c, same| {
            let s = CONLLEVAL.step(p, c, same);
            (s.start, s.end)
        };
        assert_eq!(step(End, Begin, true), (false, false));
        assert_eq!(step(Dot, Begin, true), (false, false));
        assert_eq!(step(Begin, Dot, true), (false, false));
        assert_eq!(step(Other, Other, true), (false, false));
        assert_eq!(step(Other, Outside, false), (false, true));
        assert_eq!(step(Outside, Other, false), (true, false));
        assert_eq!(step(Begin, Single, true), (true, false), "a bracket starts, the B goes on");
        assert_eq!(step(Single, Inside, true), (false, true));
        assert_eq!(step(Outside, Inside, true), (true, false), "a bare I after an O");
        assert_eq!(step(Inside, Begin, true), (true, true));
    }
}
