//! Texts in quotes, and the three places where lists of entities stand.

use super::scanner::Scanner;
use super::wide::{Head, WIDE};
use super::{Listed, Stop};
use crate::lenient::is_space;

/// Where a list of entities stands, which says how its quotes are written and where it ends.
pub(super) trait Place {
    /// A double quote is `\"`, and `"` ends the text.
    const IN_STRING: bool;
    /// There are single quotes, too, as in Python.
    const PYTHON: bool;
    /// The text can end before the list does.
    const CAN_BE_CUT: bool;
    /// How an item of a label usually begins, and goes on behind the entity.
    const ITEM: [&'static [u8]; 2] = [br#"{"entity": ""#, br#", "entity_type": ""#];
}

/// In a JSON string, as it is written there.
pub(super) struct InString;
/// A JSON value itself.
pub(super) struct Itself;
/// In a text that was a JSON string.
pub(super) struct Decoded;

impl Place for InString {
    const IN_STRING: bool = true;
    const PYTHON: bool = true;
    const CAN_BE_CUT: bool = true;
    const ITEM: [&'static [u8]; 2] = [br#"{\"entity\": \""#, br#", \"entity_type\": \""#];
}

impl Place for Itself {
    const IN_STRING: bool = false;
    const PYTHON: bool = false;
    const CAN_BE_CUT: bool = false;
}

impl Place for Decoded {
    const IN_STRING: bool = false;
    const PYTHON: bool = true;
    const CAN_BE_CUT: bool = true;
}

/// Where a text stands.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its first bytes.
    pub(super) head: Head,
}

impl Text {
    /// How many bytes it has.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.end - self.start
    }

    /// Whether its length and its first bytes are all that there is to tell of it.
    #[inline(always)]
    pub(super) fn is_short(&self) -> bool {
        self.len() <= WIDE
    }
}

/// Whether the text ends here.
#[inline(always)]
pub(super) fn is_at_end<P: Place>(scanner: &Scanner<'_>) -> bool {
    match P::IN_STRING {
        true => scanner.peek() == Some(b'"'),
        false => scanner.is_at_end(),
    }
}

/// What to make of a sign that is not the expected one.
#[inline(always)]
fn stop<P: Place>(scanner: &Scanner<'_>) -> Stop {
    match P::CAN_BE_CUT && is_at_end::<P>(scanner) {
        true => Stop::Cut,
        false => Stop::Unusual,
    }
}

/// Reads a sign and the space behind it.
#[inline(always)]
pub(super) fn expect<P: Place>(scanner: &mut Scanner<'_>, sign: u8) -> Result<(), Stop> {
    match scanner.take(sign) {
        true => {
            scanner.skip_spaces();
            Ok(())
        }
        false => Err(stop::<P>(scanner)),
    }
}

/// Reads a text without escapes and outer space, and the space behind it; says where the text
/// stands. Outer space is trimmed by one reading and not by the other.
#[inline(always)]
pub(super) fn quoted<P: Place>(
    scanner: &mut Scanner<'_>,
    listed: &mut Listed,
) -> Result<Text, Stop> {
    let text = if P::PYTHON && scanner.take(b'\'') {
        listed.single_quotes += 1;
        inside_single::<P>(scanner)
    } else if scanner.take_all(if P::IN_STRING { b"\\\"" } else { b"\"" }) {
        inside::<P>(scanner)
    } else {
        Err(stop::<P>(scanner))
    }?;
    scanner.skip_spaces();
    Ok(text)
}

/// The same behind the opening quote, a double one; what stands behind the text is not read.
#[inline(always)]
pub(super) fn inside<P: Place>(scanner: &mut Scanner<'_>) -> Result<Text, Stop> {
    let start = scanner.at();
    let (found, head) = scanner.find_end([b'"', b'\\']);
    let is_end = match found {
        Some(b'"') => !P::IN_STRING,
        Some(_) => P::IN_STRING && scanner.peek_second() == Some(b'"'),
        None => false,
    };
    if !is_end {
        return Err(unfinished::<P>(scanner, start));
    }
    let text = text(scanner, start, head);
    scanner.advance(if P::IN_STRING { 2 } else { 1 });
    text
}

#[inline(always)]
fn inside_single<P: Place>(scanner: &mut Scanner<'_>) -> Result<Text, Stop> {
    let start = scanner.at();
    let (found, head) = match P::IN_STRING {
        true => scanner.find_end([b'\'', b'\\', b'"']),
        false => scanner.find_end([b'\'', b'\\']),
    };
    if found != Some(b'\'') {
        return Err(unfinished::<P>(scanner, start));
    }
    let text = text(scanner, start, head);
    scanner.advance(1);
    text
}

/// The text that ends here.
#[inline(always)]
fn text(scanner: &Scanner<'_>, start: usize, head: Head) -> Result<Text, Stop> {
    let end = scanner.at();
    match end > start && is_trimmed(scanner, start, end, head) {
        true => Ok(Text { start, end, head }),
        false => Err(Stop::Unusual),
    }
}

/// A text that does not end.
#[cold]
fn unfinished<P: Place>(scanner: &Scanner<'_>, start: usize) -> Stop {
    match stop::<P>(scanner) {
        // What begins with marks of a code fence may be read as one; a byte order mark at the end is
        // dropped, which is a repair.
        Stop::Cut if scanner.between(start, scanner.at()).contains(['`', '~', '\u{feff}']) => {
            Stop::Unusual
        }
        stop => stop,
    }
}

#[inline(always)]
fn is_trimmed(scanner: &Scanner<'_>, start: usize, end: usize, head: Head) -> bool {
    let byte = |at: usize| scanner.byte(at).unwrap_or_default();
    // Neither plain ASCII nor characters that begin with these bytes, three bytes long, are space.
    let plain = |byte: u8| matches!(byte, b'!'..=b'~');
    let letter = |byte: u8| matches!(byte, 0xe4..=0xef);
    let first = head as u8;
    // All of it is looked at: texts of either kind take turns, which cannot be foreseen.
    let begins = plain(first) | letter(first);
    let third_last = byte(end.wrapping_sub(3));
    if begins & (plain(byte(end - 1)) | ((end - start >= 3) & letter(third_last))) {
        return true;
    }
    let text = scanner.between(start, end);
    !text.starts_with(is_space) && !text.ends_with(is_space)
}
