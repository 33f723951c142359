//! [`Totals`]: three numbers for each unit.

use chunkeval_core::{ChunkCounts, RowCounts};

use crate::{Error, Result, Units};

/// The chunk counts of each unit, over all types or of one.
///
/// Their scores are micro scores: `ChunkCounts::f1` is one as it stands.
///
/// ```
/// use chunkeval_core::{ChunkCounts, ChunkEvaluator, RowCounts, TagBatch};
/// use chunkeval_stats::{Resampling, Totals};
///
/// let metric = ChunkEvaluator::new(["O", "B-PER", "B-LOC"])?;
/// let mut rows = RowCounts::new(&metric);
/// rows.push(&metric, TagBatch::new(&[1, 2, 1, 1], &[1, 1, 0, 1], &[1, 2, 3, 4])?)?;
///
/// let interval = Resampling::new(1000).interval(&Totals::of(&rows)?, ChunkCounts::f1)?;
/// assert_eq!(format!("{:.4}", interval.point), "0.5714"); // 4/7: two correct of 3 and 4 chunks
/// let persons = Totals::of_type(&rows, "PER")?;
/// assert_eq!(Resampling::new(1000).interval(&persons, ChunkCounts::recall)?.point, 2.0 / 3.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Totals {
    gold: Vec<u32>,
    predicted: Vec<u32>,
    correct: Vec<u32>,
}

impl Totals {
    /// The counts over all types.
    ///
    /// # Errors
    /// A unit has more than 2³² chunks.
    pub fn of(rows: &RowCounts) -> Result<Self> {
        Self::new((0..rows.len()).map(|row| rows.row_total(row)))
    }

    /// The counts of one entity type.
    ///
    /// # Errors
    /// The rows do not have that type.
    pub fn of_type(rows: &RowCounts, entity_type: &str) -> Result<Self> {
        let index = rows.types().iter().position(|name| name == entity_type);
        let index =
            index.ok_or_else(|| Error::UnknownType { entity_type: entity_type.to_owned() })?;
        Self::new((0..rows.len()).map(|row| {
            let found = rows.row(row).find(|&(of, _)| of == index);
            found.map_or(ChunkCounts::default(), |(_, counts)| counts)
        }))
    }

    /// Counts from anywhere.
    ///
    /// # Errors
    /// A unit has more than 2³² chunks.
    pub fn new(units: impl IntoIterator<Item = ChunkCounts>) -> Result<Self> {
        let units = units.into_iter();
        let empty = || Vec::with_capacity(units.size_hint().0);
        let mut totals = Self { gold: empty(), predicted: empty(), correct: empty() };
        for (unit, counts) in units.enumerate() {
            let narrow = |n: u64| u32::try_from(n).map_err(|_| Error::TooManyChunks { unit });
            totals.gold.push(narrow(counts.gold)?);
            totals.predicted.push(narrow(counts.predicted)?);
            totals.correct.push(narrow(counts.correct)?);
        }
        Ok(totals)
    }
}

impl Units for Totals {
    type Sum = ChunkCounts;

    fn len(&self) -> usize {
        self.gold.len()
    }

    fn zero(&self) -> ChunkCounts {
        ChunkCounts::default()
    }

    fn add(&self, unit: usize, times: u32, sum: &mut ChunkCounts) -> Result<()> {
        let of = |counts: &[u32]| {
            u64::from(times) * u64::from(counts.get(unit).copied().unwrap_or_default())
        };
        let (gold, predicted, correct) = (of(&self.gold), of(&self.predicted), of(&self.correct));
        Ok(sum.add(&ChunkCounts { gold, predicted, correct })?)
    }

    /// Three dot products, which compilers turn into vector code.
    fn add_all(&self, times: &[u32], sum: &mut ChunkCounts) -> Result<()> {
        let dot = |counts: &[u32]| {
            // At most 2³² units of less than 2³² chunks each: the sum fits 64 bits.
            let products = times.iter().zip(counts).map(|(&t, &n)| u64::from(t) * u64::from(n));
            products.fold(0, u64::wrapping_add)
        };
        let (gold, predicted, correct) =
            (dot(&self.gold), dot(&self.predicted), dot(&self.correct));
        Ok(sum.add(&ChunkCounts { gold, predicted, correct })?)
    }

    fn check_pair(&self, other: &Self) -> Result<()> {
        let (first, second) = (self.len(), other.len());
        if first != second {
            return Err(Error::UnitCount { first, second });
        }
        let mut gold = self.gold.iter().zip(&other.gold).enumerate();
        match gold.find(|(_, (first, second))| first != second) {
            Some((unit, (&first, &second))) => Err(Error::GoldDiffers { unit, first, second }),
            None => Ok(()),
        }
    }
}
