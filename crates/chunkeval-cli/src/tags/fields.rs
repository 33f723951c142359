//! Where a text is cut: the places of a few bytes, found 64 at a time.

/// Bytes looked at together.
const WIDE: usize = 64;

/// The bytes that part fields, the line end among them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cuts {
    /// Three bytes; some may be the same.
    bytes: [u8; 3],
}

impl Cuts {
    pub(super) const TABS: Self = Self { bytes: [b'\n', b'\t', b'\t'] };
    pub(super) const SPACES: Self = Self { bytes: [b'\n', b' ', b' '] };
    pub(super) const BOTH: Self = Self { bytes: [b'\n', b' ', b'\t'] };

    /// What parts the pieces of a waybill.
    pub(super) const RECORDS: Self = Self { bytes: [b'\n', b'\t', 2] };

    /// The places of these bytes, in order.
    pub(super) fn places(self, text: &[u8]) -> Places<'_> {
        self.places_from(text, 0)
    }

    /// Those that are not before a byte.
    pub(super) fn places_from(self, text: &[u8], byte: usize) -> Places<'_> {
        Places { cuts: self, text, at: byte, mask: 0 }
    }

    /// A bit for each of 64 bytes.
    #[inline(always)]
    fn mask(self, bytes: &[u8; WIDE]) -> u64 {
        let [a, b, c] = self.bytes;
        let mut found = [0u8; WIDE];
        for (found, &byte) in found.iter_mut().zip(bytes) {
            *found = u8::from(byte == a) | u8::from(byte == b) | u8::from(byte == c);
        }
        let mut mask = 0;
        for (i, eight) in found.as_chunks::<8>().0.iter().enumerate() {
            // Eight bytes of 0 or 1, moved into the bits of the top byte by one product.
            let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            mask |= bits << (8 * i);
        }
        mask
    }
}

/// An iterator over places.
#[derive(Debug)]
pub(super) struct Places<'t> {
    cuts: Cuts,
    text: &'t [u8],
    /// Behind the bytes that `mask` is about.
    at: usize,
    mask: u64,
}

impl Iterator for Places<'_> {
    type Item = usize;

    #[inline(always)]
    fn next(&mut self) -> Option<usize> {
        while self.mask == 0 {
            let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
            self.mask = match rest.first_chunk() {
                Some(bytes) => self.cuts.mask(bytes),
                None => {
                    let mut bytes = [0; WIDE]; // a byte that is no cut
                    bytes.iter_mut().zip(rest).for_each(|(to, byte)| *to = *byte);
                    self.cuts.mask(&bytes)
                }
            };
            self.at += WIDE;
        }
        let bit = self.mask.trailing_zeros() as usize;
        self.mask &= self.mask - 1;
        Some(self.at - WIDE + bit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_place_is_found(text in proptest::collection::vec(
            prop_oneof![Just(b'\n'), Just(b'\t'), Just(b' '), any::<u8>()], 0..300)
        ) {
            for cuts in [Cuts::TABS, Cuts::SPACES, Cuts::BOTH] {
                let expected: Vec<usize> =
                    (0..text.len()).filter(|&i| cuts.bytes.contains(&text[i])).collect();
                prop_assert_eq!(cuts.places(&text).collect::<Vec<_>>(), expected);
            }
        }
    }
}
