//! Corrections for many comparisons.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::{Error, Result};

/// How p-values are corrected when several comparisons are made at once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Correction {
    /// Each times their number: the chance of any false finding stays below the level.
    Bonferroni,
    /// The same promise at less cost (Holm 1979): never worse than Bonferroni.
    #[default]
    Holm,
    /// The share of false findings among all findings stays below the level (Benjamini and
    /// Hochberg 1995), if the comparisons are independent or depend on each other positively.
    BenjaminiHochberg,
    /// The same however they depend on each other (Benjamini and Yekutieli 2001).
    BenjaminiYekutieli,
}

impl Correction {
    /// All corrections.
    pub const ALL: [Self; 4] =
        [Self::Bonferroni, Self::Holm, Self::BenjaminiHochberg, Self::BenjaminiYekutieli];

    /// The corrected p-values, in the order of the given ones.
    ///
    /// ```
    /// use chunkeval_stats::Correction;
    ///
    /// let p_values = [0.25, 0.0, 0.125];
    /// assert_eq!(Correction::Holm.adjust(&p_values)?, [0.25, 0.0, 0.25]);
    /// assert_eq!(Correction::Bonferroni.adjust(&p_values)?, [0.75, 0.0, 0.375]);
    /// assert_eq!(Correction::BenjaminiHochberg.adjust(&p_values)?, [0.25, 0.0, 0.1875]);
    /// # Ok::<(), chunkeval_stats::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value is no probability.
    pub fn adjust(self, p_values: &[f64]) -> Result<Vec<f64>> {
        if let Some((index, &value)) =
            p_values.iter().enumerate().find(|(_, p)| !(0.0..=1.0).contains(*p))
        {
            return Err(Error::Value { index, value, expected: "probability" });
        }
        let count = p_values.len() as f64;
        let harmonic: f64 = (1..=p_values.len()).map(|rank| 1.0 / rank as f64).sum();
        let mut ranked: Vec<(usize, f64)> = p_values.iter().copied().enumerate().collect();
        ranked.sort_by(|a, b| a.1.total_cmp(&b.1));
        // Each times its factor; then none below those before it (Holm), or above those after it.
        for (rank, (_, p)) in (1..).map(f64::from).zip(&mut ranked) {
            *p *= match self {
                Self::Bonferroni => count,
                Self::Holm => count - rank + 1.0,
                Self::BenjaminiHochberg => count / rank,
                Self::BenjaminiYekutieli => count * harmonic / rank,
            };
        }
        match self {
            Self::Bonferroni => {}
            Self::Holm => running(ranked.iter_mut(), f64::max),
            _ => running(ranked.iter_mut().rev(), f64::min),
        }
        let mut adjusted = vec![0.0; p_values.len()];
        for (index, p) in ranked {
            if let Some(slot) = adjusted.get_mut(index) {
                *slot = p.min(1.0);
            }
        }
        Ok(adjusted)
    }
}

/// Replaces each value by the greatest, or least, up to it.
fn running<'p>(
    p_values: impl Iterator<Item = &'p mut (usize, f64)>,
    pick: impl Fn(f64, f64) -> f64,
) {
    let mut so_far: Option<f64> = None;
    for (_, p) in p_values {
        *p = so_far.map_or(*p, |before| pick(before, *p));
        so_far = Some(*p);
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Bonferroni => "Bonferroni",
            Self::Holm => "Holm",
            Self::BenjaminiHochberg => "Benjamini-Hochberg",
            Self::BenjaminiYekutieli => "Benjamini-Yekutieli",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_is_no_probability_is_refused() {
        for p in [-0.1, 1.1, f64::NAN] {
            let error = Correction::Holm.adjust(&[0.5, p]).unwrap_err();
            assert!(matches!(error, Error::Value { index: 1, .. }));
        }
        assert!(Correction::Holm.adjust(&[]).unwrap().is_empty());
    }

    proptest! {
        #[test]
        fn corrections_are_ordered(p_values in prop::collection::vec(0.0..=1.0f64, 1..20)) {
            let [bonferroni, holm, bh, by] = Correction::ALL.map(|c| c.adjust(&p_values).unwrap());
            for i in 0..p_values.len() {
                prop_assert!(p_values[i] <= bh[i] && bh[i] <= by[i]);
                prop_assert!(bh[i] <= holm[i] + 1e-12 && holm[i] <= bonferroni[i]);
                for j in 0..p_values.len() {
                    prop_assert!(p_values[i] > p_values[j] || holm[i] <= holm[j] && bh[i] <= bh[j]);
                }
            }
        }
    }
}
