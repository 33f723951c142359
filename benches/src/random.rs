//! Random rows, the same for the same seed.

use chunkeval_core::TagStyle;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::Workload;

/// How random rows are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rows {
    /// Well-formed B/I/O rows of which about 87% is `O`; the prediction is the gold row with
    /// some entities missed, cut short, of another type, or made up.
    Realistic,
    /// Every id of both sides equally likely and independent of all others.
    Uniform,
}

const TYPES: [&str; 4] = ["PER", "LOC", "ORG", "MISC"];
const OUTSIDE: i32 = 0;

/// Rows with `tokens` tokens in all, between 5 and 55 in a row (the last one may be shorter).
#[must_use]
pub fn random(name: &str, rows: Rows, tokens: usize, seed: u64) -> Workload {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let (mut gold, mut predicted) = (Vec::with_capacity(tokens), Vec::with_capacity(tokens));
    let mut ends = Vec::new();
    while gold.len() < tokens {
        let end = (gold.len() + rng.random_range(5..=55)).min(tokens);
        match rows {
            Rows::Realistic => fill_realistic(&mut rng, &mut gold, &mut predicted, end),
            Rows::Uniform => {
                let ids = 0..1 + 2 * TYPES.len() as i32;
                gold.resize_with(end, || rng.random_range(ids.clone()));
                predicted.resize_with(end, || rng.random_range(ids.clone()));
            }
        }
        ends.push(end);
    }
    let of_position = |letter| TYPES.map(|name| format!("{letter}-{name}"));
    let labels = [vec!["O".to_owned()], of_position('B').into(), of_position('I').into()].concat();
    Workload { name: name.to_owned(), labels, style: TagStyle::Prefix, gold, predicted, ends }
}

fn fill_realistic(rng: &mut impl Rng, gold: &mut Vec<i32>, predicted: &mut Vec<i32>, end: usize) {
    while gold.len() < end {
        if !rng.random_bool(0.09) {
            gold.push(OUTSIDE);
            let invented = rng.random_bool(0.005);
            predicted.push(if invented { begin(rng) } else { OUTSIDE });
            continue;
        }
        let mut length = 1;
        while rng.random_bool(0.4) {
            length += 1;
        }
        let length = length.min(end - gold.len());
        let entity_type = begin(rng);
        push_entity(gold, entity_type, length);
        match rng.random_range(0..100) {
            0..80 => push_entity(predicted, entity_type, length),
            80..88 => predicted.resize(gold.len(), OUTSIDE),
            88..94 => push_entity(predicted, begin(rng), length),
            _ => push_entity(predicted, entity_type, length - 1),
        }
        predicted.resize(gold.len(), OUTSIDE);
    }
}

/// The id of the `B` of some type.
fn begin(rng: &mut impl Rng) -> i32 {
    rng.random_range(1..=TYPES.len() as i32)
}

fn push_entity(ids: &mut Vec<i32>, begin: i32, length: usize) {
    let inside = begin + TYPES.len() as i32;
    ids.extend((0..length).map(|i| if i == 0 { begin } else { inside }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn realistic_rows_look_like_text() {
        let rows = random("r", Rows::Realistic, 100_000, 7);
        assert_eq!((rows.gold.len(), rows.predicted.len()), (100_000, 100_000));
        let outside = rows.gold.iter().filter(|&&id| id == OUTSIDE).count();
        assert!((86_000..88_000).contains(&outside), "{outside}");
        let scores = rows.counts().unwrap().scores(chunkeval_core::ZeroDivision::Zero);
        assert!((0.7..0.9).contains(&scores.f1), "{scores:?}");
    }

    #[test]
    fn a_seed_gives_the_same_rows_again() {
        let make = |seed| random("r", Rows::Uniform, 1_000, seed).gold;
        assert_eq!(make(1), make(1));
        assert_ne!(make(1), make(2));
    }
}
