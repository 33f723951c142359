//! The engine for processors with AVX2: 32 tokens an instruction.
//!
//! The one module of this crate with `unsafe`: vector loads and stores, and the call of functions
//! compiled for AVX2 after it was found to be there. Its twin is [`Portable`](super::engine); the
//! tests below compare the two.
#![allow(unsafe_code)]

use std::arch::x86_64::*;

use super::alphabet::{CLASS_BITS, Codes};
use super::block::{BLOCK, Counter};
use super::engine::{Engine, HELD, Masks, encode};
use super::stream::{Strange, Unknown, count_with};
use crate::{ChunkCounts, Result, TagBatch};

/// Bytes of a vector, and tokens handled at once.
const WIDE: usize = 32;
/// Entries of a table that one shuffle looks up.
const TABLE: usize = 16;
/// The largest label list: ids are looked up in seven bits, one of which says "not in the list".
const LABELS: usize = 127;

/// Ids in a line of the cache.
const LINE: usize = 16;

/// Made by [`Avx2::new`] alone, so where there is one the features are there.
pub(super) struct Avx2 {
    of_id: Vec<u8>,
    /// `of_id` in tables of 16, each of them in both halves of a vector.
    tables: [__m256i; (LABELS + 1) / TABLE],
    used: usize,
    start_same: __m256i,
    start_other: __m256i,
    end_same: __m256i,
    end_other: __m256i,
    inside: __m256i,
}

impl Avx2 {
    /// The engine for an alphabet; `None` if it has too many labels, or this machine not the
    /// features.
    pub(super) fn new(codes: &Codes<u8>) -> Option<Self> {
        let fits = codes.of_id.len() <= LABELS + 1
            && is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1");
        // SAFETY: the features are there.
        fits.then(|| unsafe { Self::compile(codes) })
    }

    #[target_feature(enable = "avx2")]
    fn compile(codes: &Codes<u8>) -> Self {
        let mut tables = [_mm256_setzero_si256(); (LABELS + 1) / TABLE];
        for (table, entries) in tables.iter_mut().zip(codes.of_id.chunks(TABLE)) {
            *table = both_halves(entries);
        }
        let steps = &codes.steps;
        Self {
            of_id: codes.of_id.clone(),
            tables,
            used: codes.of_id.len().div_ceil(TABLE),
            start_same: both_halves(&steps.start_same),
            start_other: both_halves(&steps.start_other),
            end_same: both_halves(&steps.end_same),
            end_other: both_halves(&steps.end_other),
            inside: both_halves(&steps.inside),
        }
    }

    /// See [`count_with`].
    pub(super) fn count<K: Counter>(
        &self,
        batch: TagBatch<'_>,
        tally: &mut [ChunkCounts],
    ) -> Result<Unknown, Strange> {
        // SAFETY: an `Avx2` is made only where the features are there.
        unsafe { self.count_avx2::<K>(batch, tally) }
    }

    #[target_feature(enable = "avx2,popcnt,bmi1")]
    fn count_avx2<K: Counter>(
        &self,
        batch: TagBatch<'_>,
        tally: &mut [ChunkCounts],
    ) -> Result<Unknown, Strange> {
        count_with::<K, _>(self, batch, tally)
    }

    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    fn encode_wide(&self, ids: &[i32; WIDE], codes: &mut [u8; WIDE]) -> u64 {
        let labels = self.of_id.len() - 1;
        let outside = _mm256_set1_epi32(labels as i32);
        // A negative id is a very large one, and every id outside the list becomes `labels`.
        let eight = |i: usize| _mm256_min_epu32(load_ids(&ids[8 * i..]), outside);
        let low = _mm256_packus_epi32(eight(0), eight(1));
        let high = _mm256_packus_epi32(eight(2), eight(3));
        // Packing works on half vectors; this puts their four-byte pieces in order again.
        let order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
        let ids = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);

