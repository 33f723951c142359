//! The page that keeps the results.

use std::fmt::Write;

use super::compare::{COMPARISONS, Compared};
use super::limits;
use super::measured::Measured;
use super::run_facts::Facts;

pub(crate) fn markdown(facts: &Facts, measured: &[Measured]) -> String {
    let Facts { date, processor, cores, commit, rustc } = facts;
    format!(
        "# Results of the benches\n\n\
         Written by `cargo xtask bench`. All numbers are medians of one run.\n\n\
         {date}, commit {commit}, {processor} ({cores} cores), {rustc}.\n\n\
         ## Ratios\n\n{}\n\
         `update` counts all rows as one batch, `batches_of_32` 32 rows at a time, `measure` like \
         `update` into a new state, `padded` from padded 64-bit ids. `strict` (IOB2 or IOBES, as \
         the labels are) and `conlleval` are `update` in other modes, `side_by_side` is all three \
         modes in one update. `xor` is a plain pass that \
         XORs and sums the two arrays. `rusev` is crate rusev 0.4, micro scores in its lenient \
         reading. `python` is seqeval's `get_entities` on strings and set intersection in batches \
         of 32 rows, as PaddleNLP's `ChunkEvaluator.compute` does; its counts were compared with \
         ours and are equal. `strings` goes from lists of strings to a report, without a label \
         list; `seqeval` is its `classification_report` on the same lists. `columns` is \
         `chunkeval tags` on one thread, from bytes in memory; `lines` finds their line ends alone. \
         `llm` and `llm --strict` are `chunkeval llm` on a file and one thread, its start included; \
         `published loop` is the Python loop on the same file, which reads strictly and skips what \
         it cannot read; the counts are equal. These three are CPU time.\n\n\
         ## Limits\n\n{}\n\
         ## All measurements\n\n{}",
        ratios(measured),
        limited(measured),
        all(measured),
    )
}

fn ratios(measured: &[Measured]) -> String {
    let mut table = "| ratio | rows | ours, ns each | other, ns each | value | goal | |\n\
                     | --- | --- | ---: | ---: | ---: | ---: | --- |\n"
        .to_owned();
    for comparison in COMPARISONS {
        for Compared { ours, other, ratio, goal } in comparison.in_groups(measured) {
            let (goal, reached) = match goal {
                Some((goal, true)) => (goal, "reached"),
                Some((goal, false)) => (goal, "missed"),
                None => (String::new(), ""),
            };
            let (title, group) = (comparison.title(), &ours.group);
            let (ours, other) = (number(ours.per_element()), number(other.per_element()));
            let ratio = number(ratio);
            line(&mut table, &[&title, group, &ours, &other, &ratio, &goal, reached]);
        }
    }
    table
}

fn limited(measured: &[Measured]) -> String {
    let mut table =
        "| rows | way | ns each | at most | |\n| --- | --- | ---: | ---: | --- |\n".to_owned();
    for (one, most) in limits::held_against(measured) {
        let time = one.per_element();
        let reached = if time <= most { "reached" } else { "missed" };
        line(&mut table, &[&one.group, &one.way, &number(time), &number(most), reached]);
    }
    table
}

fn all(measured: &[Measured]) -> String {
    let mut table = "| rows | way | elements | ns each |\n| --- | --- | ---: | ---: |\n".to_owned();
    for one in measured {
        let (elements, time) = (one.elements.to_string(), number(one.per_element()));
        line(&mut table, &[&one.group, &one.way, &elements, &time]);
    }
    table
}

fn line(table: &mut String, cells: &[&str]) {
    let _ = writeln!(table, "| {} |", cells.join(" | "));
}

/// Three digits that matter.
fn number(value: f64) -> String {
    let decimals = (2.0 - value.abs().log10().floor()).clamp(0.0, 4.0) as usize;
    format!("{value:.decimals$}")
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn three_digits() {
        let shown = [0.856_4, 1.234, 45.67, 345.6, 3_456.7].map(number);
        assert_eq!(shown, ["0.856", "1.23", "45.7", "346", "3457"]);
    }
}
