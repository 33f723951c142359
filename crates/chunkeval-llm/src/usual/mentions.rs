//! Whether mentions stand in a text.

use memchr::memmem;

use super::listed::{Entity, Listed};
use super::wide::{Head, WIDE, Wide};
use crate::Normalisation;
use crate::grounding::Searched;

/// Places looked at together.
const MANY: usize = 64;

/// Longer texts and mentions are searched in another way, which prepares for each mention.
const LONGEST_TEXT: usize = 512;
const LONGEST_MENTION: usize = 64;

/// How many entities of an answer to a line do not stand in a text.
pub(super) fn invented(text: Place<'_>, answer: &Listed, line: &str) -> u64 {
    let mut searched = None;
    let mut stands = |entity: &Entity| {
        let bytes = answer.bytes(entity, line);
        if text.has(bytes, entity.text.head) {
            return true;
        }
        let mention = answer.text(entity, line);
        if lacks_chinese(text, mention) || lacks(text.text(), mention) {
            return false;
        }
        let text = text.text();
        searched.get_or_insert_with(|| Searched::new(text, Normalisation::ALL)).has(mention)
    };
    answer.entities.iter().filter(|entity| !stands(entity)).count() as u64
}

/// A text at the beginning of a longer one, which spares a look at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place<'l> {
    from: &'l str,
    length: usize,
}

impl<'l> Place<'l> {
    /// So many bytes at the beginning.
    pub(super) fn new(from: &'l str, length: usize) -> Self {
        Self { from, length }
    }

    fn text(&self) -> &'l str {
        self.from.get(..self.length).unwrap_or(self.from)
    }

    /// Whether a mention stands here, given its head, too.
    #[inline(always)]
    fn has(&self, mention: &[u8], head: Head) -> bool {
        match self.has_short(mention, head) {
            Some(has) => has,
            None => memmem::find(self.text().as_bytes(), mention).is_some(),
        }
    }

    /// The same; nothing where the line ends soon, or there is much to search.
    #[inline(always)]
    fn has_short(&self, mention: &[u8], head: Head) -> Option<bool> {
        if self.length > LONGEST_TEXT || mention.len() > LONGEST_MENTION {
            return None;
        }
        let (first, last) = (mention.first()?, mention.last()?);
        let places = (self.length + 1).saturating_sub(mention.len());
        let mut starts = self.from.as_bytes();
        for piece in (0..places).step_by(MANY) {
            let (begin, end) = (starts.first_chunk()?, starts.get(mention.len() - 1..)?);
            let end = end.first_chunk()?;
            let mut some = many(begin, *first) & many(end, *last);
            while some != 0 {
                let at = some.trailing_zeros() as usize;
                let rest = starts.get(at..).unwrap_or_default();
                if piece + at < places
                    && Wide::of(rest).head(mention.len()) == head
                    && (mention.len() <= WIDE || rest.starts_with(mention))
                {
                    return Some(true);
                }
                some &= some - 1;
            }
            starts = starts.get(MANY..)?;
        }
        Some(false)
    }
}

/// A bit for each byte that is this one.
#[inline(always)]
fn many(bytes: &[u8; MANY], byte: u8) -> u64 {
    let wides = bytes.as_chunks().0.iter().zip((0..).step_by(WIDE));
    wides.fold(0, |found, (wide, at)| found | u64::from(Wide::new(*wide).equal(byte)) << at)
}

/// Whether a mention that begins with a Chinese character, and does not stand in a text as it is, stands
/// there in no other way: normalised, such characters are as they are, and of a text without
/// compatibility characters nothing else becomes one.
fn lacks_chinese(text: Place<'_>, mention: &str) -> bool {
    let Some(first) = mention.get(..3).filter(|first| is_chinese(first)) else { return false };
    let first = first.as_bytes();
    let is_whole = || is_chinese(mention) && !text.text().contains(char::is_whitespace);
    // White space goes away from between Chinese characters.
    (!text.has(first, Wide::of(first).head(first.len())) || is_whole())
        && !has_compatibility(text.text())
}

/// Whether characters of a text may be from U+F900 to U+FAFF or from U+2F800 to U+2FA1F, which become
/// Chinese ones, as their first bytes tell.
fn has_compatibility(text: &str) -> bool {
    let begins = |bytes: &[u8]| matches!(bytes, [0xef, 0xa4..=0xab] | [0xf0, 0xaf]);
    text.as_bytes().windows(2).fold(false, |has, bytes| has | begins(bytes))
}

/// Whether a text has nothing that could be normalised to the first character of a mention: only
/// of ASCII letters and digits, and of usual Chinese texts, is it known.
fn lacks(text: &str, mention: &str) -> bool {
    let Some(first) = mention.bytes().next().filter(u8::is_ascii_alphanumeric) else {
        return false;
    };
    text.chars().all(|c| match c {
        '\0'..='\x7f' => !(c as u8).eq_ignore_ascii_case(&first),
        // Chinese characters and punctuation, some of it as wide as these, become no letters.
        '\u{3000}'..='\u{3002}' | '\u{4000}'..='\u{9fff}' | '\u{ff01}'..='\u{ff0f}' => true,
        _ => false,
    })
}

/// Whether all characters are from U+4000 to U+9FFF, as their first bytes tell.
fn is_chinese(text: &str) -> bool {
    text.len().is_multiple_of(3)
        && text.as_bytes().chunks_exact(3).all(|c| matches!(c, [0xe4..=0xe9, ..]))
}

#[cfg(test)]
mod tests {
    use super::super::quoted::Text;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn mentions_stand_where_the_plain_way_finds_them(
            text in "[a-bekAＡ\u{212a}\u{3000} 一丁豈\u{f900}丽\u{2f800}，\u{e9}\u{301}]{0,12}|[ab一]{120,400}",
            behind in "[a-b一\u{301}]{0,20}",
            mention in "[a-bekAＡ\u{212a}\u{3000} 一丁豈\u{f900}丽\u{2f800}，\u{e9}\u{301}]{1,3}|[ab一]{5,20}",
        ) {
            let plain = Searched::new(&text, Normalisation::ALL).has(&mention);
            let head = Wide::of(mention.as_bytes()).head(mention.len());
            let mut answer = Listed::default();
            answer.push(0, Text { start: 0, end: mention.len(), head }).unwrap();
            let line = format!("{text}{behind}");
            let found = invented(Place::new(&line, text.len()), &answer, &mention);
            prop_assert_eq!(found, u64::from(!plain));
        }
    }
}
