//! What a scheme says about two neighbouring tags, as data.

/// The position a tag claims in a chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Position {
    Outside,
    Begin,
    Inside,
    End,
    Single,
    /// `.`, which seqeval treats much like `O`.
    Dot,
    /// Any other letter (seqeval's reading only).
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

/// A scheme: when a chunk starts at a tag, and when one ends before it.
///
/// Each rule is told apart by whether the two tags have the same entity type. Row starts and row
/// ends count as an `O` without a type.
#[derive(Debug)]
pub(crate) struct Rules {
    start_same: Table,
    start_other: Table,
    end_same: Table,
    end_other: Table,
}

/// What happens between two neighbouring tags.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// A chunk starts at the current tag.
    pub(crate) start: bool,
    /// A chunk ends before the current tag.
    pub(crate) end: bool,
}

impl Rules {
    /// What happens between a tag at `previous` and one at `current`.
    pub(crate) fn step(&self, previous: Position, current: Position, same_type: bool) -> Step {
        let (start, end) = match same_type {
            true => (&self.start_same, &self.end_same),
            false => (&self.start_other, &self.end_other),
        };
        let happens = |table: &Table| table[current as usize] >> previous as u8 & 1 == 1;
        Step { start: happens(start), end: happens(end) }
    }
}

const NONE: Set = 0;
const ANY: Set = 0b111_1111;
const E_S: Set = set(&[Position::End, Position::Single]);
const O_E_S: Set = E_S | set(&[Position::Outside]);
const B_I_E_S: Set = E_S | set(&[Position::Begin, Position::Inside]);
const NOT_O: Set = B_I_E_S | set(&[Position::Other]);

/// The reading of seqeval's default mode, which PaddleNLP uses, observed on seqeval 1.2.2.
pub(crate) const LENIENT: Rules = Rules {
    //            O     B     I     E     S     .     other
    start_same: [NONE, ANY, O_E_S, O_E_S, ANY, NONE, NONE],
    start_other: [NONE, ANY, ANY, ANY, ANY, NONE, ANY],
    end_same: [B_I_E_S, B_I_E_S, E_S, E_S, B_I_E_S, E_S, E_S],
    end_other: [NOT_O; 7],
};

#[cfg(test)]
mod tests {
    use super::{LENIENT, Position::*};

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
}
