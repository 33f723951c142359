//! What must hold for the tensors of every library: written once, run by the tests of each adapter.
//!
//! An adapter's test implements [`BackEnd`] and runs [`suite`].

pub(crate) mod allocations;
mod case;
pub(crate) mod equality;
pub(crate) mod errors;
pub(crate) mod given;
mod layout;
pub(crate) mod tag_rows;
pub(crate) mod ties;
pub(crate) mod words;

use chunkeval_core::{Source, Tagging, WordIds};

pub(crate) use case::{Case, Counts, evaluate};
pub(crate) use layout::Layout;

/// A library of tensors and its adapter.
pub(crate) trait BackEnd {
    type Tensor;
    type Tags<'t>: Source<Tagging> + Copy;
    type Words<'t>: Source<Tagging>;

    /// Names of element types, as in errors.
    const FLOATS: &'static [&'static str];
    const INTEGERS: &'static [&'static str];

    fn floats(values: &[f64], shape: &[usize], element_type: &str) -> Self::Tensor;
    fn integers(values: &[i64], shape: &[usize], element_type: &str) -> Self::Tensor;

    /// Views of the same memory.
    fn permute(tensor: &Self::Tensor, order: &[usize]) -> Self::Tensor;
    fn narrow(tensor: &Self::Tensor, dim: usize, start: usize, length: usize) -> Self::Tensor;
    fn broadcast(tensor: &Self::Tensor, shape: &[usize]) -> Self::Tensor;

    fn logits<'t>(logits: &'t Self::Tensor, labels: &'t Self::Tensor) -> Self::Tags<'t>;
    fn ids<'t>(ids: &'t Self::Tensor, labels: &'t Self::Tensor) -> Self::Tags<'t>;
    fn lengths<'t>(tags: Self::Tags<'t>, lengths: &'t Self::Tensor) -> Self::Tags<'t>;
    fn mask<'t>(tags: Self::Tags<'t>, mask: &'t Self::Tensor) -> Self::Tags<'t>;
    fn words<'t>(tags: Self::Tags<'t>, words: &'t WordIds) -> Self::Tags<'t>;
    fn ignore_index(tags: Self::Tags<'_>, ignore_index: i64) -> Self::Tags<'_>;

    /// With gold by word.
    fn word_logits<'t>(
        logits: &'t Self::Tensor,
        gold: &'t [Vec<i64>],
        words: &'t WordIds,
    ) -> Self::Words<'t>;
    fn word_ids<'t>(
        ids: &'t Self::Tensor,
        gold: &'t [Vec<i64>],
        words: &'t WordIds,
    ) -> Self::Words<'t>;
}

/// The functions of [`BackEnd`] that make the batches of an adapter's own types.
macro_rules! tags {
    ($tags:ident and $words:ident of $tensor:ty) => {
        type Tensor = $tensor;
        type Tags<'t> = $tags<'t>;
        type Words<'t> = $words<'t, Vec<i64>>;

        fn logits<'t>(logits: &'t $tensor, labels: &'t $tensor) -> $tags<'t> {
            $tags::logits(logits, labels)
        }

        fn ids<'t>(ids: &'t $tensor, labels: &'t $tensor) -> $tags<'t> {
            $tags::ids(ids, labels)
        }

        fn lengths<'t>(tags: $tags<'t>, lengths: &'t $tensor) -> $tags<'t> {
            tags.lengths(lengths)
        }

        fn mask<'t>(tags: $tags<'t>, mask: &'t $tensor) -> $tags<'t> {
            tags.mask(mask)
        }

        fn words<'t>(tags: $tags<'t>, words: &'t chunkeval_core::WordIds) -> $tags<'t> {
            tags.words(words)
        }

        fn ignore_index(tags: Self::Tags<'_>, ignore_index: i64) -> Self::Tags<'_> {
            tags.ignore_index(ignore_index)
        }

        fn word_logits<'t>(
            logits: &'t $tensor,
            gold: &'t [Vec<i64>],
            words: &'t chunkeval_core::WordIds,
        ) -> Self::Words<'t> {
            $words::logits(logits, gold, words)
        }

        fn word_ids<'t>(
            ids: &'t $tensor,
            gold: &'t [Vec<i64>],
            words: &'t chunkeval_core::WordIds,
        ) -> Self::Words<'t> {
            $words::ids(ids, gold, words)
        }
    };
}
pub(crate) use tags;

/// All tests, each with its own name.
macro_rules! suite {
    ($back_end:ident: $($module:ident: $($test:ident),+;)+) => {
        $(mod $module {
            $(#[test]
            fn $test() {
                crate::back_ends::$module::$test::<super::$back_end>();
            })+
        })+
    };
    ($back_end:ident) => {
        crate::back_ends::suite! {
            $back_end:
            allocations: none_in_the_steady_state;
            equality: every_type_and_layout_of_logits, every_type_and_layout_of_ids,
                broadcast_tensors_are_read_where_they_are, one_tensor_may_be_both_sides,
                random_tensors_equal_slices;
            errors: shapes_that_disagree_are_both_printed, element_types_are_named,
                lengths_outside_the_row_name_the_row, a_failing_update_changes_nothing,
                tensors_without_elements_hold_no_token, any_metric_of_the_task_can_be_fed;
            given: cases;
            tag_rows: equal_rows_of_strings;
            ties: nan_and_ties;
            words: words_of_tensors_equal_those_of_slices, predictions_that_do_not_fit_word_ids;
        }
    };
}
pub(crate) use suite;
