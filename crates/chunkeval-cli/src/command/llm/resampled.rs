//! What resamples of answers are of.

use chunkeval_llm::{ReadingReport, Treatment};

/// That resamples have answers, too, which the scores lack; nothing if there are none. Units stay
/// the same for all tables, so that intervals of one can be held against those of another.
pub(super) fn unread(of: &ReadingReport, treatment: Treatment) -> Option<String> {
    let (unreadable, read) = (of.answers.unreadable(), of.answers.read());
    let them = match (treatment.counts_unreadable(), unreadable) {
        (true, _) | (_, 0) => return None,
        (_, 1) => "1 that could not be read is drawn, too, and counts".to_owned(),
        (_, n) => format!("{n} that could not be read are drawn, too, and count"),
    };
    let all = unreadable.saturating_add(read);
    Some(format!("Resamples are of all {all} answers: the {them} for nothing."))
}
