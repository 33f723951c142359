//! [`Alignment`]: what was counted of a file and what was left out, to hold two files against each
//! other.

/// The sentences, or answers, of a file in their order.
#[derive(Clone, Debug)]
pub(crate) struct Alignment<S> {
    /// How many were counted.
    counted: usize,
    /// What each of these says that another file must say, too; empty where nothing must.
    said: Vec<S>,
    /// Of each that was left out, how many were counted before it.
    left_out: Vec<usize>,
}

/// One of them: its row, or nothing if it was left out.
type Place = Option<usize>;

impl<S> Default for Alignment<S> {
    fn default() -> Self {
        Self::of(0, Vec::new(), Vec::new())
    }
}

impl<S> Alignment<S> {
    /// So many, what they say, and how many were counted before each that was left out.
    pub(crate) fn of(counted: usize, said: Vec<S>, left_out: Vec<usize>) -> Self {
        Self { counted, said, left_out }
    }

    /// One more, which says this.
    pub(crate) fn push(&mut self, said: S) {
        self.said.push(said);
        self.counted += 1;
    }

    /// One that is left out.
    pub(crate) fn leave_out(&mut self) {
        self.left_out.push(self.counted);
    }

    /// Those that come next.
    pub(crate) fn append(&mut self, next: Self) {
        self.left_out.extend(next.left_out.iter().map(|before| self.counted + before));
        self.said.extend(next.said);
        self.counted += next.counted;
    }

    /// How many were left out.
    pub(crate) fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// The rows of each file that the other one has left out. Others must say the same.
    ///
    /// # Errors
    /// One, by its place from 0, is not the same in both.
    pub(crate) fn rows_of_one(
        &self,
        other: &Self,
        same: impl Fn(Option<&S>, Option<&S>) -> bool,
    ) -> Result<[Vec<usize>; 2], usize> {
        let mut found = [Vec::new(), Vec::new()];
        let (mut first, mut second) = (self.iter(), other.iter());
        for place in 0.. {
            match (first.next(), second.next()) {
                (None, None) => break,
                (None, _) | (_, None) => return Err(place),
                (Some(Some(row)), Some(None)) => found[0].push(row),
                (Some(None), Some(Some(row))) => found[1].push(row),
                (Some(None), Some(None)) => {}
                (Some(Some(row)), Some(Some(of_other))) => {
                    if !same(self.said.get(row), other.said.get(of_other)) {
                        return Err(place);
                    }
                }
            }
        }
        Ok(found)
    }

    fn iter(&self) -> impl Iterator<Item = Place> + '_ {
        let (mut row, mut left_out) = (0, self.left_out.iter().peekable());
        std::iter::from_fn(move || {
            if left_out.next_if(|before| **before == row).is_some() {
                return Some(None);
            }
            row += 1;
            (row <= self.counted).then(|| Some(row - 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(said: &[u64], left_out: &[usize]) -> Alignment<u64> {
        Alignment::of(said.len(), said.to_vec(), left_out.to_vec())
    }

    fn rows(first: &Alignment<u64>, second: &Alignment<u64>) -> Result<[Vec<usize>; 2], usize> {
        first.rows_of_one(second, |a, b| a == b)
    }

    #[test]
    fn rows_that_one_file_lacks_are_found() {
        // The first lacks b and e, the second b and c.
        let first = file(&[1, 3, 4], &[1, 3]);
        let second = file(&[1, 4, 5], &[1, 1]);
        assert_eq!(rows(&first, &second), Ok([vec![1], vec![2]]));
        assert_eq!(rows(&second, &first), Ok([vec![2], vec![1]]));
        assert_eq!(rows(&first, &file(&[1, 3, 9], &[1, 3])), Err(3));
        assert_eq!(rows(&first, &file(&[1, 3, 4], &[1])), Err(4));
        assert_eq!(rows(&file(&[], &[]), &file(&[], &[0])), Err(0));
    }

    #[test]
    fn parts_are_put_together() {
        let mut all = file(&[1], &[1]);
        all.append(file(&[2, 3], &[0, 2]));
        assert_eq!((all.counted, &*all.said, &*all.left_out), (3, &[1, 2, 3][..], &[1, 1, 3][..]));
        assert_eq!(all.left_out(), 3);
        let mut one_by_one = file(&[], &[]);
        for said in [Some(1), None, None, Some(2), Some(3), None] {
            match said {
                Some(said) => one_by_one.push(said),
                None => one_by_one.leave_out(),
            }
        }
        assert_eq!(rows(&one_by_one, &all), Ok([vec![], vec![]]));
    }
}
