//! Texts that would make a careless reader quadratic, at 64 kB and 1 MB: the time for each byte must
//! not grow. Prints milliseconds of CPU time for each reading, and whether one of them is too long.

use std::hint::black_box;
use std::time::Duration;

use chunkeval_llm::AnswerReading;

/// What is repeated.
const UNITS: &[&str] = &[
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
        for lead in ["", "{\"a\": [", "[{\"type\": \"a\", \"text\": \""] {
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
}

/// The shortest of five runs.
fn time(reading: AnswerReading, text: &str) -> Duration {
    let run = |_| {
        let start = now();
        black_box(reading.read(black_box(text)));
        now().saturating_sub(start)
    };
    (0..5).map(run).min().unwrap_or_default()
}

/// CPU time of this thread: other programs do not show in it.
#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}

/// Time on the wall.
#[cfg(not(unix))]
fn now() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}
