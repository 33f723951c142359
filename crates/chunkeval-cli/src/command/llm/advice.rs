//! Which of the numbers to report.

use chunkeval_llm::{AnswerReading, ExtractionReport, Treatment};

/// Where it is explained.
const GUIDE: &str = "why, and what the others hide: chunkeval guide llm";

/// A line about the score to report, which may stand among these tables or not; none where nothing
/// was scored.
pub(super) fn advice(
    report: &ExtractionReport,
    treatments: &[Treatment],
    digits: u16,
) -> Option<String> {
    let all = report.records.records;
    let lenient = report.readings.iter().find(|of| of.reading == AnswerReading::Lenient);
    let shown = lenient.filter(|_| treatments.contains(&Treatment::CountAsEmpty));
    let text = match shown {
        _ if all == 0 => return None,
        Some(of) => {
            let of_all = &of.count_as_empty.overall;
            let (p, r, f1) = (of_all.precision, of_all.recall, of_all.f1);
            let unreadable = of.answers.unreadable();
            let digits = usize::from(digits);
            format!(
                "Report micro F1 {f1:.digits$} (P {p:.digits$}, R {r:.digits$}; lenient reading, {unreadable} of \
                 {all} unreadable, counted as empty), and its signature"
            )
        }
        None => "These scores are for comparison with published ones. The score to report is that \
                 of the lenient reading with unreadable answers counted as empty (without --strict \
                 and --on-unreadable skip)"
            .to_owned(),
    };
    Some(format!("{text}; {GUIDE}."))
}
