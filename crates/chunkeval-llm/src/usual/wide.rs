//! Sixteen bytes looked at together.

use wide::u8x16;

/// How many bytes.
pub(super) const WIDE: usize = 16;

/// The first sixteen bytes of a text, zeros behind a shorter one. They tell most texts apart.
pub(super) type Head = u128;

/// The next bytes of a line; zeros behind its end, which no line has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Wide([u8; WIDE]);

impl Wide {
    pub(super) const SPACES: Self = Self([b' '; WIDE]);

    #[inline(always)]
    pub(super) fn new(bytes: [u8; WIDE]) -> Self {
        Self(bytes)
    }

    /// The first bytes of these.
    #[inline(always)]
    pub(super) fn of(bytes: &[u8]) -> Self {
        match bytes.first_chunk() {
            Some(bytes) => Self(*bytes),
            None => Self::end(bytes),
        }
    }

    fn end(rest: &[u8]) -> Self {
        let mut bytes = [0; WIDE];
        bytes.iter_mut().zip(rest).for_each(|(to, from)| *to = *from);
        Self(bytes)
    }

    /// Where the first of some bytes is; at least [`WIDE`] if it is not among these.
    #[inline(always)]
    pub(super) fn find<const N: usize>(self, signs: [u8; N]) -> usize {
        let bytes = u8x16::new(self.0);
        let found = signs.map(|sign| bytes.simd_eq(u8x16::splat(sign)));
        let found = found.into_iter().fold(u8x16::splat(0), |all, one| all | one);
        found.to_bitmask().trailing_zeros() as usize
    }

    /// The lesser one of each two bytes.
    #[inline(always)]
    pub(super) fn min(self, other: Self) -> Self {
        Self(u8x16::new(self.0).min(u8x16::new(other.0)).to_array())
    }

    /// A bit for each byte that is this one.
    #[inline(always)]
    pub(super) fn equal(self, byte: u8) -> u32 {
        u8x16::new(self.0).simd_eq(u8x16::splat(byte)).to_bitmask()
    }

    /// The head of a text of so many bytes that begins here.
    #[inline(always)]
    pub(super) fn head(self, length: usize) -> Head {
        let kept = KEPT.get(length).copied().unwrap_or(Head::MAX);
        Head::from_le_bytes(self.0) & kept
    }
}

/// The bits of the first bytes, by how many these are.
const KEPT: [Head; WIDE + 1] = {
    let mut kept = [0; WIDE + 1];
    let mut bytes = 1;
    while bytes <= WIDE {
        kept[bytes] = Head::MAX >> (8 * (WIDE - bytes));
        bytes += 1;
    }
    kept
};
