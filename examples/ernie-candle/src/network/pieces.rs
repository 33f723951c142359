//! Which pieces of a batch stand for words.

use candle_core::{Device, Result, Tensor};
use training_candle::embed::Lookup;

use crate::inputs::Window;

/// The labels of the words of a sentence; with those of special tokens around them, if they count.
pub(super) fn gold(labels: &[u32], framing: Option<u32>) -> Vec<u32> {
    framing.into_iter().chain(labels.iter().copied()).chain(framing).collect()
}

/// The label of each piece of windows, filled up to a width: that of its word on the first piece,
/// `ignore` elsewhere.
pub(super) fn piece_labels(
    windows: &[&Window],
    width: usize,
    gold: impl Fn(&Window) -> Vec<u32>,
    ignore: i64,
) -> Vec<i64> {
    let mut labels = vec![ignore; windows.len() * width];
    for (row, window) in windows.iter().enumerate() {
        let gold = gold(window);
        for (column, word) in window.first_pieces() {
            labels[row * width + column] = i64::from(gold[word as usize]);
        }
    }
    labels
}

/// The first pieces of the words of windows, side by side.
#[derive(Debug)]
pub(super) struct FirstPieces {
    /// The columns of each window.
    columns: Vec<Vec<usize>>,
    lengths: Vec<usize>,
}

impl FirstPieces {
    pub(super) fn new(windows: &[&Window]) -> Self {
        let columns: Vec<Vec<usize>> = windows
            .iter()
            .map(|window| window.first_pieces().map(|(column, _)| column).collect())
            .collect();
        Self { lengths: columns.iter().map(Vec::len).collect(), columns }
    }

    /// How many words each window has.
    pub(super) fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// The most words of a window.
    pub(super) fn width(&self) -> usize {
        self.lengths.iter().copied().max().unwrap_or(0)
    }

    /// Out of scores of pieces `[B, T, C]` those of words, `[B, width, C]`; what stands behind the
    /// last word of a window has no meaning.
    pub(super) fn select(&self, logits: &Tensor) -> Result<Tensor> {
        let (rows, pieces, labels) = logits.dims3()?;
        let width = self.width();
        let mut places = Vec::with_capacity(rows * width);
        for (row, columns) in self.columns.iter().enumerate() {
            let place = |column: usize| (row * pieces + column) as u32;
            places.extend(columns.iter().copied().map(place));
            places.resize((row + 1) * width, place(0));
        }
        logits.reshape((rows * pieces, labels))?.apply_op1(Lookup::new(places, rows, width))
    }

    /// The labels of the words `[B, width]`, 0 behind the last one.
    pub(super) fn labels(
        &self,
        windows: &[&Window],
        gold: impl Fn(&Window) -> Vec<u32>,
    ) -> Result<Tensor> {
        let width = self.width();
        let mut labels = Vec::with_capacity(windows.len() * width);
        for (row, window) in windows.iter().enumerate() {
            let gold = gold(window);
            labels.extend(window.first_pieces().map(|(_, word)| gold[word as usize]));
            labels.resize((row + 1) * width, 0);
        }
        Tensor::from_vec(labels, (windows.len(), width), &Device::Cpu)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(words: &[Option<u32>]) -> Window {
        Window { sentence: 0, ids: vec![0; words.len()], words: words.to_vec() }
    }

    #[test]
    fn labels_and_scores_of_first_pieces() {
        let long = window(&[None, Some(0), Some(0), Some(1), Some(3), None]);
        let short = window(&[None, Some(2), None]);
        let windows = [&long, &short];
        let gold = |_: &Window| gold(&[7, 8, 9, 5], None);
        let i = -100;
        let expected = [i, 7, i, 8, 5, i, i, 9, i, i, i, i];
        assert_eq!(piece_labels(&windows, 6, gold, i), expected);

        let first = FirstPieces::new(&windows);
        assert_eq!((first.lengths(), first.width()), (&[3, 1][..], 3));
        let labels = first.labels(&windows, gold).unwrap();
        assert_eq!(labels.to_vec2::<u32>().unwrap(), [[7, 8, 5], [9, 0, 0]]);
        let logits = Tensor::arange(0f32, 12.0, &Device::Cpu).unwrap().reshape((2, 6, 1)).unwrap();
        let scores = first.select(&logits).unwrap().squeeze(2).unwrap();
        assert_eq!(scores.to_vec2::<f32>().unwrap(), [[1.0, 3.0, 4.0], [7.0, 6.0, 6.0]]);
    }

    #[test]
    fn special_tokens_have_labels_of_their_own() {
        assert_eq!(gold(&[1, 2], Some(9)), [9, 1, 2, 9]);
        let framed = window(&[Some(0), Some(1), Some(2), Some(3)]);
        let labels = piece_labels(&[&framed], 4, |_| gold(&[1, 2], Some(9)), -100);
        assert_eq!(labels, [9, 1, 2, 9]);
    }
}
