//! Rows of tags that every way of counting is given.

use chunkeval_core::{
    ChunkCounts, ChunkEvaluator, ChunkEvaluatorBuilder, Metric, Mode, Result, Scheme, TagBatch,
    TagStyle,
};

/// Gold and predicted rows with their label list.
#[derive(Clone, Debug)]
pub struct Workload {
    /// What it is called in the results.
    pub name: String,
    /// The labels, in class-index order; the first one is `O`.
    pub labels: Vec<String>,
    /// Where the position stands in a label.
    pub style: TagStyle,
    /// Gold ids of all rows.
    pub gold: Vec<i32>,
    /// Predicted ids of all rows; ids outside the label list stand for `O`.
    pub predicted: Vec<i32>,
    /// Where each row ends.
    pub ends: Vec<usize>,
}

impl Workload {
    /// All rows as one batch.
    ///
    /// # Errors
    /// The slices do not fit each other.
    pub fn batch(&self) -> Result<TagBatch<'_>> {
        TagBatch::new(&self.gold, &self.predicted, &self.ends)
    }

    /// A metric for the labels.
    ///
    /// # Errors
    /// A label cannot be read.
    pub fn metric(&self) -> Result<ChunkEvaluator> {
        self.builder().build()
    }

    /// A metric for the labels, to be built in another mode.
    pub fn builder(&self) -> ChunkEvaluatorBuilder {
        ChunkEvaluator::builder(self.labels.clone()).style(self.style)
    }

    /// The strict mode of the labels: IOB2, or IOBES if they are of such a scheme.
    ///
    /// # Errors
    /// A label is of neither.
    pub fn strict(&self) -> Result<Mode> {
        let iob2 = Mode::Strict(Scheme::Iob2);
        let iobes = Mode::Strict(Scheme::Iobes);
        match self.builder().mode(iob2).build() {
            Ok(_) => Ok(iob2),
            Err(_) => self.builder().mode(iobes).build().map(|_| iobes),
        }
    }

    /// The chunks of all rows, counted by us.
    ///
    /// # Errors
    /// As for [`batch`](Self::batch) and [`metric`](Self::metric).
    pub fn counts(&self) -> Result<ChunkCounts> {
        let mut metric = self.metric()?;
        metric.update(self.batch()?)?;
        Ok(metric.accumulate().overall.counts)
    }

    /// The number of tokens of each row.
    pub fn lengths(&self) -> impl Iterator<Item = usize> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| end - start)
    }

    /// Rows of ids as rows of labels.
    #[must_use]
    pub fn strings(&self, ids: &[i32]) -> Vec<Vec<&str>> {
        let label = |&id: &i32| usize::try_from(id).ok().and_then(|id| self.labels.get(id));
        let mut ids = ids.iter();
        self.lengths()
            .map(|length| {
                ids.by_ref().take(length).map(|id| label(id).map_or("O", |l| l)).collect()
            })
            .collect()
    }
}

/// The floor: reads the same two arrays once and does next to nothing with them.
#[must_use]
pub fn xor_pass(gold: &[i32], predicted: &[i32]) -> i32 {
    gold.iter().zip(predicted).fold(0, |sum, (g, p)| sum.wrapping_add(g ^ p))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn small() -> Workload {
        Workload {
            name: "small".into(),
            labels: ["O", "B-X", "I-X"].map(String::from).to_vec(),
            style: TagStyle::Prefix,
            gold: vec![1, 2, 0, 1],
            predicted: vec![1, 2, 9, 0],
            ends: vec![3, 4],
        }
    }

    #[test]
    fn strings_are_cut_into_the_same_rows() {
        let rows = small();
        assert_eq!(rows.strings(&rows.predicted), [vec!["B-X", "I-X", "O"], vec!["O"]]);
        assert_eq!(rows.counts().unwrap(), ChunkCounts { gold: 2, predicted: 1, correct: 1 });
    }

    #[test]
    fn the_floor_reads_everything() {
        assert_eq!(xor_pass(&[1, 2, 3], &[1, 3, 1]), 1 + 2);
    }
}
