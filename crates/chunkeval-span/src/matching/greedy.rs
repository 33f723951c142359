//! nervaluate's rule, quirks included.

use super::Piece;
use super::align::Alignment;
use crate::Schema;

/// A gold span without length, by its index: nervaluate divides by zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct EmptyGold {
    pub(crate) index: usize,
}

/// Pairs predictions in the order given, as nervaluate 1.2.1 does.
pub(super) fn align(
    schema: Schema,
    min_overlap_percentage: f64,
    gold: &[Piece],
    predicted: &[Piece],
) -> Result<Alignment, EmptyGold> {
    let mut alignment = Alignment::new(gold.len(), predicted.len());
    for (at, prediction) in predicted.iter().enumerate() {
        let mut equal = None;
        let mut closest: Option<(u128, usize)> = None;
        let mut first_other = None;
        for (partner, piece) in gold.iter().enumerate().filter(|&(at, _)| alignment.is_free(at)) {
            // Strict and exact never ask whether equal spans overlap.
            let found = match schema {
                Schema::Strict => piece.equals(prediction),
                Schema::Exact => piece.covers_the_same(prediction),
                Schema::Partial | Schema::EntType => false,
            };
            if found {
                equal = Some(partner);
                break;
            }
            if percentage(piece, prediction)? < min_overlap_percentage {
                continue;
            }
            match schema {
                Schema::Partial if piece.covers_the_same(prediction) => {
                    equal = Some(partner);
                    break;
                }
                Schema::EntType if piece.kind == prediction.kind => {
                    let distance = distance(piece, prediction);
                    if closest.is_none_or(|(least, _)| distance < least) {
                        closest = Some((distance, partner));
                    }
                }
                _ => {
                    first_other.get_or_insert(partner);
                }
            }
        }
        let partner = equal.or(closest.map(|(_, partner)| partner)).or(first_other);
        if let Some(partner) = partner {
            alignment.pair(partner, at);
        }
    }
    Ok(alignment)
}

/// Common positions in percent of the gold span. Reversed spans, which nervaluate takes, may give
/// a share as well.
fn percentage(gold: &Piece, predicted: &Piece) -> Result<f64, EmptyGold> {
    let last = |piece: &Piece| piece.end.saturating_sub(1);
    if predicted.start > last(gold) || last(predicted) < gold.start {
        return Ok(0.0);
    }
    let (from, to) = (gold.start.max(predicted.start), gold.end.min(predicted.end));
    let (common, of) =
        (i128::from(to) - i128::from(from), i128::from(gold.end) - i128::from(gold.start));
    if of == 0 {
        return Err(EmptyGold { index: gold.index });
    }
    // This order of operations gives nervaluate's last bits.
    Ok(common as f64 / of as f64 * 100.0)
}

fn distance(gold: &Piece, predicted: &Piece) -> u128 {
    u128::from(gold.start.abs_diff(predicted.start)) + u128::from(gold.end.abs_diff(predicted.end))
}
