//! Gold labels, checked where they count.

/// The labels `[B, T]` as ids below `tags`; what stands behind a row's length is 0.
///
/// # Errors
/// A label that counts is no id: its row and column.
pub fn checked(
    labels: &[i64],
    width: usize,
    lengths: &[usize],
    tags: usize,
) -> Result<Vec<u32>, String> {
    let mut ids = vec![0u32; labels.len()];
    for (row, &length) in lengths.iter().enumerate() {
        let places = row * width..row * width + length;
        for (column, place) in places.enumerate() {
            let label = labels[place];
            ids[place] =
                u32::try_from(label).ok().filter(|&id| (id as usize) < tags).ok_or_else(|| {
                    format!("row {row}, column {column}: label {label} is not below {tags}")
                })?;
        }
    }
    Ok(ids)
}

/// That no row is longer than the batch is wide.
///
/// # Errors
/// Names the first row that is.
pub fn check_lengths(lengths: &[usize], width: usize) -> Result<(), String> {
    match lengths.iter().position(|&length| length > width) {
        Some(row) => Err(format!("row {row}: length {} exceeds the width {width}", lengths[row])),
        None => Ok(()),
    }
}

/// That ids `[B, T]` fit their rows and are below `size`.
///
/// # Errors
/// The first that is not: its row and column. Or the shape, or a row that is too long.
pub fn check_tokens(
    ids: &[i64],
    width: usize,
    lengths: &[usize],
    size: usize,
) -> Result<(), String> {
    if ids.len() != lengths.len() * width {
        let rows = ids.len().checked_div(width).unwrap_or(0);
        let expected = lengths.len();
        return Err(format!("tokens have shape [{rows}, {width}], expected [{expected}, _]"));
    }
    match ids.iter().position(|&id| !usize::try_from(id).is_ok_and(|id| id < size)) {
        Some(place) => {
            let (row, column, id) = (place / width, place % width, ids[place]);
            Err(format!("row {row}, column {column}: id {id} is not below {size}"))
        }
        None => check_lengths(lengths, width),
    }
}