        // A shuffle gives 0 where the top bit of an index is set. Adding 0x70 sets it, and keeps
        // the lower bits, for all but the 16 ids whose table it is.
        let (mut index, mut found) = (ids, _mm256_setzero_si256());
        for &table in &self.tables[..self.used] {
            let here = _mm256_adds_epu8(index, _mm256_set1_epi8(0x70));
            found = _mm256_or_si256(found, _mm256_shuffle_epi8(table, here));
            index = _mm256_sub_epi8(index, _mm256_set1_epi8(TABLE as i8));
        }
        store(codes, found);
        let unknown = _mm256_cmpeq_epi8(ids, _mm256_set1_epi8(labels as i8));
        u64::from(bits(unknown).count_ones())
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn masks_avx2(&self, codes: &[u8; HELD + 1], first: &[u8; HELD], masks: &mut [Masks]) {
        for (block, masks) in masks.iter_mut().enumerate() {
            let (low_starts, low_ends) = self.masks_wide(codes, first, block * BLOCK);
            let (high_starts, high_ends) = self.masks_wide(codes, first, block * BLOCK + WIDE);
            *masks =
                Masks { starts: join(low_starts, high_starts), ends: join(low_ends, high_ends) };
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn insides_avx2(&self, codes: &[u8; HELD + 1], first: &[u8; HELD], insides: &mut [u64]) {
        for (block, inside) in insides.iter_mut().enumerate() {
            let low = insides_wide(codes, first, block * BLOCK, self.inside);
            let high = insides_wide(codes, first, block * BLOCK + WIDE, self.inside);
            *inside = join(low, high);
        }
    }

    #[inline]
    #[target_feature(enable = "avx2")]
    fn masks_wide(&self, codes: &[u8; HELD + 1], first: &[u8; HELD], at: usize) -> (u32, u32) {
        let (previous, current) = (load(&codes[at..]), load(&codes[at + 1..]));
        let first = load(&first[at..]);
        // Between rows there is a boundary, code 0: what ends ends before it, what starts starts
        // after it.
        let after = _mm256_andnot_si256(first, previous);
        let before = _mm256_andnot_si256(first, current);
        let starts = happens(after, current, self.start_same, self.start_other);
        let ends = happens(previous, before, self.end_same, self.end_other);
        (starts, ends)
    }
}

impl Engine for Avx2 {
    type Code = u8;

    fn labels(&self) -> usize {
        self.of_id.len() - 1
    }

    #[inline(always)]
    fn fetch(&self, ids: &[i32]) {
        let block = &ids[..ids.len().min(BLOCK)];
        for line in block.chunks(LINE) {
            // SAFETY: this asks for memory and reads none; all processors with AVX2 have it.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) };
        }
    }

    #[inline(always)]
    fn encode(&self, ids: &[i32], codes: &mut [u8]) -> u64 {
        let (wide_ids, rest_ids) = ids.as_chunks::<WIDE>();
        let (wide_codes, rest_codes) = codes[..ids.len()].as_chunks_mut::<WIDE>();
        let mut unknown = 0;
        for (ids, codes) in wide_ids.iter().zip(wide_codes) {
            // SAFETY: an `Avx2` is made only where the features are there.
            unknown += unsafe { self.encode_wide(ids, codes) };
        }
        unknown + encode(&self.of_id, rest_ids, rest_codes)
    }

    #[inline(always)]
    fn masks(&self, codes: &[u8; HELD + 1], first: &[u8; HELD], masks: &mut [Masks]) {
        // SAFETY: an `Avx2` is made only where the features are there.
        unsafe { self.masks_avx2(codes, first, masks) }
    }

    #[inline(always)]
    fn insides(&self, codes: &[u8; HELD + 1], first: &[u8; HELD], insides: &mut [u64]) {
        // SAFETY: an `Avx2` is made only where the features are there.
        unsafe { self.insides_avx2(codes, first, insides) }
    }

    #[inline(always)]
    fn few(types: usize) -> usize {
        // How often the loop over tokens ends cannot be foreseen, which costs as much as the look
        // at six types.
        types.saturating_sub(6)
    }

    #[inline(always)]
    fn of_slot(&self, codes: &[u8], slot: usize) -> u64 {
        // SAFETY: an `Avx2` is made only where the features are there.
        unsafe { of_slot(codes, slot) }
    }

    #[inline(always)]
    fn same_slot(&self, gold: &[u8], predicted: &[u8]) -> u64 {
        // SAFETY: an `Avx2` is made only where the features are there.
        unsafe { same_slot(gold, predicted) }
    }
}

/// Where an open chunk goes on: over a tag of the same type, and never into another row.
#[inline]
#[target_feature(enable = "avx2")]
fn insides_wide(codes: &[u8; HELD + 1], first: &[u8; HELD], at: usize, inside: __m256i) -> u32 {
    let (previous, current) = (load(&codes[at..]), load(&codes[at + 1..]));
    let before = _mm256_andnot_si256(load(&first[at..]), current);
    happens(previous, before, inside, _mm256_setzero_si256())
}

/// Where something happens between two vectors of codes, by sets of previous classes for each
/// current class (see `Steps`).
#[inline]
#[target_feature(enable = "avx2")]
fn happens(previous: __m256i, current: __m256i, same: __m256i, other: __m256i) -> u32 {
    let zero = _mm256_setzero_si256();
    let class = _mm256_set1_epi8((1 << CLASS_BITS) - 1);
    let powers = both_halves(&[1, 2, 4, 8, 16, 32, 64, 128]);
    let previous_class = _mm256_shuffle_epi8(powers, _mm256_and_si256(previous, class));
    let current_class = _mm256_and_si256(current, class);
    let slots_differ = _mm256_andnot_si256(class, _mm256_xor_si256(previous, current));
    let from = _mm256_blendv_epi8(
        _mm256_shuffle_epi8(other, current_class),
        _mm256_shuffle_epi8(same, current_class),
        _mm256_cmpeq_epi8(slots_differ, zero),
    );
    !bits(_mm256_cmpeq_epi8(_mm256_and_si256(from, previous_class), zero))
}

#[inline]
#[target_feature(enable = "avx2")]
fn of_slot(codes: &[u8], slot: usize) -> u64 {
    let wanted = _mm256_set1_epi8((slot << CLASS_BITS) as i8);
    let same = |codes: &[u8]| bits(_mm256_cmpeq_epi8(slots(load(codes)), wanted));
    join(same(codes), same(&codes[WIDE..]))
}

#[inline]
#[target_feature(enable = "avx2")]
fn same_slot(gold: &[u8], predicted: &[u8]) -> u64 {
    let same = |gold: &[u8], predicted: &[u8]| {
        let differ = slots(_mm256_xor_si256(load(gold), load(predicted)));
        bits(_mm256_cmpeq_epi8(differ, _mm256_setzero_si256()))
    };
    join(same(gold, predicted), same(&gold[WIDE..], &predicted[WIDE..]))
}

/// Codes without their class.
#[inline]
#[target_feature(enable = "avx2")]
fn slots(codes: __m256i) -> __m256i {
    _mm256_and_si256(codes, _mm256_set1_epi8(-1 << CLASS_BITS))
}

/// The top bit of each byte.
#[inline]
#[target_feature(enable = "avx2")]
fn bits(bytes: __m256i) -> u32 {
    _mm256_movemask_epi8(bytes) as u32
}

/// Up to 16 bytes, in both halves of a vector.
#[inline]
#[target_feature(enable = "avx2")]
fn both_halves(bytes: &[u8]) -> __m256i {
    let mut twice = [0; WIDE];
    for half in twice.chunks_exact_mut(TABLE) {
        half[..bytes.len()].copy_from_slice(bytes);
    }
    load(&twice)
}

fn join(low: u32, high: u32) -> u64 {
    u64::from(low) | u64::from(high) << 32
}

/// The first 32 bytes of a slice that has as many.
#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8]) -> __m256i {
    let bytes = &bytes[..WIDE];
    // SAFETY: the slice has 32 bytes; this load needs no alignment.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

/// The first 8 ids of a slice that has as many.
#[inline]
#[target_feature(enable = "avx2")]
fn load_ids(ids: &[i32]) -> __m256i {
    let ids = &ids[..8];
    // SAFETY: the slice has 8 ids, 32 bytes; this load needs no alignment.
    unsafe { _mm256_loadu_si256(ids.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
fn store(to: &mut [u8; WIDE], bytes: __m256i) {
    // SAFETY: there is room for 32 bytes; this store needs no alignment.
    unsafe { _mm256_storeu_si256(to.as_mut_ptr().cast(), bytes) }
}

#[cfg(test)]
mod tests {
    use super::super::engine::Portable;
    use super::*;
    use crate::tags::{Mode, Position, Scheme};
    use proptest::prelude::*;

    /// A label list of every position with some types.
    fn codes(mode: Mode, types: u32) -> Codes<u8> {
        let labels: Vec<_> =
            (0..types).flat_map(|t| Position::ALL.map(|p| (p, t))).take(LABELS).collect();
        Codes::new(mode.rules(), &labels).narrow().unwrap()
    }

    fn modes() -> Vec<Mode> {
        [Mode::Lenient, Mode::Conlleval].into_iter().chain(Scheme::ALL.map(Mode::Strict)).collect()
    }

    proptest! {
        #[test]
        fn equals_the_portable_engine(
            mode in prop::sample::select(modes()),
            types in 1..32u32,
            ids in prop::collection::vec(prop_oneof![0..140i32, any::<i32>()], 0..400),
            starts in prop::collection::vec(0..HELD, 0..90),
            slot in 0..32usize,
        ) {
            let codes = codes(mode, types);
            let Some(wide) = Avx2::new(&codes) else {
                return Ok(()); // not on this machine
            };
            let portable = Portable::new(codes);
            let (mut a, mut b) = ([0; HELD + 1], [0; HELD + 1]);
            prop_assert_eq!(wide.encode(&ids, &mut a), portable.encode(&ids, &mut b));
            prop_assert_eq!(a, b);

            let mut first = [0; HELD];
            starts.iter().for_each(|&start| first[start] = u8::MAX);
            let mut masks = [[Masks::default(); HELD / BLOCK]; 2];
            wide.masks(&a, &first, &mut masks[0]);
            portable.masks(&a, &first, &mut masks[1]);
            prop_assert_eq!(masks[0], masks[1]);
            let mut insides = [[0; HELD / BLOCK]; 2];
            wide.insides(&a, &first, &mut insides[0]);
            portable.insides(&a, &first, &mut insides[1]);
            prop_assert_eq!(insides[0], insides[1]);
            let (one, other) = (&a[..BLOCK], &a[BLOCK..2 * BLOCK]);
            prop_assert_eq!(wide.of_slot(one, slot), portable.of_slot(one, slot));
            prop_assert_eq!(wide.same_slot(one, other), portable.same_slot(one, other));
        }
    }
}
