//! The first few things of each kind.

/// Keeps the first `limit` things of each kind; what a failed update added can be taken back.
#[derive(Clone, Debug)]
pub(super) struct Listing<T> {
    limit: usize,
    kinds: Vec<Vec<T>>,
    /// How many of each kind stay if the update fails.
    sure: Vec<usize>,
}

impl<T> Listing<T> {
    /// For kinds numbered from 0; nothing is kept until there is a limit.
    pub(super) fn new(kinds: usize) -> Self {
        Self { limit: 0, kinds: (0..kinds).map(|_| Vec::new()).collect(), sure: vec![0; kinds] }
    }

    pub(super) fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
    }

    pub(super) fn push(&mut self, kind: usize, thing: impl FnOnce() -> T) {
        if let Some(things) = self.kinds.get_mut(kind).filter(|things| things.len() < self.limit) {
            things.push(thing());
        }
    }

    /// Ends an update: what it added stays if it was successful, and is forgotten if not.
    pub(super) fn settle(&mut self, successful: bool) {
        for (things, sure) in self.kinds.iter_mut().zip(&mut self.sure) {
            if !successful {
                things.truncate(*sure);
            }
            *sure = things.len();
        }
    }

    pub(super) fn clear(&mut self) {
        self.kinds.iter_mut().for_each(Vec::clear);
        self.sure.fill(0);
    }

    /// All of them, kind by kind.
    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.kinds.iter().flatten()
    }
}
