//! [`Alignment`]: what was counted of a file and what was left out, to hold two files against each
//! other.

/// The sentences, or answers, of a file in their order.
#[derive(Clone, Debug)]
pub(crate) struct Alignment<S> {
    /// How many were counted.
    counted: usize,
    /// What each of these says that another file must say, too; empty where nothing must.
    said: Vec<S>,
    /// Those that were left out.
    left_out: Vec<LeftOut>,
}

/// One that was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LeftOut {
    /// How many were counted before it.
    pub(crate) before: usize,
    /// The line for which it was.
    pub(crate) line: u64,
}

/// One of them: its row, or the line for which it was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Row(usize),
    LeftOut(u64),
}

impl<S> Default for Alignment<S> {
    fn default() -> Self {
        Self::of(0, Vec::new(), Vec::new())
    }
}

impl<S> Alignment<S> {
    /// So many, what they say, and those that were left out.
    pub(crate) fn of(counted: usize, said: Vec<S>, left_out: Vec<LeftOut>) -> Self {
        Self { counted, said, left_out }
    }

    /// One more, which says this.
    pub(crate) fn push(&mut self, said: S) {
        self.said.push(said);
        self.counted += 1;
    }

    /// One that is left out for a line.
    pub(crate) fn leave_out(&mut self, line: u64) {
        self.left_out.push(LeftOut { before: self.counted, line });
    }

    /// Those that come next.
    pub(crate) fn append(&mut self, next: Self) {
        let counted = self.counted;
        let left_out = next.left_out.into_iter();
        self.left_out.extend(left_out.map(|one| LeftOut { before: counted + one.before, ..one }));
        self.said.extend(next.said);
        self.counted += next.counted;
    }

    /// How many were left out.
    pub(crate) fn left_out(&self) -> usize {
        self.left_out.len()
    }

    /// What the one at a place, from 0, says, or the line for which it was left out; nothing behind
    /// the last one.
    pub(crate) fn at(&self, place: usize) -> Option<Result<&S, u64>> {
        match self.iter().nth(place)? {
            Place::Row(row) => self.said.get(row).map(Ok),
            Place::LeftOut(line) => Some(Err(line)),
        }
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
                (Some(Place::Row(row)), Some(Place::LeftOut(_))) => found[0].push(row),
                (Some(Place::LeftOut(_)), Some(Place::Row(row))) => found[1].push(row),
                (Some(Place::LeftOut(_)), Some(Place::LeftOut(_))) => {}
                (Some(Place::Row(row)), Some(Place::Row(of_other))) => {
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
            if let Some(one) = left_out.next_if(|one| one.before == row) {
                return Some(Place::LeftOut(one.line));
            }
            row += 1;
            (row <= self.counted).then(|| Place::Row(row - 1))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each that is left out has a line of its own.
    fn file(said: &[u64], left_out: &[usize]) -> Alignment<u64> {
        let left_out = left_out.iter().zip(100..);
        let left_out = left_out.map(|(&before, line)| LeftOut { before, line }).collect();
        Alignment::of(said.len(), said.to_vec(), left_out)
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
        let before: Vec<usize> = all.left_out.iter().map(|one| one.before).collect();
        assert_eq!((all.counted, &*all.said, &*before), (3, &[1, 2, 3][..], &[1, 1, 3][..]));
        let at = [0, 1, 2, 3, 4, 5, 6].map(|place| all.at(place));
        let [a, b, c] = [Ok(&1), Ok(&2), Ok(&3)].map(Some);
        assert_eq!(at, [a, Some(Err(100)), Some(Err(100)), b, c, Some(Err(101)), None]);
        assert_eq!(all.left_out(), 3);
        let mut one_by_one = file(&[], &[]);
        for said in [Some(1), None, None, Some(2), Some(3), None] {
            match said {
                Some(said) => one_by_one.push(said),
                None => one_by_one.leave_out(7),
            }
        }
        assert_eq!(rows(&one_by_one, &all), Ok([vec![], vec![]]));
    }
}
