//! Answers that both readings read alike: an object or dict from types to lists of strings.

use super::quoted::{Place, expect, is_at_end, quoted};
use super::scanner::Scanner;
use super::types::Types;
use super::{Listed, Stop};
use crate::lenient::WRAPPERS;

/// Reads an answer. What is read is the same in both readings, but that the strict one does not know
/// answers that are cut, of which the lenient one reads what is there.
pub(super) fn answer<P: Place>(
    scanner: &mut Scanner<'_>,
    types: &mut Types,
    listed: &mut Listed,
) -> Result<(), Stop> {
    let mut inside = *scanner;
    let read = whole::<P>(&mut inside, types, listed);
    let start = scanner.at();
    *scanner = inside;
    match read {
        Err(Stop::Unusual) => return read,
        // A key alone is cut before there is anything to read.
        Err(Stop::Cut) if listed.types.is_empty() => return Err(Stop::Unusual),
        _ => {}
    }
    // Thoughts are dropped, and a lone wrapper is opened.
    let wrapper = || match &listed.types[..] {
        [lone] => WRAPPERS.contains(&types.name(*lone)),
        _ => false,
    };
    let thought = memchr::memchr(b'<', scanner.between(start, scanner.at()).as_bytes()).is_some();
    if thought || wrapper() { Err(Stop::Unusual) } else { read }
}

#[inline(always)]
fn whole<P: Place>(
    scanner: &mut Scanner<'_>,
    types: &mut Types,
    listed: &mut Listed,
) -> Result<(), Stop> {
    scanner.skip_spaces();
    // Without a brace there is no answer, cut or not.
    expect::<P>(scanner, b'{').map_err(|_| Stop::Unusual)?;
    if scanner.peek() != Some(b'}') {
        loop {
            let name = quoted::<P>(scanner, listed)?;
            let colon = expect::<P>(scanner, b':').and_then(|()| expect::<P>(scanner, b'['));
            colon.inspect_err(|_| listed.unpaired = true)?;
            let number = types.number(name, || scanner.between(name.start, name.end));
            if !listed.declare(number)? {
                return Err(Stop::Unusual);
            }
            list::<P>(scanner, number, listed)?;
            if !scanner.take(b',') {
                break;
            }
            scanner.skip_spaces();
        }
    }
    expect::<P>(scanner, b'}')?;
    match P::CAN_BE_CUT && !is_at_end::<P>(scanner) {
        true => Err(Stop::Unusual),
        false => Ok(()),
    }
}

/// The inside of a list, its closing bracket and the space behind it.
#[inline(always)]
pub(super) fn list<P: Place>(
    scanner: &mut Scanner<'_>,
    entity_type: u32,
    listed: &mut Listed,
) -> Result<(), Stop> {
    if scanner.peek() != Some(b']') {
        loop {
            let text = quoted::<P>(scanner, listed)?;
            listed.push(entity_type, text)?;
            if !scanner.take(b',') {
                break;
            }
            scanner.skip_spaces();
        }
    }
    expect::<P>(scanner, b']')
}
