//! What would run on a GPU, run on tensors of the CPU: it gives what reading them gives.
//!
//! Part of the unit tests of each adapter, since only those can look at a library's tensors in
//! another way than its public type does.

use std::fmt::Debug;
use std::marker::PhantomData;

use chunkeval_core::adapter::{ElementType, TensorLibrary, TensorTags, TensorWords, View};
use chunkeval_core::{
    Error, ErrorKind, Pieces, Place, Result, Source, TagBuffer, Tagging, Windows, WordIds,
};

/// A library whose tensors can be made here, and copied as if they were elsewhere.
pub(crate) trait Device: TensorLibrary + Copy + Debug {
    fn floats(values: &[f64], shape: &[usize], element_type: &str) -> Self::Tensor;
    fn integers(values: &[i64], shape: &[usize]) -> Self::Tensor;
    fn permute(tensor: &Self::Tensor, order: &[usize]) -> Self::Tensor;
    fn narrow(tensor: &Self::Tensor, dim: usize, start: usize, length: usize) -> Self::Tensor;
    fn fetch(what: &'static str, tensor: &Self::Tensor) -> Result<Self::Tensor>;
}

/// The library `L`, none of whose tensors is near.
#[derive(Clone, Copy, Debug)]
struct Far<L>(PhantomData<L>);

impl<L: Device> TensorLibrary for Far<L> {
    type Tensor = L::Tensor;

    const INTEGERS: &'static str = L::INTEGERS;
    const FLOATS: &'static str = L::FLOATS;

    fn dims<const N: usize>(tensor: &L::Tensor) -> Option<[usize; N]> {
        L::dims(tensor)
    }

    fn shape(tensor: &L::Tensor) -> Vec<usize> {
        L::shape(tensor)
    }

    fn element_type(tensor: &L::Tensor) -> std::result::Result<ElementType, String> {
        L::element_type(tensor)
    }

    fn is_near(_: &L::Tensor) -> bool {
        false
    }

