//! Where documents begin in two files of the same sentences.

use std::path::Path;

use crate::tags::{Begin, Scored};
use crate::{Error, Result};

/// Where documents begin, among the sentences that both systems have; the rows that the other one
/// lacks are `alone`.
pub(super) fn begins(scored: &Scored, alone: &[usize]) -> Vec<Begin> {
    let row = |row: usize| row - alone.partition_point(|gone| *gone < row);
    scored.begins.iter().map(|begin| Begin { row: row(begin.row), ..*begin }).collect()
}

/// Checks that documents begin at the same sentences of two files. A first document begins with the
/// first sentence whatever is said.
///
/// # Errors
/// They do not, and the first line that differs is named.
pub(super) fn same(files: [&Path; 2], begins: [&[Begin]; 2], sentences: usize) -> Result<()> {
    let [mut first, mut second] = begins.map(|of_file| {
        let inner = of_file.iter().filter(|begin| begin.row > 0 && begin.row < sentences);
        let mut inner: Vec<Begin> = inner.copied().collect();
        inner.dedup_by_key(|begin| begin.row);
        inner.into_iter()
    });
    loop {
        let (a, b) = (first.next(), second.next());
        let (with, without) = match (a, b) {
            (None, None) => return Ok(()),
            (Some(a), Some(b)) if a.row == b.row => continue,
            (a, Some(b)) if a.is_none_or(|a| b.row < a.row) => ((files[1], b), (files[0], a)),
            (Some(a), b) => ((files[0], a), (files[1], b)),
            (None, Some(b)) => ((files[1], b), (files[0], None)),
        };
        return Err(differ(with, without));
    }
}

/// One file has a document where the next one of the other comes later, if at all.
fn differ((file, begin): (&Path, Begin), (other, next): (&Path, Option<Begin>)) -> Error {
    let (place, sentence) = (format!("{}:{}", file.display(), begin.line), begin.row + 1);
    let other = other.display();
    let next = match next {
        Some(next) => format!("the next one in {other} is at {other}:{}", next.line),
        None => format!("{other} has no more"),
    };
    Error::Mismatch {
        reason: format!("{place}: a document begins with sentence {sentence}, but {next}"),
        hint: Some(
            "--unit document compares systems on the same documents only; --unit sentence needs none"
                .to_owned(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(first: &[(usize, u64)], second: &[(usize, u64)]) -> Option<String> {
        let of = |begins: &[(usize, u64)]| -> Vec<Begin> {
            begins.iter().map(|&(row, line)| Begin { row, line }).collect()
        };
        let (first, second) = (of(first), of(second));
        same(["a".as_ref(), "b".as_ref()], [&first, &second], 6).err().map(|e| e.to_string())
    }

    #[test]
    fn the_first_document_that_differs_is_named() {
        let all = [(0, 1), (2, 9), (4, 17)];
        assert_eq!(said(&all, &all), None);
        // The first one and empty ones may be said or not.
        assert_eq!(said(&all, &[(2, 7), (2, 8), (4, 15), (6, 20)]), None);
        let later = [(0, 1), (3, 13), (4, 17)];
        let named = "a:9: a document begins with sentence 3, but the next one in b is at b:13";
        assert_eq!(said(&all, &later).as_deref(), Some(named));
        let turned = "b:9: a document begins with sentence 3, but the next one in a is at a:13";
        assert_eq!(said(&later, &all).as_deref(), Some(turned));
        let more = "a:17: a document begins with sentence 5, but b has no more";
        assert_eq!(said(&all, &all[..2]).as_deref(), Some(more));
        let more = "b:17: a document begins with sentence 5, but a has no more";
        assert_eq!(said(&all[..2], &all).as_deref(), Some(more));
    }
}
