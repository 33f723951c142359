//! A line of marked text.

use super::example::{Joined, Marked};
use crate::text::Text;

/// The tokens of a sentence that are shown: those near an edge of a chunk.
pub(super) struct Words<'a> {
    tokens: &'a [Text],
    joined: Joined,
    /// Which tokens are shown; the same on both sides, so that lines can be compared.
    shown: Vec<bool>,
}

/// How many tokens are shown on either side of an edge.
const AROUND: usize = 30;

/// How many lines a side has at most: deeper nested chunks would be lines that nobody reads.
pub(super) const DEEPEST: usize = 8;

/// One side of a sentence, or those of its chunks that do not overlap.
pub(super) struct Line {
    pub(super) side: &'static str,
    pub(super) pieces: Vec<Piece>,
}

/// A piece of text, marked or not.
pub(super) struct Piece {
    pub(super) text: String,
    pub(super) mark: Option<Mark>,
}

pub(super) struct Mark {
    pub(super) entity_type: Text,
    pub(super) class: &'static str,
    pub(super) sign: &'static str,
    /// What a reader who does not see colours is told.
    pub(super) word: &'static str,
}

impl<'a> Words<'a> {
    pub(super) fn new(
        tokens: &'a [Text],
        joined: Joined,
        edges: impl Iterator<Item = usize>,
    ) -> Self {
        let mut shown = vec![false; tokens.len()];
        let mut any = false;
        let mut show = |edge: usize| {
            let end = edge.saturating_add(AROUND).min(shown.len());
            if let Some(near) = shown.get_mut(edge.saturating_sub(AROUND).min(end)..end) {
                near.fill(true);
            }
        };
        for edge in edges {
            show(edge);
            any = true;
        }
        if !any {
            show(0);
        }
        Self { joined: resolve(joined, tokens), tokens, shown }
    }

    pub(super) fn is_shortened(&self) -> bool {
        self.shown.contains(&false)
    }

    /// What stands between a token and the one before it.
    fn gap(&self, index: usize) -> &'static str {
        let pair =
            index.checked_sub(1).and_then(|i| self.tokens.get(i)).zip(self.tokens.get(index));
        let Some((before, after)) = pair else { return "" };
        match self.joined {
            Joined::Closely => "",
            Joined::Spaced => " ",
            Joined::AsWritten => match before.ends_wide() || after.starts_wide() {
                true => "",
                false => " ",
            },
        }
    }

    /// The tokens of a range as a text, with dots for those that are not shown.
    fn text(&self, start: usize, end: usize) -> String {
        let mut text = String::new();
        let mut hidden = false;
        for index in start..end.min(self.tokens.len()) {
            let shown = self.shown.get(index).copied().unwrap_or_default();
            if index > start && (shown || !hidden) {
                text.push_str(self.gap(index));
            }
            match self.tokens.get(index) {
                Some(token) if shown => text.push_str(token.as_str()),
                _ if !hidden => text.push('…'),
                _ => {}
            }
            hidden = !shown;
        }
        text
    }
}

/// One way for all tokens: characters of a text with ideographs are not spaced, its digits and
/// Latin letters included.
fn resolve(joined: Joined, tokens: &[Text]) -> Joined {
    let single = |token: &Text| token.as_str().chars().nth(1).is_none();
    let written_closely = joined == Joined::AsWritten
        && tokens.iter().all(single)
        && tokens.iter().any(Text::starts_wide);
    if written_closely { Joined::Closely } else { joined }
}

impl Line {
    /// The lines of a side: one, and one more for each depth of chunks that overlap, up to
    /// [`DEEPEST`]; and how many chunks are in none of them.
    pub(super) fn of(
        side: &'static str,
        marked: &[Marked],
        words: &Words<'_>,
    ) -> (Vec<Self>, usize) {
        let mut layers: Vec<Vec<&Marked>> = vec![Vec::new()];
        let mut hidden = 0;
        for mark in marked {
            let free = |layer: &&mut Vec<&Marked>| layer.last().is_none_or(|l| l.end <= mark.start);
            let depth = layers.len();
            match layers.iter_mut().find(free) {
                Some(layer) => layer.push(mark),
                None if depth < DEEPEST => layers.push(vec![mark]),
                None => hidden += 1,
            }
        }
        let lines = layers.iter().map(|layer| Self { side, pieces: pieces(layer, words) });
        (lines.collect(), hidden)
    }
}

