//! nervaluate's helper functions.

use super::reader::{Opening, read};
use super::{Entity, LoadError};

/// The entities of a list of tags, without a look at how an entity is opened: `E-PER` opens one of
/// type `PER`, and a bare `B` one of the empty type.
///
/// ```
/// use chunkeval_span::nervaluate::collect_named_entities;
///
/// let found = collect_named_entities(&["E-PER", "S-PER", "B"]);
/// assert_eq!((found[0].label.as_str(), found[0].start, found[0].end), ("PER", 0, 1));
/// assert_eq!((found[1].label.as_str(), found[1].start, found[1].end), ("", 2, 2));
/// ```
#[must_use]
pub fn collect_named_entities<S: AsRef<str>>(tags: &[S]) -> Vec<Entity> {
    read(tags, Opening::Unchecked).unwrap_or_default() // unchecked tags are never refused
}

/// The entities of each block of a CoNLL text, the tag in the second column of tabs; blocks are
/// parted by single empty lines.
///
/// # Errors
/// A line has no tab.
pub fn conll_to_spans(text: &str) -> Result<Vec<Vec<Entity>>, LoadError> {
    let lines: Vec<&str> = text.split('\n').collect();
    let entities = |block: Vec<&str>| {
        let tags: Option<Vec<&str>> = block.iter().map(|line| line.split('\t').nth(1)).collect();
        Ok(collect_named_entities(&tags.ok_or(LoadError::NoColumn)?))
    };
    split_list(&lines).into_iter().map(entities).collect()
}

/// A list cut at its empty strings. Nothing follows an empty string at the end.
#[must_use]
pub fn split_list<'s, S: AsRef<str>>(items: &'s [S]) -> Vec<Vec<&'s str>> {
    let mut blocks: Vec<Vec<&'s str>> = items
        .split(|item| item.as_ref().is_empty())
        .map(|block| block.iter().map(AsRef::as_ref).collect())
        .collect();
    if items.last().is_none_or(|item| item.as_ref().is_empty()) {
        blocks.pop();
    }
    blocks
}
