//! CPU tensors read where they are, whatever their strides.
//!
//! Each function holds the lock of its tensor's storage while it calls the function it was given,
//! so that the slices behind the tensors can be borrowed without a copy.

use candle_core::{CpuStorage, Layout, Storage, Tensor};
use chunkeval_core::adapter::{
    Grid, Keep, Logit, Logits, Predict, RowBuffer, TagId, assemble, assemble_pieces,
};
use chunkeval_core::{Error, ErrorKind, Result, TagBatch, WordIds};

/// Runs `$then` with the slice behind a storage of integers.
macro_rules! with_integers {
    ($what:expr, $storage:expr, $data:ident => $then:expr) => {
        match cpu($what, &$storage)? {
            CpuStorage::U8($data) => $then,
            CpuStorage::U32($data) => $then,
            CpuStorage::I16($data) => $then,
            CpuStorage::I32($data) => $then,
            CpuStorage::I64($data) => $then,
            _ => Err(crate::check::not_integers($what, $storage.dtype())),
        }
    };
}

/// Shows predicted ids.
pub(crate) fn with_ids<R>(ids: &Tensor, then: impl FnOnce(&dyn Predict) -> Result<R>) -> Result<R> {
    let what = "predicted ids";
    let (storage, layout) = ids.storage_and_layout();
    with_integers!(what, storage, data => then(&grid(what, data, layout)?))
}

/// Shows logits.
pub(crate) fn with_logits<R>(
    logits: &Tensor,
    then: impl FnOnce(&dyn Predict) -> Result<R>,
) -> Result<R> {
    let what = "logits";
    let (storage, layout) = logits.storage_and_layout();
    match cpu(what, &storage)? {
        CpuStorage::F16(data) => then(&view(data, layout)?),
        CpuStorage::BF16(data) => then(&view(data, layout)?),
        CpuStorage::F32(data) => then(&view(data, layout)?),
        CpuStorage::F64(data) => then(&view(data, layout)?),
        _ => Err(crate::check::not_floats(what, storage.dtype())),
    }
}

/// Shows a mask.
pub(crate) fn with_mask<R>(mask: &Tensor, then: impl FnOnce(Keep<'_>) -> Result<R>) -> Result<R> {
    let what = "mask";
    let (storage, layout) = mask.storage_and_layout();
    with_integers!(what, storage, data => {
        let mask = grid(what, data, layout)?;
        then(Keep::Mask(&|row, column| mask.get(row, column) != 0))
    })
}

/// Reads row lengths.
pub(crate) fn read_lengths(lengths: &Tensor, to: &mut Vec<usize>) -> Result<()> {
    let what = "lengths";
    let (storage, layout) = lengths.storage_and_layout();
    let ([rows], [stride]) = (dims(layout.dims()), dims(layout.stride()));
    to.clear();
    with_integers!(what, storage, data => {
        let lengths = Grid::strided(what, from(data, layout), [rows, 1], [stride, 1])?;
        for row in 0..rows {
            to.push(length(row, lengths.get(row, 0))?);
        }
        Ok(())
    })
}

fn length(row: usize, length: impl Into<i64>) -> Result<usize> {
    let length = length.into();
    usize::try_from(length).map_err(|_| {
        let found = usize::try_from(length.unsigned_abs()).unwrap_or(usize::MAX);
        let what = "how far the row length lies below 0";
        ErrorKind::Length { what, row: Some(row), expected: 0, found }.into()
    })
}

/// Fills `rows` from gold labels and what is predicted for them.
pub(crate) fn fill<'b>(
    rows: &'b mut RowBuffer,
    labels: &Tensor,
    predicted: &dyn Predict,
    keep: Keep<'_>,
    ignore_index: Option<i64>,
) -> Result<TagBatch<'b>> {
    let what = "labels";
    let (storage, layout) = labels.storage_and_layout();
    with_integers!(what, storage, data => {
        assemble(rows, grid(what, data, layout)?, predicted, keep, ignore_index)
    })
}

/// Fills `rows` with words from gold labels of pieces and what is predicted for them.
pub(crate) fn fill_words<'b>(
    rows: &'b mut RowBuffer,
    labels: &Tensor,
    predicted: &dyn Predict,
    words: &WordIds,
    ignore_index: Option<i64>,
) -> Result<TagBatch<'b>> {
    let what = "labels";
    let (storage, layout) = labels.storage_and_layout();
    with_integers!(what, storage, data => {
        assemble_pieces(rows, grid(what, data, layout)?, predicted, words, ignore_index)
    })
}

fn cpu<'s>(what: &'static str, storage: &'s Storage) -> Result<&'s CpuStorage> {
    match storage {
        Storage::Cpu(storage) => Ok(storage),
        _ => Err(Error::config(what, "the tensor is not in the memory of the CPU")),
    }
}

fn grid<'a, T: TagId>(what: &'static str, data: &'a [T], layout: &Layout) -> Result<Grid<'a, T>> {
    Grid::strided(what, from(data, layout), dims(layout.dims()), dims(layout.stride()))
}

fn view<'a, L: Logit>(data: &'a [L], layout: &Layout) -> Result<Logits<'a, L>> {
    Logits::strided(from(data, layout), dims(layout.dims()), dims(layout.stride()))
}

/// What lies from the view's first element on.
fn from<'a, T>(data: &'a [T], layout: &Layout) -> &'a [T] {
    data.get(layout.start_offset()..).unwrap_or_default()
}

/// Dimensions or strides of a tensor whose rank was checked before.
fn dims<const N: usize>(of: &[usize]) -> [usize; N] {
    std::array::from_fn(|i| of.get(i).copied().unwrap_or(0))
}
