//! What only a terminal gets: colours, and a bar that shows how far reading is.
#![cfg(target_os = "linux")]

use std::process::Command;

use crate::run::{Folder, SAMPLE, skip};

/// What a shell command writes to a terminal of its own; `None` where there is no `script`.
fn on_a_terminal(command: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_chunkeval");
    let mut script = Command::new("script");
    script.args(["-qec", &command.replace("chunkeval", program), "/dev/null"]);
    script.env_remove("NO_COLOR").env("TERM", "xterm").stdin(std::process::Stdio::null());
    let Ok(output) = script.output() else {
        skip("no script");
        return None;
    };
    assert!(output.status.success(), "{command}");
    Some(String::from_utf8(output.stdout).unwrap())
}

#[test]
fn colours_are_for_terminals() {
    let folder = Folder::new();
    let file = folder.file("f.tsv", SAMPLE);
    let coloured = |command: &str| on_a_terminal(command).map(|found| found.contains("\x1b[3"));
    let Some(found) = coloured(&format!("chunkeval tags {file}")) else { return };
    assert!(found);
    for command in [
        format!("chunkeval tags {file} | cat"),
        format!("NO_COLOR=1 chunkeval tags {file}"),
        format!("chunkeval tags {file} --color never"),
        format!("chunkeval tags {file} --format json"),
    ] {
        assert_eq!(coloured(&command), Some(false), "{command}");
    }
    assert_eq!(coloured(&format!("chunkeval tags {file} --color always | cat")), Some(true));
}

#[test]
fn a_bar_shows_where_reading_takes_longer() {
    let folder = Folder::new();
    let file = folder.file("f.tsv", SAMPLE.repeat(2000));
    let pipe = |pause: &str| format!("(cat {file}; sleep {pause}; cat {file}) | chunkeval tags -");
    let Some(long) = on_a_terminal(&pipe("1")) else { return };
    // How much, at which rate; and nothing of it is left behind the result.
    let (bar, result) = long.rsplit_once("\x1b[2K").unwrap();
    assert!(bar.contains("KiB") && bar.contains("/s"), "{long:?}");
    assert!(result.contains("micro") && !result.contains("KiB"), "{long:?}");
    let short = on_a_terminal(&format!("chunkeval tags {file} 2>&1 | cat")).unwrap_or_default();
    assert!(!short.contains("KiB"), "{short:?}");
}

/// Of a file, whose size is known, the bar says besides how much there is and how long it will take.
#[test]
fn the_bar_of_a_file_shows_the_rate_and_the_time_that_is_left() {
    let folder = Folder::new();
    let text = "Ada\tB-PER\nLovelace\tI-PER\nsleeps\tO\n\n".repeat(100_000);
    let file = folder.file("gold.conll", &text);
    // The gold tags wait for predicted ones that come late, however fast the machine is.
    let half = text.len() / 2;
    let predicted = format!("(head -c {half} {file}; sleep 1; tail -c +{} {file})", half + 1);
    let command = format!("{predicted} | chunkeval tags --gold {file} --pred -");
    let Some(shown) = on_a_terminal(&command) else { return };
    let (bars, result) = shown.rsplit_once("\x1b[2K").unwrap();
    let bar = bars.split('\r').find(|line| line.contains(" left")).unwrap_or_default();
    // ███████░░░░░  2.75 MiB/3.34 MiB  2.01 MiB/s  0s left
    let words: Vec<&str> = bar.split_whitespace().collect();
    let [.., read, of, _, rate, per_second, left, _] = *words else { panic!("{shown:?}") };
    let number = |word: &str| word.parse::<f64>().unwrap_or_else(|e| panic!("{e}: {bar:?}"));
    assert!(number(read) > 0.0 && number(rate) > 0.0, "{bar:?}");
    assert!(of.ends_with("iB/3.34") && per_second.ends_with("B/s"), "{bar:?}");
    let seconds = left.strip_suffix('s').unwrap_or_default();
    assert!(!seconds.is_empty() && seconds.bytes().all(|b| b.is_ascii_digit()), "{bar:?}");
    assert!(result.contains("micro") && !result.contains("left"), "{shown:?}");
}
