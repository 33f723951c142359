//! Time grows with the length of an answer, and not with its square. CPU time is measured, so that
//! other programs do not show, of texts 16 times as long: what is linear takes 16 times as long.

use std::hint::black_box;
use std::time::Duration;

use chunkeval_llm::{AnswerReading, Entities};

#[path = "common/clock.rs"]
mod clock;
use clock::now;

/// Far more than 16, and far less than 256, which is the square.
const MOST_TIMES: f64 = 80.0;
const SHORT: usize = 1 << 15;

/// Beginnings, and what is repeated behind them: quotes that look like the last one and are not.
const TEXTS: [(&str, &str); 10] = [
    ("{'PER': ['", "don't "),
    ("", "“"),
    ("{\"PER\": [\"", "\"a "),
    ("{\"PER\": ", "[\"a"),
    ("{'PER': ['a'", " 'b"),
    ("{\"PER\": [\"", "x\"x"),
    ("```json\n{“人”：［“", "“好"),
    ("[{\"type\": \"PER\", \"text\": \"", "a], \"b "),
    ("<think>{\"", "</think>\"["),
    ("[{'type': 'PER', 'text': '", "\\'' "),
];

/// What reads a text, and its name.
type Reader = (&'static str, fn(&str));

fn time(run: impl Fn()) -> Duration {
    let timed = || {
        let start = now();
        run();
        now().saturating_sub(start)
    };
    (0..2).map(|_| timed()).min().unwrap_or_default()
}

#[test]
fn an_answer_sixteen_times_as_long_takes_no_square_of_the_time() {
    let readers: [Reader; 3] = [
        ("lenient", |text| drop(black_box(AnswerReading::Lenient.read(text)))),
        ("strict", |text| drop(black_box(AnswerReading::Strict.read(text)))),
        ("label", |text| drop(black_box(Entities::from_label(text)))),
    ];
    for ((lead, unit), end) in TEXTS.into_iter().flat_map(|text| [(text, ""), (text, "\"]}")]) {
        let text = |bytes: usize| format!("{lead}{}{end}", unit.repeat(bytes / unit.len()));
        let (short, long) = (text(SHORT), text(16 * SHORT));
        for (reader, read) in readers {
            // What takes less than a millisecond tells nothing.
            let least = Duration::from_millis(1);
            let times = [&short, &long].map(|text| time(|| read(black_box(text))).max(least));
            let grown = times[1].div_duration_f64(times[0]);
            assert!(grown < MOST_TIMES, "{reader} {lead:?} {unit:?} {end:?}: {grown:.0} times");
        }
    }
}
