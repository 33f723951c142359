//! Gold entities of the usual forms: a list of `{entity, entity_type}`, or type → list.

use super::answer::list;
use super::quoted::{Place, Text, expect, inside, is_at_end, quoted};
use super::scanner::Scanner;
use super::types::Types;
use super::{Listed, Stop};

/// Reads gold entities. What is cut is an error, which the plain way finds and names.
pub(super) fn gold<P: Place>(
    scanner: &mut Scanner<'_>,
    types: &mut Types,
    listed: &mut Listed,
) -> Result<(), Stop> {
    let mut inside = *scanner;
    inside.skip_spaces();
    match inside.peek() {
        Some(b'[') => items::<P>(&mut inside, types, listed)?,
        Some(b'{') => lists::<P>(&mut inside, types, listed)?,
        _ => return Err(Stop::Unusual),
    }
    *scanner = inside;
    match P::CAN_BE_CUT && !is_at_end::<P>(scanner) {
        true => Err(Stop::Unusual),
        false => Ok(()),
    }
}

/// `[{"entity": "Rome", "entity_type": "LOC"}, …]`
#[inline(always)]
fn items<P: Place>(
    scanner: &mut Scanner<'_>,
    types: &mut Types,
    listed: &mut Listed,
) -> Result<(), Stop> {
    expect::<P>(scanner, b'[')?;
    if scanner.peek() != Some(b']') {
        loop {
            let mut ahead = *scanner;
            let (entity, of_type) = match usual_item::<P>(&mut ahead) {
                Some(item) => {
                    *scanner = ahead;
                    item
                }
                None => item::<P>(scanner, listed)?,
            };
            let number = types.number(of_type, || scanner.between(of_type.start, of_type.end));
            listed.declare(number)?;
            listed.push(number, entity)?;
            if !scanner.take(b',') {
                break;
            }
            scanner.skip_spaces();
        }
    }
    expect::<P>(scanner, b']')
}

/// An item as `json.dumps` writes it.
#[inline(always)]
fn usual_item<P: Place>(scanner: &mut Scanner<'_>) -> Option<(Text, Text)> {
    let [first, second] = P::ITEM;
    let entity = scanner.take_all(first).then(|| inside::<P>(scanner))?.ok()?;
    let of_type = scanner.take_all(second).then(|| inside::<P>(scanner))?.ok()?;
    scanner.take(b'}').then(|| {
        scanner.skip_spaces();
        (entity, of_type)
    })
}

/// An item with the two fields in any order and spaces anywhere.
fn item<P: Place>(scanner: &mut Scanner<'_>, listed: &mut Listed) -> Result<(Text, Text), Stop> {
    expect::<P>(scanner, b'{')?;
    let first = field::<P>(scanner, listed)?;
    expect::<P>(scanner, b',')?;
    let second = field::<P>(scanner, listed)?;
    expect::<P>(scanner, b'}')?;
    match (first, second) {
        (Field::Entity(entity), Field::Type(of_type))
        | (Field::Type(of_type), Field::Entity(entity)) => Ok((entity, of_type)),
        _ => Err(Stop::Unusual),
    }
}

/// A field of an item, and where its text stands.
enum Field {
    Entity(Text),
    Type(Text),
}

fn field<P: Place>(scanner: &mut Scanner<'_>, listed: &mut Listed) -> Result<Field, Stop> {
    let name = quoted::<P>(scanner, listed)?;
    let field = match scanner.between(name.start, name.end) {
        "entity" => Field::Entity,
        "entity_type" => Field::Type,
        _ => return Err(Stop::Unusual),
    };
    expect::<P>(scanner, b':')?;
    Ok(field(quoted::<P>(scanner, listed)?))
}

/// `{"LOC": ["Rome"], …}`
fn lists<P: Place>(
    scanner: &mut Scanner<'_>,
    types: &mut Types,
    listed: &mut Listed,
) -> Result<(), Stop> {
    expect::<P>(scanner, b'{')?;
    if scanner.peek() != Some(b'}') {
        loop {
            let name = quoted::<P>(scanner, listed)?;
            let number = types.number(name, || scanner.between(name.start, name.end));
            // Of two equal keys one would count, or none.
            if !listed.declare(number)? {
                return Err(Stop::Unusual);
            }
            expect::<P>(scanner, b':')?;
            expect::<P>(scanner, b'[')?;
            list::<P>(scanner, number, listed)?;
            if !scanner.take(b',') {
                break;
            }
            scanner.skip_spaces();
        }
    }
    expect::<P>(scanner, b'}')
}