    fn read<R>(
        what: &'static str,
        tensor: &L::Tensor,
        then: impl FnOnce(View<'_>) -> Result<R>,
    ) -> Result<R> {
        L::read(what, &L::fetch(what, tensor)?, then)
    }

    fn classes_and_doubts(logits: &L::Tensor) -> Result<Vec<f32>> {
        L::classes_and_doubts(logits)
    }

    fn logits_at(logits: &L::Tensor, row: usize, column: usize) -> Result<Vec<f64>> {
        L::logits_at(logits, row, column)
    }
}

/// All tests, for one library.
macro_rules! suite {
    ($library:ident: $($test:ident),+) => {
        $(#[test]
        fn $test() {
            device::$test::<$library>();
        })+
    };
    ($library:ident) => {
        device::suite! {
            $library: ties_infinities_and_strides, random_logits_of_all_class_counts,
            nan_is_told_from_cancelled_infinities, tensors_without_elements, pieces_of_words
        }
    };
}
pub(crate) use suite;

const FLOATS: [&str; 4] = ["f16", "bf16", "f32", "f64"];

type Tags<'t, L> = TensorTags<'t, L>;
type Rows = Vec<(Vec<i32>, Vec<i32>)>;

/// Rows of gold and predicted ids, as on the CPU and as on a device.
fn both<L: Device>(tags: Tags<'_, L>) -> [Result<Rows>; 2] {
    let mut buffer = TagBuffer::default();
    [rows_in(&tags, &mut buffer), rows_in(&tags.seen_by::<Far<L>>(), &mut buffer)]
}

fn rows_in(tags: &impl Source<Tagging>, buffer: &mut TagBuffer) -> Result<Rows> {
    let rows = tags.load(buffer)?.iter_rows();
    Ok(rows.map(|(gold, predicted)| (gold.to_vec(), predicted.to_vec())).collect())
}

fn assert_equal<L: Device>(tags: Tags<'_, L>) -> Rows {
    let [cpu, device] = both(tags).map(|rows| rows.map_err(|e| e.to_string()));
    assert_eq!(cpu, device);
    device.unwrap()
}

fn error<L: Device>(tags: Tags<'_, L>) -> Error {
    let [cpu, device] = both(tags).map(|rows| rows.unwrap_err());
    assert_eq!(cpu.to_string(), device.to_string());
    device
}

pub(crate) fn ties_infinities_and_strides<L: Device>() {
    let inf = f64::INFINITY;
    let values = [
        [[2.0, 2.0, 1.0], [1.0, 3.0, 3.0], [-0.0, 0.0, -1.0]],
        [[-inf, -inf, -inf], [-inf, inf, inf], [-inf, 5.0, inf]],
        [[-inf, 0.0, -1.0], [60000.0, 60000.0, -60000.0], [-5.0, -4.0, -3.0]],
    ];
    let labels = L::integers(&[0, 1, 2, 2, 1, 0, 0, 0, 1], &[3, 3]);
    let turned = L::permute(&labels, &[1, 0]);
    let lengths = L::integers(&[3, 1, 2], &[3]);
    for element_type in FLOATS {
        let logits = L::floats(values.as_flattened().as_flattened(), &[3, 3, 3], element_type);
        for logits in [L::permute(&logits, &[2, 1, 0]), logits] {
            assert_equal(Tags::<L>::logits(&logits, &labels));
            assert_equal(Tags::<L>::logits(&logits, &turned));
            assert_equal(Tags::<L>::logits(&logits, &labels).lengths(&lengths));
            assert_equal(Tags::<L>::logits(&logits, &labels).mask(&labels));
            assert_equal(Tags::<L>::logits(&logits, &labels).ignore_index(0));
        }
    }
    let (left, right) = (L::narrow(&labels, 1, 0, 2), L::narrow(&labels, 1, 1, 2));
    assert_equal(Tags::<L>::ids(&right, &left));
}

pub(crate) fn random_logits_of_all_class_counts<L: Device>() {
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from(state >> 16) / 16384.0 - 2.0
    };
    for classes in (1..70).chain([300]) {
        let fine: Vec<f64> = (0..15 * classes).map(|_| noise()).collect();
        // Few different values, so that many are equal.
        let coarse: Vec<f64> = fine.iter().map(|x| x.round()).collect();
        let labels = L::integers(&[0; 15], &[3, 5]);
        for values in [fine, coarse] {
            let logits = L::floats(&values, &[3, 5, classes], "f32");
            assert_equal(Tags::<L>::logits(&logits, &labels));
        }
    }
}

pub(crate) fn nan_is_told_from_cancelled_infinities<L: Device>() {
    let (nan, inf) = (f64::NAN, f64::INFINITY);
    let values = [inf, -inf, -inf, inf, nan, nan, 0.0, 1.0, inf, nan, 1.0, nan];
    let labels = L::integers(&[0; 6], &[2, 3]);
    let (without, with) = (L::integers(&[2, 1], &[2]), L::integers(&[2, 2], &[2]));
    for element_type in FLOATS {
        let logits = L::floats(&values, &[2, 3, 2], element_type);
        let tags = Tags::<L>::logits(&logits, &labels);
        assert_eq!(assert_equal(tags.lengths(&without))[0].1, [0, 1]);
        let e = error(tags.lengths(&with));
        assert!(matches!(e.kind(), ErrorKind::NanLogit { .. }));
        assert_eq!(e.place(), Some(Place::Cell { row: 1, column: 1 }));
    }
}

pub(crate) fn tensors_without_elements<L: Device>() {
    for (rows, width) in [(0, 4), (3, 0), (0, 0)] {
        let logits = L::floats(&[], &[rows, width, 5], "f32");
        let labels = L::integers(&[], &[rows, width]);
        let lengths = L::integers(&vec![0; rows], &[rows]);
        for tags in [Tags::<L>::logits(&logits, &labels), Tags::ids(&labels, &labels)] {
            for tags in [tags, tags.lengths(&lengths), tags.mask(&labels)] {
                assert_eq!(assert_equal(tags).len(), rows);
            }
        }
    }
    let labels = L::integers(&[0; 6], &[2, 3]);
    let none = L::floats(&[], &[2, 3, 0], "f32");
    let e = error(Tags::<L>::logits(&none, &labels));
    assert_eq!(e.to_string(), "logits: the last dimension, the classes, is 0");
}

pub(crate) fn pieces_of_words<L: Device>() {
    let [rows, width, classes] = [4, 9, 5];
    let noise = |i: usize| ((i * 2_654_435_761) >> 7) % 97;
    let values: Vec<f64> = (0..rows * width * classes).map(|i| noise(i) as f64).collect();
    let logits = L::floats(&values, &[rows, width, classes], "f32");
    let labels = L::integers(&vec![0; rows * width], &[rows, width]);
    let gold = vec![vec![1i32; 7]; 2];
    for pieces in [Pieces::First, Pieces::Last, Pieces::Majority] {
        let mut words = WordIds::new(pieces).windows(Windows::MostContext);
        for row in 0..rows as u32 {
            let id = |column: u32| (column > 0).then_some(row % 2 + column / 2);
            let ids: Vec<Option<u32>> = (0..width as u32).map(id).collect();
            words.push(row as usize / 2, &ids).unwrap();
        }
        assert_equal(Tags::<L>::logits(&logits, &labels).words(&words));
        let by_word = TensorWords::<L, _>::logits(&logits, &gold, &words);
        let mut buffer = TagBuffer::default();
        let near = rows_in(&by_word, &mut buffer).unwrap();
        assert_eq!(rows_in(&by_word.seen_by::<Far<L>>(), &mut buffer).unwrap(), near);
    }
}
