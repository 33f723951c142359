//! Names and phone numbers.

use super::draw::Draw;
use super::tables::{AREA_CODES, CALLED, GIVEN, LONG_SURNAMES, OTHER_NAMES, SURNAMES};

/// The tables of names, taken apart once.
pub(super) struct People {
    surnames: Vec<char>,
    long_surnames: Vec<&'static str>,
    given: Vec<char>,
    others: Vec<&'static str>,
}

impl People {
    pub(super) fn new() -> Self {
        let characters = |table: &str| table.chars().filter(|c| !c.is_whitespace()).collect();
        Self {
            surnames: characters(SURNAMES),
            long_surnames: LONG_SURNAMES.split_whitespace().collect(),
            given: characters(GIVEN),
            others: OTHER_NAMES.split_whitespace().collect(),
        }
    }

    pub(super) fn name(&self, draw: &mut Draw) -> String {
        match draw.below(100) {
            0..3 => (*draw.entry(&self.others)).to_owned(),
            3..8 => {
                let surname = self.surname(draw);
                draw.word(CALLED).replace('_', &surname)
            }
            _ => {
                let mut name = self.surname(draw);
                for _ in 0..1 + usize::from(draw.chance(70)) {
                    name.push(*draw.entry(&self.given));
                }
                name
            }
        }
    }

    fn surname(&self, draw: &mut Draw) -> String {
        if draw.chance(3) {
            return (*draw.entry(&self.long_surnames)).to_owned();
        }
        // Of two draws the one nearer to the front: frequent surnames come more often.
        let (a, b) = (draw.entry(&self.surnames), draw.entry(&self.surnames));
        let rank = |of: &char| self.surnames.iter().position(|c| c == of);
        if rank(a) < rank(b) { *a } else { *b }.to_string()
    }
}

/// A mobile number or, now and then, a fixed line, spelled in one of the usual ways.
pub(super) fn phone(draw: &mut Draw) -> String {
    if draw.chance(10) {
        return fixed_line(draw);
    }
    let head = format!("1{}{}", 3 + draw.below(7), draw.below(10));
    let tail: String = (0..8).map(|_| char::from(b'0' + draw.below(10) as u8)).collect();
    let (middle, end) = tail.split_at(4);
    match draw.below(20) {
        0 => format!("{head} {middle} {end}"),
        1 => format!("{head}-{middle}-{end}"),
        2 => format!("+86{head}{tail}"),
        3 => format!("86-{head}{tail}"),
        _ => format!("{head}{tail}"),
    }
}

fn fixed_line(draw: &mut Draw) -> String {
    let area = draw.word(AREA_CODES);
    let length = 7 + usize::from(draw.chance(70));
    let number = draw.digits(length);
    match draw.below(5) {
        0 => format!("({area}){number}"),
        1 => format!("{area}{number}"),
        2 => format!("{area}-{number}-{}", draw.digits(3)),
        3 => format!("{area}-{number}转{}", draw.digits(4)),
        _ => format!("{area}-{number}"),
    }
}
