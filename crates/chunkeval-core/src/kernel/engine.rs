//! How ids become codes and codes become masks; here the portable way.

use super::alphabet::{Code, Codes, END, INSIDE, START};
use super::block::BLOCK;

/// The codes of a block of one side, that before the block first.
pub(super) type Window<C> = [C; BLOCK + 1];

/// Tokens held at once, and the blocks they are; few enough to stay in the nearest cache.
pub(super) const HELD: usize = HELD_BLOCKS * BLOCK;
/// See [`HELD`].
pub(super) const HELD_BLOCKS: usize = 16;

/// Where chunks start and end in a block of one side, a bit a token.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Masks {
    pub(super) starts: u64,
    /// A chunk ends before the token.
    pub(super) ends: u64,
}

/// The loops over tokens, in one of several forms that all give the same.
pub(super) trait Engine {
    type Code: Code;

    /// How many labels the list has.
    fn labels(&self) -> usize;

    /// Asks for the ids of the next block to be brought near, where that can be asked for.
    fn fetch(&self, _ids: &[i32]) {}

    /// Codes of ids. Ids outside the list get the code of `O`; the result counts them.
    fn encode(&self, ids: &[i32], codes: &mut [Self::Code]) -> u64;

    /// Starts and ends of the first blocks held, one for each of `masks`. `codes` has the one
    /// before them first; `first` is 255 at the first token of a row, else 0.
    fn masks(&self, codes: &[Self::Code; HELD + 1], first: &[u8; HELD], masks: &mut [Masks]);

    /// Where an open chunk would go on over the token, in the first blocks held (strict schemes).
    /// It never goes on into another row.
    fn insides(&self, codes: &[Self::Code; HELD + 1], first: &[u8; HELD], insides: &mut [u64]);

    /// Up to how many tokens of a block it is cheaper to look at each of them than at each type.
    fn few(types: usize) -> usize;

    /// The tokens of a block that have a type slot. `codes` are those of the block.
    fn of_slot(&self, codes: &[Self::Code], slot: usize) -> u64;

    /// The tokens of a block that have the same type slot on both sides.
    fn same_slot(&self, gold: &[Self::Code], predicted: &[Self::Code]) -> u64;
}

/// The portable engine.
pub(super) struct Portable<C> {
    of_id: Vec<C>,
    /// [`START`], [`END`] and [`INSIDE`] by whether the types are the same, previous class, current class.
    steps: [u8; 128],
}

impl<C: Code> Portable<C> {
    pub(super) fn new(codes: Codes<C>) -> Self {
        let s = &codes.steps;
        let mut steps = [0; 128];
        for (i, step) in steps.iter_mut().enumerate() {
            let (same, previous, current) = (i >> 6, i >> 3 & 7, i & 7);
            let (start, end) =
                if same == 1 { (s.start_same, s.end_same) } else { (s.start_other, s.end_other) };
            let happens = |from: u8| from >> previous & 1;
            *step = (happens(start[current]) * START) | (happens(end[current]) * END);
            if same == 1 {
                *step |= happens(s.inside[current]) * INSIDE;
            }
        }
        Self { of_id: codes.of_id, steps }
    }

    #[inline(always)]
    fn step(&self, previous: C, current: C) -> u8 {
        let same = usize::from(previous.slot() == current.slot());
        self.steps[same << 6 | previous.class() << 3 | current.class()]
    }
}

impl<C: Code> Engine for Portable<C> {
    type Code = C;

    fn labels(&self) -> usize {
        self.of_id.len() - 1
    }

    #[inline(always)]
    fn encode(&self, ids: &[i32], codes: &mut [C]) -> u64 {
        encode(&self.of_id, ids, codes)
    }

    #[inline(always)]
    fn masks(&self, codes: &[C; HELD + 1], first: &[u8; HELD], masks: &mut [Masks]) {
        for (block, masks) in masks.iter_mut().enumerate() {
            let at = block * BLOCK;
            let mut bytes = [0; BLOCK];
            for (i, byte) in bytes.iter_mut().enumerate() {
                let (previous, current) = (codes[at + i], codes[at + i + 1]);
                *byte = if first[at + i] == 0 {
                    self.step(previous, current)
                } else {
                    // Between rows: what ends there ends at the boundary, what starts starts
                    // after it.
                    self.step(previous, C::default()) & END
                        | self.step(C::default(), current) & START
                };
            }
            *masks = Masks { starts: plane(&bytes, START), ends: plane(&bytes, END) };
        }
    }

    #[inline(always)]
    fn insides(&self, codes: &[C; HELD + 1], first: &[u8; HELD], insides: &mut [u64]) {
        for (block, inside) in insides.iter_mut().enumerate() {
            let at = block * BLOCK;
            let mut bytes = [0; BLOCK];
            for (i, byte) in bytes.iter_mut().enumerate() {
                *byte = self.step(codes[at + i], codes[at + i + 1]) & !first[at + i];
            }
            *inside = plane(&bytes, INSIDE);
        }
    }

    #[inline(always)]
    fn few(types: usize) -> usize {
        types
    }

    #[inline(always)]
    fn of_slot(&self, codes: &[C], slot: usize) -> u64 {
        gather(codes.iter().map(|code| code.slot() == slot))
    }

    #[inline(always)]
    fn same_slot(&self, gold: &[C], predicted: &[C]) -> u64 {
        gather(gold.iter().zip(predicted).map(|(g, p)| g.slot() == p.slot()))
    }
}

/// See [`Engine::encode`].
#[inline(always)]
pub(super) fn encode<C: Copy>(of_id: &[C], ids: &[i32], codes: &mut [C]) -> u64 {
    let labels = of_id.len() - 1;
    let mut unknown = 0;
    for (code, &id) in codes.iter_mut().zip(ids) {
        // A negative id becomes a very large one.
        let index = (id as u32 as usize).min(labels);
        *code = of_id[index];
        unknown += u64::from(index == labels);
    }
    unknown
}

/// A bit for each token of a block.
#[inline(always)]
fn gather(tokens: impl Iterator<Item = bool>) -> u64 {
    tokens.take(BLOCK).enumerate().fold(0, |mask, (i, is)| mask | u64::from(is) << i)
}

/// One bit of each byte, gathered: bit `i` of the result is that of `bytes[i]`.
#[inline(always)]
fn plane(bytes: &[u8; BLOCK], bit: u8) -> u64 {
    let mut mask = 0;
    let shift = bit.trailing_zeros();
    for (i, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // Eight bytes of 0 or 1, moved into the eight bits of the top byte by one product.
        let ones = u64::from_le_bytes(*eight) >> shift & 0x0101_0101_0101_0101;
        mask |= (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * i);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn planes_gather_bits(bytes: [u8; 64], bit in 0..8u32) {
            let mask = plane(&bytes, 1 << bit);
            for (i, byte) in bytes.iter().enumerate() {
                prop_assert_eq!(mask >> i & 1, u64::from(byte >> bit & 1));
            }
        }
    }
}
