//! Goals that need no other way to compare with: the most that something may take.

use super::measured::Measured;

/// A way and its goal.
struct Limit {
    group: &'static str,
    way: &'static str,
    /// Nanoseconds for each element.
    most: f64,
}

/// 300 MB in a second.
const BYTE: f64 = 1e3 / 300.0;

const LIMITS: &[Limit] = &[
    Limit { group: "batch-64x128", way: "update", most: 0.7 },
    Limit { group: "file of bio4, bytes", way: "columns", most: BYTE },
    Limit { group: "file of iobes18, bytes", way: "columns", most: BYTE },
    Limit { group: "file of realistic-1M, bytes", way: "columns", most: BYTE },
    Limit { group: "file of uniform-1M, bytes", way: "columns", most: BYTE },
    // 0.3 s for all of them.
    Limit { group: "1,000 resamples of 10,000 rows", way: "micro F1, percentile", most: 3e8 },
];

/// What was measured of each way that has a limit, and the limit.
pub(crate) fn held_against(all: &[Measured]) -> impl Iterator<Item = (&Measured, f64)> {
    LIMITS.iter().flat_map(|limit| {
        let same = |one: &&Measured| (&*one.group, &*one.way) == (limit.group, limit.way);
        all.iter().filter(same).map(|one| (one, limit.most))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_those_of_a_way_in_its_group() {
        let measured = |group: &str, way: &str| Measured {
            group: group.into(),
            way: way.into(),
            elements: 10,
            nanoseconds: 5.0,
        };
        let all = [measured("bio4", "update"), measured("batch-64x128", "update")];
        let found: Vec<_> = held_against(&all).collect();
        assert_eq!(found, [(&all[1], 0.7)]);
    }
}
