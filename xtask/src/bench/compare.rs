//! Our way beside another in the same group, and the goals.

use super::measured::Measured;

/// Two ways that are compared wherever a group has both.
pub(crate) struct Comparison {
    pub(crate) ours: &'static str,
    pub(crate) other: &'static str,
    pub(crate) goal: Goal,
}

/// What we aim at.
#[derive(Clone, Copy)]
pub(crate) enum Goal {
    /// Our time is at most so many times the other's, where there is too much for a cache.
    LargeAtMost(f64),
    /// The same, however much there is.
    AtMost(f64),
    /// The other's time is at least so many times ours.
    AtLeast(f64),
    /// Our time is at most the other's.
    NotSlower,
}

pub(crate) const COMPARISONS: &[Comparison] = &[
    Comparison { ours: "update", other: "xor", goal: Goal::LargeAtMost(1.5) },
    Comparison { ours: "strict", other: "update", goal: Goal::AtMost(1.5) },
    Comparison { ours: "conlleval", other: "update", goal: Goal::AtMost(1.5) },
    Comparison { ours: "update", other: "rusev", goal: Goal::AtLeast(50.0) },
    Comparison { ours: "batches_of_32", other: "python", goal: Goal::AtLeast(3_000.0) },
    Comparison { ours: "strings", other: "seqeval", goal: Goal::AtLeast(100.0) },
    Comparison { ours: "llm --strict", other: "published loop", goal: Goal::AtLeast(100.0) },
    Comparison { ours: "llm", other: "published loop", goal: Goal::AtLeast(100.0) },
    Comparison {
        ours: "counts: CandleTags",
        other: "counts: argmax + to_vec2 + IdRows",
        goal: Goal::NotSlower,
    },
    Comparison {
        ours: "counts: TchTags",
        other: "counts: argmax + Vec + IdRows",
        goal: Goal::AtLeast(5.0),
    },
    Comparison {
        ours: "chunkeval/drained",
        other: "tensorboard-rs/drained",
        goal: Goal::NotSlower,
    },
];

/// No cache of a usual machine holds as many tokens.
const LARGE: u64 = 10_000_000;

/// A comparison in one group.
pub(crate) struct Compared<'a> {
    pub(crate) ours: &'a Measured,
    pub(crate) other: &'a Measured,
    /// "ours / other" or "other / ours", as the goal puts it.
    pub(crate) ratio: f64,
    /// The goal in words, and whether it was reached; none where it does not apply.
    pub(crate) goal: Option<(String, bool)>,
}

impl Comparison {
    pub(crate) fn in_groups<'a>(&'a self, all: &'a [Measured]) -> Vec<Compared<'a>> {
        let way = |way| all.iter().filter(move |measured| measured.way == way);
        way(self.ours)
            .filter_map(|ours| {
                let other = way(self.other).find(|other| other.group == ours.group)?;
                Some(self.compare(ours, other))
            })
            .collect()
    }

    fn compare<'a>(&self, ours: &'a Measured, other: &'a Measured) -> Compared<'a> {
        let slower = ours.per_element() / other.per_element();
        let (ratio, goal) = match self.goal {
            Goal::LargeAtMost(_) if ours.elements < LARGE => (slower, None),
            Goal::LargeAtMost(most) | Goal::AtMost(most) => {
                (slower, Some((format!("at most {most}"), slower <= most)))
            }
            Goal::AtLeast(least) => {
                (1.0 / slower, Some((format!("at least {least}"), 1.0 / slower >= least)))
            }
            Goal::NotSlower => (1.0 / slower, Some(("at least 1".to_owned(), slower <= 1.0))),
        };
        Compared { ours, other, ratio, goal }
    }

    /// How the ratio is formed.
    pub(crate) fn title(&self) -> String {
        match self.goal {
            Goal::LargeAtMost(_) | Goal::AtMost(_) => format!("`{}` / `{}`", self.ours, self.other),
            Goal::AtLeast(_) | Goal::NotSlower => format!("`{}` / `{}`", self.other, self.ours),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(way: &str, elements: u64, nanoseconds: f64) -> Measured {
        Measured { group: "g".into(), way: way.into(), elements, nanoseconds }
    }

    #[test]
    fn ratios_are_per_element_and_within_a_group() {
        let mut all = vec![measured("update", 20_000_000, 2e7), measured("xor", 20_000_000, 1e7)];
        let compared = COMPARISONS[0].in_groups(&all);
        assert_eq!(compared[0].ratio, 2.0);
        assert_eq!(compared[0].goal, Some(("at most 1.5".to_owned(), false)));

        all.push(measured("rusev", 10, 1_000.0));
        let rusev = COMPARISONS.iter().find(|c| c.other == "rusev").unwrap();
        let compared = rusev.in_groups(&all);
        assert_eq!(compared[0].ratio, 100.0);
        assert_eq!(compared[0].goal, Some(("at least 50".to_owned(), true)));

        all[2].group = "another".into();
        assert!(rusev.in_groups(&all).is_empty());

        all.push(measured("strict", 10, 15.0));
        all.push(measured("update", 10, 10.0));
        all[4].group = "h".into();
        all[3].group = "h".into();
        let strict = COMPARISONS.iter().find(|c| c.ours == "strict").unwrap();
        let compared = strict.in_groups(&all);
        assert_eq!(compared[0].goal, Some(("at most 1.5".to_owned(), true)));
    }
}
