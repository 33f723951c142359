//! Whether mentions stand in a text.

use crate::Normalisation;
use crate::grounding::Searched;

/// Longer texts and mentions are searched in the plain way, which prepares for each mention.
const LONGEST_TEXT: usize = 512;
const LONGEST_MENTION: usize = 64;

/// How many mentions do not stand in a text.
pub(super) fn invented<'m>(text: &str, mentions: impl Iterator<Item = &'m str>) -> u64 {
    let mut searched = None;
    let mut may_change = None;
    let mut stands = |mention: &str| {
        if stands_exactly(text, mention) {
            return true;
        }
        // Normalised Chinese characters are as they are, and of a text without space and
        // compatibility characters nothing else becomes one.
        if is_chinese(mention) && !*may_change.get_or_insert_with(|| text.contains(becomes_chinese))
        {
            return false;
        }
        searched.get_or_insert_with(|| Searched::new(text, Normalisation::ALL)).has(mention)
    };
    mentions.filter(|mention| !stands(mention)).count() as u64
}

/// Whether a short text has a short mention; if not, nothing is said of longer ones.
#[inline(always)]
fn stands_exactly(text: &str, mention: &str) -> bool {
    let (text, mention) = (text.as_bytes(), mention.as_bytes());
    let (Some(first), Some(last)) = (mention.first(), mention.last()) else { return false };
    // The last byte of a character tells more than the first.
    let Some(ends) = text.get(mention.len() - 1..) else { return false };
    text.len() <= LONGEST_TEXT
        && mention.len() <= LONGEST_MENTION
        && memchr::memchr_iter(*last, ends).any(|at| {
            text.get(at) == Some(first) && text.get(at..at + mention.len()) == Some(mention)
        })
}

/// Whether a character goes away from between Chinese ones, or becomes one.
fn becomes_chinese(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Whether all characters are from U+4000 to U+9FFF, as their first bytes tell.
fn is_chinese(text: &str) -> bool {
    text.len().is_multiple_of(3)
        && text.as_bytes().chunks_exact(3).all(|c| matches!(c, [0xe4..=0xe9, ..]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mentions_stand_where_the_plain_way_finds_them(
            text in "[a-beAＡ\u{3000} 一丁豈\u{f900}，\u{e9}\u{301}]{0,12}",
            mention in "[a-beAＡ\u{3000} 一丁豈\u{f900}，\u{e9}\u{301}]{1,3}",
        ) {
            let plain = Searched::new(&text, Normalisation::ALL).has(&mention);
            prop_assert_eq!(invented(&text, [&*mention].into_iter()), u64::from(!plain));
        }
    }
}
