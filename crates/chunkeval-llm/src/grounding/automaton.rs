//! [`Automaton`]: many mentions found in one pass.

use std::collections::VecDeque;

/// What finds mentions by one pass over a text, after Aho and Corasick (1975).
///
/// Its states are the beginnings of mentions, the empty one first, shorter ones before longer ones.
/// After each byte of a text it is in the longest one that the text ends with there.
pub(super) struct Automaton {
    states: Vec<State>,
    /// The last byte of each state.
    bytes: Vec<u8>,
}

/// The beginning of a mention.
#[derive(Clone, Copy, Default)]
struct State {
    /// The states with one byte more, in the order of these bytes: the first, and that behind them.
    longer: (usize, usize),
    /// The longest end of it that is a state, too.
    end: usize,
    /// The number of the mention that it is all of.
    mention: Option<usize>,
    /// The longest end of it that is a mention; the empty state if there is none.
    inner: usize,
}

impl Automaton {
    /// For different mentions in the order of their bytes, of which none is empty.
    pub(super) fn new(mentions: &[&str]) -> Self {
        let mut made = Self { states: vec![State::default()], bytes: vec![0] };
        // The mentions that begin with each state, and its length.
        let mut beginning = VecDeque::from([(0..mentions.len(), 0)]);
        let mut at = 0;
        while let Some((mut numbers, length)) = beginning.pop_front() {
            let byte = |mention: &str| mention.as_bytes().get(length).copied();
            let mention = mentions.get(numbers.start).filter(|mention| byte(mention).is_none());
            let mention = mention.map(|_| numbers.start);
            numbers.start += usize::from(mention.is_some());
            let first = made.states.len();
            let longer = mentions.get(numbers.clone()).unwrap_or_default();
            for alike in longer.chunk_by(|a, b| byte(a) == byte(b)) {
                made.states.push(State::default());
                made.bytes.extend(alike.first().and_then(|mention| byte(mention)));
                let behind = numbers.start + alike.len();
                beginning.push_back((numbers.start..behind, length + 1));
                numbers.start = behind;
            }
            let longer = (first, made.states.len());
            made.set(at, State { longer, mention, ..State::default() });
            at += 1;
        }
        made.find_ends();
        made
    }

    /// Ends are shorter than what they are the ends of: theirs are known before.
    fn find_ends(&mut self) {
        for at in 0..self.states.len() {
            let State { longer, end, .. } = self.state(at);
            for next in longer.0..longer.1 {
                let byte = self.bytes.get(next).copied().unwrap_or_default();
                let end = if at == 0 { 0 } else { self.next(end, byte) };
                let inner =
                    if self.state(end).mention.is_some() { end } else { self.state(end).inner };
                self.set(next, State { end, inner, ..self.state(next) });
            }
        }
    }

    fn state(&self, at: usize) -> State {
        self.states.get(at).copied().unwrap_or_default()
    }

    fn set(&mut self, at: usize, to: State) {
        if let Some(state) = self.states.get_mut(at) {
            *state = to;
        }
    }

    /// The state behind one more byte.
    fn next(&self, mut at: usize, byte: u8) -> usize {
        loop {
            let State { longer: (first, behind), end, .. } = self.state(at);
            let bytes = self.bytes.get(first..behind).unwrap_or_default();
            match bytes.binary_search(&byte) {
                Ok(number) => return first + number,
                Err(_) if at == 0 => return 0,
                Err(_) => at = end,
            }
        }
    }

    /// The states after each byte of a text.
    fn walk(&self, text: &str) -> impl Iterator<Item = usize> {
        text.bytes().scan(0, |at, byte| {
            *at = self.next(*at, byte);
            Some(*at)
        })
    }

    /// Calls `each` with the number of every mention that the text has.
    pub(super) fn present(&self, text: &str, mut each: impl FnMut(usize)) {
        let mut seen = vec![false; self.states.len()];
        for mut at in self.walk(text) {
            // What ends in a state is looked at once.
            while let Some(seen) = seen.get_mut(at).filter(|seen| !**seen) {
                *seen = true;
                self.state(at).mention.into_iter().for_each(&mut each);
                at = self.state(at).inner;
            }
        }
    }

    /// Calls `each` with the number of a mention and the offset behind it, for all its places from
    /// left to right.
    pub(super) fn places(&self, text: &str, mut each: impl FnMut(usize, usize)) {
        for (mut at, end) in self.walk(text).zip(1..) {
            while at != 0 {
                self.state(at).mention.into_iter().for_each(|mention| each(mention, end));
                at = self.state(at).inner;
            }
        }
    }
}
