//! Buffers that are used again in the next step.
//!
//! A training step needs some megabytes for activations. Asking the system for them anew each
//! time costs a page fault per 4 KiB, which is a tenth of the whole step.

use std::sync::{Arc, Mutex, PoisonError};

/// A shared stock of buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Pool(Arc<Mutex<Vec<Vec<f32>>>>);

impl Pool {
    /// A buffer of `length` numbers. **What they are is not specified**: write before reading.
    pub(super) fn take(&self, length: usize) -> Vec<f32> {
        let mut stock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        // The smallest that is large enough, else any: it grows.
        let best = stock
            .iter()
            .enumerate()
            .filter(|(_, buffer)| buffer.capacity() >= length)
            .min_by_key(|(_, buffer)| buffer.capacity())
            .map(|(place, _)| place);
        let mut buffer = match best {
            Some(place) => stock.swap_remove(place),
            None => stock.pop().unwrap_or_default(),
        };
        drop(stock);
        buffer.resize(length, 0.0);
        buffer
    }

    /// A buffer of `length` zeros.
    pub(super) fn zeros(&self, length: usize) -> Vec<f32> {
        let mut buffer = self.take(length);
        buffer.fill(0.0);
        buffer
    }

    /// Puts a buffer back.
    pub(super) fn give(&self, buffer: Vec<f32>) {
        let mut stock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stock.push(buffer);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_and_fit() {
        let pool = Pool::default();
        let (small, large) = (pool.take(10), pool.take(1000));
        let places = [small.as_ptr(), large.as_ptr()];
        pool.give(large);
        pool.give(vec![7.0; 10]);
        pool.give(small);
        let again = pool.take(900);
        assert_eq!(again.as_ptr(), places[1]);
        assert_eq!(pool.zeros(3), [0.0; 3]);
        assert_eq!(pool.take(2000).len(), 2000);
    }
}
