//! [`ByType`]: the counts of each unit and entity type.

use chunkeval_core::{Average, AverageScores, Beta, ChunkCounts, RowCounts, ZeroDivision};

use super::Totals;
use crate::{Error, Result, Units};

/// The chunk counts of each unit, over all types and of each: for macro and weighted averages, and
/// for many scores at once.
///
/// ```
/// use chunkeval_core::{Average, ChunkEvaluator, RowCounts, TagBatch};
/// use chunkeval_stats::{ByType, Resampling, TypeSums};
///
/// let metric = ChunkEvaluator::new(["O", "B-PER", "B-LOC"])?;
/// let mut rows = RowCounts::new(&metric);
/// rows.push(&metric, TagBatch::new(&[1, 2, 1, 2], &[1, 1, 1, 2], &[1, 2, 3, 4])?)?;
///
/// let macro_f1 = |sums: &TypeSums| sums.average(Average::Macro).map(|scores| scores.f_score);
/// let interval = Resampling::new(1000).interval(&ByType::of(&rows)?, macro_f1)?;
/// assert_eq!(interval.point, (4.0 / 5.0 + 2.0 / 3.0) / 2.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ByType {
    totals: Totals,
    types: Vec<String>,
    columns: Vec<Column>,
}

/// One type: the units in which it occurs, in order.
type Column = Vec<Cell>;

/// A type in a unit.
#[derive(Clone, Copy, Debug)]
struct Cell {
    unit: u32,
    gold: u32,
    predicted: u32,
    correct: u32,
}

/// Chunk counts over all types and of each.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TypeSums {
    /// Over all types.
    pub total: ChunkCounts,
    /// Of each type, in the order of [`ByType::types`].
    pub per_type: Vec<ChunkCounts>,
}

impl ByType {
    /// The counts of rows or documents.
    ///
    /// # Errors
    /// There are more than 2³² units, or one has more than 2³² chunks.
    pub fn of(rows: &RowCounts) -> Result<Self> {
        let most = u32::MAX as usize;
        if rows.len() > most {
            return Err(Error::TooManyUnits { found: rows.len(), most });
        }
        let totals = Totals::of(rows)?;
        // There may be millions: no memory is taken that is not needed.
        let mut lengths = vec![0; rows.types().len()];
        for (index, _) in (0..rows.len()).flat_map(|row| rows.row(row)) {
            if let Some(length) = lengths.get_mut(index) {
                *length += 1;
            }
        }
        let mut columns: Vec<Column> = lengths.into_iter().map(Column::with_capacity).collect();
        for (row, unit) in (0..rows.len()).zip(0..) {
            for (index, ChunkCounts { gold, predicted, correct }) in rows.row(row) {
                let narrow = |n| u32::try_from(n).map_err(|_| Error::TooManyChunks { unit: row });
                let (gold, predicted, correct) =
                    (narrow(gold)?, narrow(predicted)?, narrow(correct)?);
                if let Some(column) = columns.get_mut(index) {
                    column.push(Cell { unit, gold, predicted, correct });
                }
            }
        }
        Ok(Self { totals, types: rows.types().to_vec(), columns })
    }

    /// The entity types, sorted by code point.
    #[must_use]
    pub fn types(&self) -> &[String] {
        &self.types
    }
}

impl TypeSums {
    /// An average over the types, by seqeval's rules with 0 for what cannot be divided; `None` if
    /// no type has a chunk, and for weighted averages if none has a gold one.
    #[must_use]
    pub fn average(&self, average: Average) -> Option<AverageScores> {
        let counted = |c: &ChunkCounts| match average {
            Average::Weighted => c.gold > 0,
            _ => c.gold > 0 || c.predicted > 0,
        };
        let defined = self.per_type.iter().any(counted);
        let types = self.per_type.iter().copied();
        defined.then(|| average.over(types, Beta::ONE, ZeroDivision::Zero))
    }
}

impl Cell {
    fn add(&self, times: u32, sum: &mut ChunkCounts) {
        let product = |n: u32| u64::from(times) * u64::from(n);
        // At most 2³² units of less than 2³² chunks each: the sum fits 64 bits.
        sum.gold = sum.gold.wrapping_add(product(self.gold));
        sum.predicted = sum.predicted.wrapping_add(product(self.predicted));
        sum.correct = sum.correct.wrapping_add(product(self.correct));
    }
}

impl Units for ByType {
    type Sum = TypeSums;

    fn len(&self) -> usize {
        self.totals.len()
    }

    fn zero(&self) -> TypeSums {
        let per_type = vec![ChunkCounts::default(); self.types.len()];
        TypeSums { total: ChunkCounts::default(), per_type }
    }

    fn add(&self, unit: usize, times: u32, sum: &mut TypeSums) -> Result<()> {
        self.totals.add(unit, times, &mut sum.total)?;
        for (column, sum) in self.columns.iter().zip(&mut sum.per_type) {
            let found = column.binary_search_by_key(&unit, |cell| cell.unit as usize);
            if let Some(cell) = found.ok().and_then(|at| column.get(at)) {
                cell.add(times, sum);
            }
        }
        Ok(())
    }

    fn add_all(&self, times: &[u32], sum: &mut TypeSums) -> Result<()> {
        self.totals.add_all(times, &mut sum.total)?;
        for (column, sum) in self.columns.iter().zip(&mut sum.per_type) {
            let mut of_type = *sum;
            for cell in column {
                let times = times.get(cell.unit as usize).copied().unwrap_or_default();
                cell.add(times, &mut of_type);
            }
            *sum = of_type;
        }
        Ok(())
    }

    fn check_pair(&self, other: &Self) -> Result<()> {
        if self.types != other.types {
            let (first, second) = (self.types.clone(), other.types.clone());
            return Err(Error::TypesDiffer { first, second });
        }
        self.totals.check_pair(&other.totals)
    }
}
