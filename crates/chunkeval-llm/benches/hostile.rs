//! Texts that would make a careless reader quadratic, at 64 kB and 1 MB, and records that would do the
//! same to the counting, of 4,000 and 64,000 entities: the time for each byte must not grow. Prints
//! milliseconds of CPU time, and whether one of them is too long.

use std::hint::black_box;
use std::time::Duration;

use chunkeval_core::Mergeable;
use chunkeval_llm::{
    AnswerReading, Entities, ExtractionEvaluator, Matching, Record, RecordBatch, near_matches,
};

#[path = "hostile/clock.rs"]
mod clock;
use clock::now;

/// What is repeated.
const UNITS: &[&str] = &[
    "don't ",
    "\"a ",
    " 'b",
    "x\"x",
    "[\"a",
    "“好",
    "[",
    "{",
    "(",
    "\"",
    "'",
    "“",
    "\\",
    "{\"a\":",
    "[\"",
    "{\"a\": [\"",
    "[]",
    "[] x ",
    "{}, ",
    "{a:[1}\"",
    "{},\"",
    "{},\"a",
    "{\"a\":[1},\"b ",
    "]",
    "\"a\" ",
    "\"a\" b ",
    "[\"a\" b], ",
    "a], \"b ",
    "a \"b\"\" ",
    "“a",
    "\\n ",
    ": ",
    "<think",
    "</thinking>",
    "\"a\" b, 'c' ",
    "' ",
    "a: ",
    "=",
    ",",
    "#",
    "/*",
    "/* ",
    "//",
    "```",
    "```\n",
    "```\n{",
    "x ```json\n",
    "~~~\n[]\n",
    "<think>",
    "<think></think>",
    "<think>{</think>",
    "\\ud83d",
    "{\"a\": \"b\"}\n",
    "[\"a\", ",
    "1,",
    "0x1",
    "\n",
    " ",
    "\u{3000}",
    "'a'\n",
    "{'a', ",
    "{\\\"",
    "null ",
];

/// The most that a text of 1 MB may take.
const MOST: Duration = Duration::from_millis(50);

fn main() {
    let mut worst = Duration::ZERO;
    println!("{:>20} {:>9} {:>9} {:>9} {:>9}  ms", "repeated", "strict", "x16", "lenient", "x16");
    for unit in UNITS {
        for lead in ["", "{\"a\": [", "[{\"type\": \"a\", \"text\": \"", "{'a': ['"] {
            let text = |bytes: usize| lead.to_owned() + &unit.repeat(bytes / unit.len());
            let (short, long) = (text(1 << 16), text(1 << 20));
            let times = [AnswerReading::Strict, AnswerReading::Lenient]
                .map(|reading| [time(reading, &short), time(reading, &long)]);
            let ms = times.as_flattened().iter().map(|t| format!("{:9.2}", t.as_secs_f64() * 1e3));
            println!(
                "{:>20} {}",
                format!("{lead}{unit}").escape_debug(),
                ms.collect::<Vec<_>>().join(" ")
            );
            worst = worst.max(times[0][1]).max(times[1][1]);
        }
    }
    let goal = if worst < MOST { "reached" } else { "missed" };
    println!("longest for 1 MB: {:.1} ms; at most {MOST:?}: {goal}", worst.as_secs_f64() * 1e3);
    counting();
}

/// The most that 64,000 entities may take.
const MOST_COUNTING: Duration = Duration::from_secs(1);

fn counting() {
    let mut worst = Duration::ZERO;
    println!("\n{:>20} {:>9} {:>9} {:>9} {:>9}  ms", "counted", "set", "x16", "grounded", "x16");
    for (name, record) in RECORDS {
        let (short, long) = (record(4_000), record(64_000));
        let times = [Matching::Set, Matching::Grounded]
            .map(|matching| [count(matching, &short), count(matching, &long)]);
        let ms = times.as_flattened().iter().map(|t| format!("{:9.2}", t.as_secs_f64() * 1e3));
        println!("{name:>20} {}", ms.collect::<Vec<_>>().join(" "));
        worst = worst.max(times[0][1]);
        // Here a text has hundreds of mentions at each byte, and each of these places is looked at.
        if name != "found, nested" {
            worst = worst.max(times[1][1]);
        }
    }
    let goal = if worst < MOST_COUNTING { "reached" } else { "missed" };
    let worst = worst.as_secs_f64() * 1e3;
    println!("longest for 64,000 entities: {worst:.1} ms; at most {MOST_COUNTING:?}: {goal}");
}

/// A record with so many entities.
type Records = [(&'static str, fn(usize) -> Record); 9];

const RECORDS: Records = [
    ("found at once", |n| record("Ada ".repeat(n), vec!["Ada".to_owned(); n])),
    ("found at the end", |n| record("x".repeat(3 * n) + "Ada", vec!["Ada".to_owned(); n])),
    ("found normalised", |n| record("Ada ".repeat(n), vec!["ADA".to_owned(); n])),
    ("half of a character", |n| record("İ".repeat(n), vec!["i".to_owned(); n])),
    ("different names", |n| {
        let names = (0..n).map(|number| format!("Ada {number}"));
        record("Ada Bo 1 ".repeat(n), names.collect())
    }),
    ("spellings of one", |n| {
        let letter = |c: char, upper| if upper { c.to_ascii_uppercase() } else { c };
        let spelled = |number: usize| {
            "abcdefghijklmnop"
                .char_indices()
                .map(|(at, c)| letter(c, number >> at & 1 == 1))
                .collect()
        };
        record("ABCDefghijklmnOP ".repeat(n / 4), (0..n).map(spelled).collect())
    }),
    ("found, nested", |n| nested(n, "")),
    ("not found, nested", |n| nested(n, "b")),
    ("types", |n| {
        let types: Vec<String> = (0..n).map(|number| format!("T{number}")).collect();
        let lists = types.iter().map(|name| format!("{name:?}: [\"a\"]"));
        let answer = format!("{{{}}}", lists.collect::<Vec<_>>().join(", "));
        let gold: Entities = types.iter().map(|name| (name, "b")).collect();
        Record::new(gold, answer).text("a b").schema(types)
    }),
];

/// Mentions of which each is the end of the next, in a text and an answer of ten times n bytes.
fn nested(n: usize, end: &str) -> Record {
    let longest = (20 * n).isqrt();
    record("a".repeat(10 * n), (1..=longest).map(|length| "a".repeat(length) + end).collect())
}

/// A text and what was found in it.
fn record(text: String, mentions: Vec<String>) -> Record {
    let answer = format!("{{\"a\": {mentions:?}}}");
    Record::new(mentions.into_iter().map(|mention| ("a", mention)).collect(), answer).text(text)
}

/// Counting, and near matches, of a record.
fn count(matching: Matching, record: &Record) -> Duration {
    let builder = ExtractionEvaluator::builder().readings([AnswerReading::Lenient]);
    let metric = builder.matching(matching).build().unwrap_or_default();
    let answer = AnswerReading::Lenient.read(&record.answer);
    shortest(|| {
        let records = std::slice::from_ref(record);
        black_box(metric.measure(RecordBatch::new(black_box(records))).is_ok());
        black_box(near_matches(record, &answer, 0.5));
    })
}

fn time(reading: AnswerReading, text: &str) -> Duration {
    shortest(|| drop(black_box(reading.read(black_box(text)))))
}

/// The shortest of five runs.
fn shortest(mut run: impl FnMut()) -> Duration {
    let mut timed = || {
        let start = now();
        run();
        now().saturating_sub(start)
    };
    (0..5).map(|_| timed()).min().unwrap_or_default()
}
