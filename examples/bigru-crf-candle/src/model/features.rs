//! Token ids of sentences to the id channels that the tagger reads.

use candle_core::{Device, Tensor};

use super::config::{Ngram, TaggerConfig};
use super::error::ModelError;

/// Stands for the places before a row's first token and behind its last.
const OUTSIDE: u64 = u64::MAX;

/// A padded batch `[B, T, F]` (`u32`) of rows of token ids: the token's own id, then one hashed
/// id for each n-gram of the configuration. Padding is 0.
///
/// ```
/// use bigru_crf_candle::model::{TaggerConfig, features};
///
/// let config = TaggerConfig::new(100, 3);
/// let batch = features::batch(&config, &[&[5, 6, 7], &[5]]).unwrap();
/// assert_eq!(batch.dims(), [2, 3, config.channels()]);
/// ```
///
/// # Errors
/// When a token id is not below the vocabulary's size: names row and column.
pub fn batch(config: &TaggerConfig, rows: &[&[u32]]) -> Result<Tensor, ModelError> {
    let width = rows.iter().map(|row| row.len()).max().unwrap_or(0);
    let channels = config.channels();
    let mut ids = vec![0u32; rows.len() * width * channels];
    for (r, row) in rows.iter().enumerate() {
        for (column, &token) in row.iter().enumerate() {
            if token as usize >= config.vocab {
                return Err(ModelError::Input(format!(
                    "row {r}, column {column}: token id {token} is not below {}",
                    config.vocab
                )));
            }
            let place = &mut ids[(r * width + column) * channels..][..channels];
            place[0] = token;
            for (id, ngram) in place[1..].iter_mut().zip(&config.ngrams) {
                *id = bucket(ngram, row, column);
            }
        }
    }
    let shape = (rows.len(), width, channels);
    Ok(Tensor::from_vec(ids, shape, &Device::Cpu)?)
}

/// The id of the window around `column`, from 1 on; 0 if the window holds an unknown token,
/// since then it cannot have been seen in training either.
fn bucket(ngram: &Ngram, row: &[u32], column: usize) -> u32 {
    let mut hash = 0u64;
    for offset in ngram.from..=ngram.to {
        let token = column.checked_add_signed(offset as isize).and_then(|place| row.get(place));
        match token {
            Some(0) => return 0,
            Some(&token) => hash = mix(hash ^ u64::from(token)),
            None => hash = mix(hash ^ OUTSIDE),
        }
    }
    1 + (hash % (ngram.buckets as u64 - 1)) as u32
}

/// A bijection of 64 bits in which each bit of the input changes half of the output (two rounds
/// of multiply and shift with odd constants).
fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    x ^ (x >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(config: &TaggerConfig, rows: &[&[u32]]) -> Vec<Vec<Vec<u32>>> {
        batch(config, rows).unwrap().to_vec3().unwrap()
    }

    fn config() -> TaggerConfig {
        let ngram = |from, to| Ngram { from, to, buckets: 1000, embedding: 4 };
        TaggerConfig { ngrams: vec![ngram(-1, 0), ngram(0, 1)], ..TaggerConfig::new(50, 3) }
    }

    #[test]
    fn same_window_same_id_and_padding_is_zero() {
        let batch = ids(&config(), &[&[7, 8, 9], &[3, 7, 8], &[7]]);
        assert_eq!(batch[0][1], [8, batch[1][2][1], batch[0][1][2]]);
        assert_ne!(batch[0][1][2], batch[1][2][2], "9 follows, or nothing");
        assert_ne!(batch[0][0][1], batch[1][1][1], "first, or behind 3");
        assert_eq!(batch[2][1], [0, 0, 0]);
    }

    #[test]
    fn a_window_with_an_unknown_token_is_unknown() {
        let batch = ids(&config(), &[&[7, 0, 9]]);
        assert_eq!(batch[0][0][2], 0);
        assert_eq!(batch[0][1], [0, 0, 0]);
        assert_eq!(batch[0][2][1], 0);
    }

    #[test]
    fn a_token_outside_the_vocabulary_names_its_place() {
        let error = batch(&config(), &[&[1], &[2, 50]]).unwrap_err().to_string();
        assert!(error.contains("row 1, column 1"), "{error}");
    }
}
