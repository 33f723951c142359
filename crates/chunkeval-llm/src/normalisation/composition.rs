//! Characters and their marks, as Unicode composes them.

use unicode_normalization::char::{
    canonical_combining_class, compose as pair, decompose_canonical,
};
use unicode_normalization::{IsNormalized, UnicodeNormalization as _, is_nfc_quick};

/// Whether a character goes together with those before it, of which `before` says the last one as
/// they are composed: a mark goes with any, a vowel of Hangul only with a consonant.
pub(super) fn joins(before: impl FnOnce() -> Option<char>, c: char) -> bool {
    if matches!(c, '\0'..='\u{2ff}' | '\u{3001}'..='\u{3029}' | '\u{4000}'..='\u{9fff}') {
        return false; // most characters of most texts
    }
    let mut first = None;
    decompose_canonical(c, |part| first = first.or(Some(part)));
    first.is_some_and(|first| {
        is_mark(first)
            || is_nfc_quick(std::iter::once(first)) == IsNormalized::Maybe
                && before().is_some_and(|before| pair(before, first).is_some())
    })
}

/// Whether a character is sure to be in NFC by itself, and folded as well: Latin ones, punctuation
/// of Chinese texts.
pub(super) fn is_composed(c: char) -> bool {
    matches!(c, '\0'..='\u{2ff}' | '\u{3000}'..='\u{3029}' | '\u{ff01}'..='\u{ff5e}')
}

/// Whether a character is put on the one before it.
pub(super) fn is_mark(c: char) -> bool {
    c > '\u{2ff}' && canonical_combining_class(c) != 0
}

/// A text in NFC.
pub(super) fn compose(text: &str) -> impl Iterator<Item = char> {
    text.nfc()
}
