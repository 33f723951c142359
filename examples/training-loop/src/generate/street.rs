//! Streets, estates and villages: the lowest part of an address.

use super::draw::Draw;
use super::tables::{ESTATES, NEARBY, ROADS, SHOPS, STREETS, TOWNS, VILLAGES};

/// The table of streets, taken apart once.
pub(super) struct Streets(Vec<&'static str>);

impl Streets {
    pub(super) fn new() -> Self {
        Self(STREETS.split_whitespace().collect())
    }

    pub(super) fn draw(&self, draw: &mut Draw) -> String {
        let mut text = String::new();
        if draw.chance(25) {
            text.push_str(&self.named(draw, TOWNS));
        }
        match draw.below(10) {
            0..2 => {
                text.push_str(&self.named(draw, VILLAGES));
                if draw.chance(70) {
                    text.push_str(&format!("{}组{}号", number(draw, 15), number(draw, 99)));
                }
            }
            2..4 => {
                text.push_str(&self.named(draw, ESTATES));
                text.push_str(&unit(draw));
            }
            4..7 => text.push_str(&self.road(draw)),
            _ => {
                text.push_str(&self.road(draw));
                text.push_str(&self.named(draw, ESTATES));
                text.push_str(&unit(draw));
            }
        }
        if draw.chance(8) {
            text.push_str(draw.word(SHOPS));
        }
        if draw.chance(8) {
            text.push_str(draw.word(NEARBY));
        }
        text
    }

    fn named(&self, draw: &mut Draw, endings: &'static str) -> String {
        let name = *draw.entry(&self.0);
        format!("{name}{}", draw.word(endings))
    }

    fn road(&self, draw: &mut Draw) -> String {
        let mut road = self.named(draw, ROADS);
        match draw.below(10) {
            0..7 => road.push_str(&format!("{}号", number(draw, 900))),
            7 => road.push_str(&format!("{}弄{}号", number(draw, 900), number(draw, 60))),
            8 => {
                let crossing = self.named(draw, ROADS);
                road.push_str(&format!("与{crossing}交叉口"));
            }
            _ => {}
        }
        road
    }
}

/// Building, staircase and door.
fn unit(draw: &mut Draw) -> String {
    let building = number(draw, 40);
    let door = 100 * (1 + draw.below(30)) + 1 + draw.below(8);
    match draw.below(6) {
        0 => format!("{building}栋{}单元{door}室", 1 + draw.below(4)),
        1 => format!("{building}号楼{door}"),
        2 => format!("{building}-{}-{door}", 1 + draw.below(4)),
        3 => format!("{}座{door}室", char::from(b'A' + draw.below(6) as u8)),
        4 => format!("{building}幢{door}"),
        _ => String::new(),
    }
}

fn number(draw: &mut Draw, most: usize) -> usize {
    1 + draw.below(most)
}
