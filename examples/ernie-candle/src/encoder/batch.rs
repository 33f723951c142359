//! Sentences as ids.

/// A batch of sentences, one behind the other without padding, so that each costs its own tokens
/// only, however long the others are.
///
/// ```
/// use ernie_candle::encoder::Batch;
///
/// let mut batch = Batch::default();
/// batch.push(&[101, 7, 8, 102]);
/// batch.push(&[101, 9, 102]);
/// assert_eq!((batch.rows(), batch.width(), batch.tokens()), (2, 4, 7));
/// assert_eq!(batch.lengths(), [4, 3]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    ids: Vec<u32>,
    types: Vec<u32>,
    tasks: Vec<u32>,
    lengths: Vec<usize>,
}

impl Batch {
    /// Adds a sentence, `[CLS]` and `[SEP]` included, of token type 0 and task type 0.
    pub fn push(&mut self, ids: &[u32]) {
        self.ids.extend_from_slice(ids);
        self.types.resize(self.ids.len(), 0);
        self.tasks.resize(self.ids.len(), 0);
        self.lengths.push(ids.len());
    }

    /// Adds a sentence of tokens, each with its id, token type and task type; encoders without
    /// task types do not read the last.
    pub fn push_typed(&mut self, tokens: impl IntoIterator<Item = [u32; 3]>) {
        let before = self.ids.len();
        for [id, token_type, task] in tokens {
            self.ids.push(id);
            self.types.push(token_type);
            self.tasks.push(task);
        }
        self.lengths.push(self.ids.len() - before);
    }

    /// Number of sentences.
    pub fn rows(&self) -> usize {
        self.lengths.len()
    }

    /// Number of tokens of each sentence.
    pub fn lengths(&self) -> &[usize] {
        &self.lengths
    }

    /// Tokens of the longest sentence.
    pub fn width(&self) -> usize {
        self.lengths.iter().copied().max().unwrap_or(0)
    }

    /// Number of all tokens.
    pub fn tokens(&self) -> usize {
        self.ids.len()
    }

    /// The ids of all tokens.
    pub(super) fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// The token type of each token.
    pub(super) fn types(&self) -> &[u32] {
        &self.types
    }

    /// The task type of each token.
    pub(super) fn tasks(&self) -> &[u32] {
        &self.tasks
    }

    /// The position of each token in its sentence.
    pub(super) fn positions(&self) -> Vec<u32> {
        self.lengths.iter().flat_map(|&length| 0..length as u32).collect()
    }

    /// Row and column of a token.
    pub(super) fn place(&self, token: usize) -> (usize, usize) {
        let mut column = token;
        for (row, &length) in self.lengths.iter().enumerate() {
            if column < length {
                return (row, column);
            }
            column -= length;
        }
        (self.rows(), column)
    }
}
