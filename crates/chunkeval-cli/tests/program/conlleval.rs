//! `--report conlleval`: what conlleval.pl prints for the same file, which it reads as one row.

use chunkeval_report::Conlleval;

use crate::run::{Folder, chunkeval, piped};

fn report(text: &str) -> String {
    piped(&["tags", "-", "--report", "conlleval"], text.as_bytes()).ok()
}

/// As our own script does, which golden vectors hold against conlleval.pl.
fn script(text: &str) -> String {
    String::from_utf8(Conlleval::default().run(text.as_bytes()).unwrap()).unwrap()
}

#[test]
fn tags_without_a_type_are_the_same_to_the_script() {
    for pair in ["B-0 B", "B B-0", "B- B-0", "B-0 B-"] {
        let found = report(&format!("w {pair}\nw O O\n"));
        assert!(
            found.starts_with("processed 2 tokens with 1 phrases; found: 1 phrases; correct: 1")
        );
        assert!(found.contains("\naccuracy: 100.00%; precision: 100.00%;"), "{pair}: {found}");
    }
    let text = "w S -0\nw -0 -\nw B-00 B-0\n";
    assert_eq!(report(text), script(text));
    // Suffixes, which the script does not know, are read in the same way.
    let args = ["tags", "-", "--report", "conlleval", "--suffix"];
    let found = piped(&args, b"w 0-B -B\nw O O\n").ok();
    assert!(found.contains("accuracy: 100.00%; precision: 100.00%;"), "{found}");
    // Nothing else is the same as another tag.
    let strict = ["tags", "-", "--mode", "conlleval", "--format", "json"];
    let found = piped(&strict, b"w B-0 B-1\nw O O\n").json();
    assert_eq!(found["token_accuracy"], 0.5);
}

/// To the script a blank line is one more `O`; a match of letters it does not know outlives that.
#[test]
fn a_match_that_outlives_a_blank_line_is_the_scripts() {
    let dropped = "w3 E-- B-Ω\nw4 S-0 S-0\n\nw0 I-- B-0\n";
    let found = report(dropped);
    assert!(found.contains("found: 3 phrases; correct: 0."), "{found}");
    assert_eq!(found, script(dropped));
    // At the end of the file it counts; a blank line may end one side's chunk before.
    let ends = ["w B-X O\nw S I\n", "w O O-X\nw B S\n", "w B-X B-X\n\nw S S\n"];
    for text in ends {
        for end in ["", "\n", "\n\n"] {
            let text = format!("{text}{end}");
            assert_eq!(report(&text), script(&text), "{text:?}");
        }
    }
    assert_ne!(report("w O O-X\nw B S\n"), report("w O O-X\nw B S\n\n"));
    // States, and our own report, have rows by themselves.
    let args = ["tags", "-", "--mode", "conlleval", "--tags", "reference", "--format", "json"];
    let found = piped(&args, dropped.as_bytes()).json();
    assert_eq!(found["scores"]["averages"]["micro"]["correct"], 1);
}

/// A number of a sequence that looks like chance.
fn next(seed: &mut u64) -> usize {
    *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*seed >> 40) as usize
}

/// Sentences of any letters, some of them without an end that the script knows.
fn odd(sentences: usize, seed: &mut u64) -> String {
    const TAGS: [&str; 16] = [
        "O", "S", "S-0", "L-", "B-X", "I-X", "E-X", "E", "B", ".", ".-X", "O-X", "]-Y", "M-Ω",
        "B--", "b-X",
    ];
    let first = next(seed);
    let pool = [TAGS[first % 16], TAGS[first / 16 % 16], TAGS[first / 256 % 16]];
    let mut text = String::new();
    for _ in 0..sentences {
        for token in 0..1 + next(seed) % 4 {
            let gold = pool[next(seed) % 3];
            let guess = if next(seed) % 5 < 3 { gold } else { pool[next(seed) % 3] };
            text += &format!("w{token} {gold} {guess}\n");
        }
        text += "\n";
    }
    text.truncate(text.len() - next(seed) % 2); // with a blank line at the end, or without
    text
}

#[test]
fn odd_files_are_read_as_the_script_reads_them() {
    let mut seed = 7;
    for _ in 0..60 {
        let text = odd(6, &mut seed);
        assert_eq!(report(&text), script(&text), "{text}");
    }
}

/// Blocks of a large file are counted apart, on any number of threads.
#[test]
fn blocks_are_put_together() {
    let folder = Folder::new();
    let mut seed = 1;
    for pool in 0..4 {
        let text = odd(40_000, &mut seed);
        assert!(text.len() > 700_000);
        let (file, expected) = (folder.file(&format!("f{pool}"), &text), script(&text));
        for threads in ["1", "3"] {
            let args = ["tags", &file, "--report", "conlleval", "--threads", threads];
            assert_eq!(chunkeval(args).ok(), expected);
        }
    }
    // Nothing but O, and one match over all blocks.
    let quiet = "w O O\n\n".repeat(100_000);
    let long = format!("w B-X B-Y\nw S S\n\n{quiet}w S S\n\nw S-X S-X\n");
    let file = folder.file("long", &long);
    assert_eq!(chunkeval(["tags", &file, "--report", "conlleval"]).ok(), script(&long));
}
