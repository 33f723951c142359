//! Cells of long texts, of which tables for people show the part that matters.

use std::ops::Range;

use chunkeval_report::Cell;

/// So many characters of a text stand on each side of what it is shown for.
const AROUND: usize = 40;

/// So many characters of an entity are shown, or of a text without one.
const MOST: usize = 80;

/// A text, shown around the first of these entities that stands in it, and else from its beginning.
pub(crate) fn around<'e>(text: &str, entities: impl IntoIterator<Item = &'e str>) -> Cell {
    let found = entities.into_iter().filter(|entity| !entity.is_empty());
    let found = found.filter_map(|entity| {
        let start = text.find(entity)?;
        Some(start..start + entity.chars().take(MOST).map(char::len_utf8).sum::<usize>())
    });
    let Range { start, end } = found.min_by_key(|place| place.start).unwrap_or(0..0);
    let before = text.get(..start).unwrap_or_default();
    let from = before.char_indices().rev().take(AROUND).last().map_or(start, |(at, _)| at);
    let after = if end == 0 { MOST } else { AROUND };
    let rest = text.get(end..).unwrap_or_default();
    let to = rest.char_indices().nth(after).map_or(text.len(), |(at, _)| end + at);
    cell(text, from..to)
}

/// An entity, or another text that is read from its beginning.
pub(crate) fn beginning(text: &str) -> Cell {
    around(text, [])
}

fn cell(text: &str, shown: Range<usize>) -> Cell {
    let mut part = line(text.get(shown.clone()).unwrap_or(text));
    if shown.start > 0 {
        part.insert(0, '…');
    }
    if shown.end < text.len() {
        part.push('…');
    }
    match part == text {
        true => Cell::Text(part),
        false => Cell::Excerpt { whole: text.to_owned(), part },
    }
}

/// The text on one line.
fn line(text: &str) -> String {
    text.replace("\r\n", " ").replace(['\n', '\r', '\t'], " ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(cell: Cell) -> String {
        match cell {
            Cell::Text(part) | Cell::Excerpt { part, .. } => part,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_long_text_is_cut_around_the_entity() {
        assert_eq!(around("Ada in Rome", ["Rome"]), Cell::text("Ada in Rome"));
        let long = format!("{}\n北京 is\r\n{}", "x".repeat(50), "é".repeat(50));
        let expected = format!("…{} 北京 is {}…", "x".repeat(39), "é".repeat(35));
        assert_eq!(shown(around(&long, ["", "Bonn", "北京"])), expected);
        assert_eq!(shown(around(&long, ["Bonn"])), shown(beginning(&long)));
        let expected = format!("{} 北京 is {}…", "x".repeat(50), "é".repeat(22));
        assert_eq!(shown(beginning(&long)), expected);
        assert!(matches!(around(&long, ["北京"]), Cell::Excerpt { whole, .. } if whole == long));
        // An entity that is a whole page is cut, too.
        assert_eq!(
            shown(around(&"y".repeat(500), ["y".repeat(300).as_str()])).chars().count(),
            121
        );
    }

    proptest! {
        #[test]
        fn what_is_shown_is_short_and_of_the_text(text in "[a-cé \\n]{0,300}", entity in "[a-c]{1,4}") {
            let part = shown(around(&text, [entity.as_str()]));
            prop_assert!(part.chars().count() <= 2 * AROUND + MOST + 2);
            let inner = part.trim_start_matches('…').trim_end_matches('…');
            prop_assert!(line(&text).contains(inner));
            prop_assert_eq!(text.contains(&entity), part.contains(&entity));
        }
    }
}