/// The text cut at marks that do not overlap, in order.
fn pieces(marks: &[&Marked], words: &Words<'_>) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut push = |start: usize, end: usize, mark: Option<Mark>| {
        if start < end {
            let gap = words.gap(start); // belongs to neither neighbour
            pieces.push(Piece { text: gap.to_owned(), mark: None });
            pieces.push(Piece { text: words.text(start, end), mark });
        }
    };
    let mut at = 0;
    for mark in marks {
        push(at, mark.start, None);
        push(mark.start, mark.end, Some(Mark::of(mark)));
        at = mark.end;
    }
    push(at, words.tokens.len(), None);
    pieces
}

impl Mark {
    fn of(marked: &Marked) -> Self {
        let (class, sign, word) = match marked.right {
            true => ("right", "✓", "on both sides"),
            false => ("wrong", "✗", "on one side"),
        };
        Self { entity_type: marked.entity_type.clone(), class, sign, word }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marked(start: usize, end: usize) -> Marked {
        Marked { start, end, given: "X".to_owned(), entity_type: Text::new("X"), right: true }
    }

    fn lines(text: &str, joined: Joined, marks: &[Marked]) -> Vec<String> {
        let tokens: Vec<Text> = text.split(' ').map(Text::new).collect();
        let edges = marks.iter().flat_map(|m| [m.start, m.end]);
        let words = Words::new(&tokens, joined, edges);
        let shown = |piece: &Piece| match piece.mark {
            Some(_) => format!("[{}]", piece.text),
            None => piece.text.clone(),
        };
        let (lines, _) = Line::of("gold", marks, &words);
        lines.iter().map(|line| line.pieces.iter().map(shown).collect()).collect()
    }

    #[test]
    fn tokens_are_joined_as_they_are_written() {
        let line = |text| lines(text, Joined::AsWritten, &[marked(1, 2)]).remove(0);
        assert_eq!(line("in New York ."), "in [New] York .");
        assert_eq!(line("在 NBA 打球"), "在[NBA]打球");
        assert_eq!(line("1 8 A 号"), "1[8]A号");
        assert_eq!(line("B X I"), "B [X] I");
        assert_eq!(lines("在 NBA", Joined::Spaced, &[]), ["在 NBA"]);
        assert_eq!(lines("N B A", Joined::Closely, &[]), ["NBA"]);
    }

    #[test]
    fn nested_chunks_have_lines_of_their_own() {
        let marks = [marked(0, 3), marked(1, 2), marked(3, 4)];
        assert_eq!(lines("a b c d", Joined::Spaced, &marks), ["[a b c] [d]", "a [b] c d"]);
        assert_eq!(lines("a b", Joined::Spaced, &[marked(1, 9), marked(5, 7)])[0], "a [b]");
    }

    #[test]
    fn chunks_that_are_nested_too_deep_are_counted() {
        let marks: Vec<Marked> = (0..DEEPEST + 3).map(|i| marked(i, 20)).collect();
        let tokens: Vec<Text> = (0..20).map(|_| Text::new("a")).collect();
        let words = Words::new(&tokens, Joined::Closely, [0, 20].into_iter());
        for (nested, expected) in [(DEEPEST - 1, 0), (DEEPEST, 0), (DEEPEST + 3, 3)] {
            let (lines, hidden) = Line::of("gold", &marks[..nested], &words);
            assert_eq!((lines.len(), hidden), (nested - expected, expected));
        }
        // What stands behind them has room again.
        let marks = [marks, vec![marked(20, 21)]].concat();
        assert_eq!(Line::of("gold", &marks, &words).1, 3);
    }

    #[test]
    fn what_is_far_from_every_chunk_is_left_out() {
        let text: Vec<String> = (0..200).map(|i| i.to_string()).collect();
        let line = lines(&text.join(" "), Joined::Spaced, &[marked(100, 101)]).remove(0);
        assert!(line.starts_with("… 70 71 ") && line.ends_with(" 129 130 …"), "{line}");
        assert!(lines(&text.join(" "), Joined::Spaced, &[])[0].ends_with(" 29 …"));
        let long = lines(&text.join(" "), Joined::Spaced, &[marked(10, 190)]).remove(0);
        assert!(long.contains(" 9 [10 ") && long.contains(" 39 … 160 "), "{long}");
    }
}
