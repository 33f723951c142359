//! A whole record: fields in some order, and what stands around them.

use chunkeval::data::Sentence;

use super::draw::Draw;
use super::person::{self, People};
use super::place::Places;
use super::street::Streets;
use super::tables::{
    ADDRESS_PREFIXES, NAME_PREFIXES, NAME_SUFFIXES, PHONE_PREFIXES, REMARKS, SEPARATORS,
};

/// Writes record after record.
pub(super) struct Writer {
    draw: Draw,
    people: People,
    places: Places,
    streets: Streets,
}

/// A piece of text with its entity type, or none for text of no field.
type Piece = (String, Option<&'static str>);

/// How one record is written throughout.
struct Habit {
    /// Between fields; empty for records without any.
    separator: String,
    /// Behind a word such as 电话; `None` for records without such words.
    colon: Option<&'static str>,
}

impl Writer {
    pub(super) fn new(draw: Draw) -> Self {
        Self { draw, people: People::new(), places: Places::new(), streets: Streets::new() }
    }

    pub(super) fn sentence(&mut self) -> Sentence {
        let mut sentence = Sentence::new();
        for (text, entity_type) in self.record() {
            for (i, character) in text.chars().enumerate() {
                let tag = match entity_type {
                    None => "O".to_owned(),
                    Some(entity_type) if i == 0 => format!("{entity_type}-B"),
                    Some(entity_type) => format!("{entity_type}-I"),
                };
                sentence.push(character.encode_utf8(&mut [0; 4]), &tag);
            }
        }
        sentence
    }

    fn record(&mut self) -> Vec<Piece> {
        let habit = self.habit();
        let mut fields = vec![self.address(&habit)];
        if self.draw.chance(95) {
            fields.push(self.name(&habit));
        }
        if self.draw.chance(93) {
            fields.push(self.phone(&habit));
        }
        for last in (1..fields.len()).rev() {
            let other = self.draw.below(last + 1);
            fields.swap(last, other);
        }
        if self.draw.chance(15) {
            let remark = self.remark();
            let place = self.draw.below(fields.len() + 1);
            fields.insert(place, vec![remark]);
        }
        let mut record = Vec::new();
        for (i, field) in fields.into_iter().enumerate() {
            if i > 0 && !habit.separator.is_empty() && self.draw.chance(92) {
                record.push((habit.separator.clone(), None));
            }
            record.extend(field);
        }
        record
    }

    fn habit(&mut self) -> Habit {
        let separator = match self.draw.below(100) {
            0..45 => String::new(),
            45..65 => " ".to_owned(),
            65..70 => "  ".to_owned(),
            _ => self.draw.word(SEPARATORS).to_owned(),
        };
        let colon = match self.draw.below(100) {
            0..70 => None,
            70..84 => Some("："),
            84..92 => Some(":"),
            92..96 => Some(" "),
            _ => Some(""),
        };
        Habit { separator, colon }
    }

    fn name(&mut self, habit: &Habit) -> Vec<Piece> {
        let mut pieces = self.prefix(habit, NAME_PREFIXES);
        let name = self.people.name(&mut self.draw);
        let plain = !name.contains(['·', '小', '老', '阿']);
        pieces.push((name, Some("P")));
        if plain && self.draw.chance(10) {
            pieces.push((self.draw.word(NAME_SUFFIXES).to_owned(), None));
        }
        pieces
    }

    fn phone(&mut self, habit: &Habit) -> Vec<Piece> {
        let mut pieces = self.prefix(habit, PHONE_PREFIXES);
        pieces.push((person::phone(&mut self.draw), Some("T")));
        if self.draw.chance(3) {
            pieces.push(("或".to_owned(), None));
            pieces.push((person::phone(&mut self.draw), Some("T")));
        }
        pieces
    }

    fn address(&mut self, habit: &Habit) -> Vec<Piece> {
        let mut pieces = self.prefix(habit, ADDRESS_PREFIXES);
        let place = self.places.draw(&mut self.draw);
        let street = self.streets.draw(&mut self.draw);
        // What of 100 records leaves the part out, and what says it twice.
        let parts = [
            (place.province, "A1", 12, 3),
            (place.city, "A2", 6, 3),
            (place.county, "A3", 10, 1),
            (street, "A4", 2, 0),
        ];
        let spaced = self.draw.chance(12);
        for (text, entity_type, missing, twice) in parts {
            if self.draw.chance(missing) {
                continue;
            }
            let times = if self.draw.chance(twice) { 2 } else { 1 };
            for _ in 0..times {
                if spaced && pieces.last().is_some_and(|(_, before)| before.is_some()) {
                    pieces.push((" ".to_owned(), None));
                }
                pieces.push((text.clone(), Some(entity_type)));
            }
        }
        pieces
    }

    fn prefix(&mut self, habit: &Habit, words: &'static str) -> Vec<Piece> {
        match habit.colon {
            Some(colon) if self.draw.chance(85) => {
                vec![(format!("{}{colon}", self.draw.word(words)), None)]
            }
            _ => Vec::new(),
        }
    }

    fn remark(&mut self) -> Piece {
        let remark = self.draw.word(REMARKS);
        let digit = |c| if c == '#' { char::from(b'0' + self.draw.below(10) as u8) } else { c };
        (remark.chars().map(digit).collect(), None)
    }
}
