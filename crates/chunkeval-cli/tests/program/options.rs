//! Options that change what is read, and threads that change nothing.

use chunkeval_core::{ChunkEvaluator, Metric as _, TagRows};
use chunkeval_data::{ConllReader, Format};
use serde_json::Value;

use crate::html::{headings, parse};
use crate::run::{Folder, SAMPLE, chunkeval, piped};

fn micro(args: &[&str], text: &str) -> Value {
    let args = [&["tags", "-", "--format", "json"], args].concat();
    piped(&args, text.as_bytes()).json()["scores"]["averages"]["micro"].clone()
}

#[test]
fn modes_schemes_styles_and_letters() {
    assert_eq!(micro(&[], SAMPLE)["correct"], 3);
    assert_eq!(micro(&["--scheme", "IOB2"], SAMPLE)["correct"], 2); // a stray I is none
    assert_eq!(micro(&["--mode", "strict", "--scheme", "bio"], SAMPLE)["correct"], 2);
    assert_eq!(micro(&["--mode", "conlleval"], SAMPLE)["correct"], 3);
    let suffix = "Ada\tPER-B\tPER-B\n";
    assert_eq!(micro(&["--suffix"], suffix)["correct"], 1);
    let bmes = "张 B-PER B-PER\n伟 E-PER E-PER\n他 S-PER S-PER\n是 M-PER O\n";
    assert_eq!(micro(&["--letters", "bmes"], bmes)["correct"], 2);
    let odd = "a\tPERSON\tPERSON\n";
    assert_eq!(micro(&["--tags", "reference"], odd)["support"], 1);
}

#[test]
fn the_reader_of_blocks_is_that_of_chunkeval_data() {
    for (layout, text) in [
        (
            "conll:gold=-2,predicted=-1",
            "-DOCSTART- X O O\n\na NN B-X B-X\n# NN O O\n \t \nb NN O B-X",
        ),
        ("conll:gold=-2,predicted=-1,docstart=skip", "a N B-X B-X\n-DOCSTART- x\nb N I-X I-X\n"),
        ("conll:gold=-2,predicted=-1,docstart=keep", "-DOCSTART- N B-X B-X\n"),
        ("conll:gold=2,predicted=3,comments=between", "# id 1\na B-X B-X\n# O O\n\n#\nb O B-X\n"),
        ("iob2:predicted=4", "# x\n1\ta\tB-X\tO\n2\t#\tI-X\tO\n\n3\tc\tO\tB-X\n"),
        ("conlleval", "a  B-X B-X \nb  I-X I-X\n"),
        ("predictions", "\u{feff}a b\tB-X\tB-X\r\n \tI-X\tI-X\r\n\r\n\t\r\nc\tO\tB-X"),
        ("predictions", "\u{3000}\tB-X\tB-X\n\u{a0}\tI-X\tO\n"),
    ] {
        let folder = Folder::new();
        let file = folder.file("f", text);
        let fast = chunkeval(["tags", "--format", "json", "--layout", layout, &file]).json();
        let Format::Conll(layout_of_data) = layout.parse().unwrap() else { panic!("{layout}") };
        let mut rows = TagRows::default();
        for sentence in ConllReader::open(&file, &layout_of_data).unwrap() {
            let sentence = sentence.unwrap();
            let gold: Vec<&str> = sentence.gold().iter().collect();
            let predicted: Vec<&str> = sentence.predicted().unwrap().iter().collect();
            rows.push(&gold, &predicted).unwrap();
        }
        let mut metric = ChunkEvaluator::new(rows.labels()).unwrap();
        metric.update(rows.batch()).unwrap();
        let slow = metric.accumulate();
        let (micro, seen) = (&fast["scores"]["averages"]["micro"], &fast["scores"]["diagnostics"]);
        let found = ["support", "predicted", "correct"].map(|key| micro[key].as_u64().unwrap());
        let counts = slow.overall.counts;
        assert_eq!(found, [counts.gold, counts.predicted, counts.correct], "{layout} {text:?}");
        assert_eq!(
            [&seen["rows"], &seen["tokens"]],
            [slow.diagnostics.rows, slow.diagnostics.tokens]
        );
    }
}

/// More threads than a system has memory to start are not tried.
#[test]
fn a_hundred_thousand_threads_are_no_crash() {
    let folder = Folder::new();
    let file = folder.file("small.tsv", SAMPLE);
    let found = chunkeval(["tags", &file, "--threads", "100000"]);
    assert_eq!((found.code, found.err.as_str()), (0, ""));
}

/// Not by an allocation that fails, but before anything is read.
#[test]
fn more_resamples_than_can_be_kept_are_refused() {
    let none = "no such file";
    for subcommand in
        [&["tags", none][..], &["llm", none], &["compare", none, none], &["merge", none]]
    {
        let ci: &[&str] = if subcommand[0] == "compare" { &[] } else { &["--ci"] };
        let with = |n: &'static str| chunkeval([subcommand, ci, &["--resamples", n]].concat());
        for n in ["1000001", "4000000000", "4294967295"] {
            let ran = with(n);
            let told = format!(
                "error: invalid value '{n}' for '--resamples <N>': {n} is not in 1..=1000000"
            );
            assert_eq!((ran.code, ran.err.starts_with(&told)), (2, true), "{}", ran.err);
        }
        assert_eq!(with("1000000").code, 4); // the file is looked for
        let help = chunkeval([subcommand[0], "--help"]).ok();
        assert!(help.split_whitespace().any(|word| word == "1000000"), "{help}");
    }
    // Many types have many scores, which are known when the file was read.
    let folder = Folder::new();
    let lines: String = (0..50).map(|i| format!("w\tB-{i}\tB-{i}\n\n")).collect();
    let file = folder.file("many.tsv", lines);
    let ran = chunkeval(["tags", &file, "--ci", "--resamples", "1000000"]);
    assert_eq!(ran.code, 2);
    assert_eq!(
        ran.err,
        "error: 1000000 resamples of 159 scores, at most 844136 are drawn\nhint: --resamples 844136; \
         1000 are enough for intervals of two digits\n"
    );
}

/// Many blocks, labels that turn up late, and all that is kept.
#[test]
fn any_number_of_threads_gives_the_same() {
    let folder = Folder::new();
    let mut text = String::new();
    for i in 0..40_000u32 {
        let (gold, predicted) = (i * 7919 % 13, i * 104_729 % 17);
        let tag = |n: u32| match n {
            0..4 => format!("B-T{}", i / 9_000),
            4..7 => format!("I-T{}", (i + n) / 9_000),
            _ => "O".to_owned(),
        };
        text += &format!("token{i}\t{}\t{}\n", tag(gold), tag(predicted));
        if i % 11 == 3 {
            text.push('\n');
        }
    }
    let file = folder.file("large.tsv", &text);
    // The same in two files, whose blocks end elsewhere.
    let side = |column: usize, blank: &str| -> String {
        let lines = text.lines().map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            cells.get(column).map_or(blank.to_owned(), |tag| format!("{}\t{tag}\n", cells[0]))
        });
        lines.collect()
    };
    let gold = folder.file("gold.conll", side(1, "\n"));
    let predicted = folder.file("predicted.conll", side(2, "\n \n\t\n").replace('\t', "  "));
    for more in [
        &["--ci", "--resamples", "20"][..],
        &["--errors", "3"],
        &["--by", "length"],
        &["--by", "type"],
        &["--both", "--scheme", "IOB2"],
    ] {
        let run = |threads: &str| {
            let args = ["tags", &file, "--format", "json", "--threads", threads];
            chunkeval(args.iter().chain(more)).ok()
        };
        let alone = run("1");
        for threads in ["2", "3", "8"] {
            assert_eq!(run(threads), alone, "{threads} threads, {more:?}");
        }
        for threads in ["1", "2", "4"] {
            let args = ["tags", "--gold", &gold, "--pred", &predicted, "--format", "json"];
            let args = [&args[..], &["--threads", threads], more].concat();
            assert_eq!(chunkeval(args).ok(), alone, "two files, {threads} threads, {more:?}");
        }
    }
}

#[test]
fn both_readings_are_split_as_each_is_alone() {
    let folder = Folder::new();
    let file = folder.file("f", SAMPLE.repeat(50));
    for (by, name, strict_name) in
        [("length", "by_length", "by_length_IOB2"), ("type", "by_type", "by_type_IOB2")]
    {
        let split = |more: &[&str]| {
            let args = ["tags", &file, "--by", by, "--format", "json"];
            chunkeval(args.iter().chain(more)).json()
        };
        let (lenient, strict) = (split(&[]), split(&["--scheme", "IOB2"]));
        for threads in ["1", "3"] {
            let both = split(&["--both", "--scheme", "IOB2", "--threads", threads]);
            assert_eq!((&both[name], &both[strict_name]), (&lenient[name], &strict[name]));
            assert_ne!(both[name], both[strict_name]);
        }
        let args = ["tags", &file, "--both", "--scheme", "IOB2", "--by", by];
        let text = chunkeval(args).ok();
        let heading = if by == "length" { "By length of sentence" } else { "By type" };
        for reading in ["lenient", "IOB2"] {
            assert!(text.contains(&format!("\n{heading}, {reading} reading\n")), "{text}");
        }
        let html = chunkeval(args.iter().chain(&["--format", "html"])).ok();
        let titles = headings(&parse(&html)).join("|");
        let by_length = "|F1 by length of sentence, lenient reading\
                         |F1 by length of sentence, IOB2 reading";
        assert_eq!(titles.contains(by_length), by == "length", "{titles}");
        let wanted = "|Errors, lenient reading|Examples of errors, lenient reading\
                      |Errors, IOB2 reading|Examples of errors, IOB2 reading";
        assert!(titles.ends_with(wanted), "{titles}");
    }
    let errors = chunkeval(["tags", &file, "--both", "--scheme", "IOB2", "--errors", "1"]).ok();
    for reading in ["lenient", "IOB2"] {
        assert!(errors.contains(&format!("\nErrors, {reading} reading\n")), "{errors}");
        let listing = format!("\nThe first errors of each kind, {reading} reading\n");
        assert!(errors.contains(&listing), "{errors}");
    }
}

#[test]
fn options_that_do_not_go_together() {
    let message = |args: &[&str]| {
        let ran = chunkeval(["tags", "x"].iter().chain(args));
        assert_eq!(ran.code, 2, "{args:?}");
        ran.err
    };
    assert!(
        message(&["--mode", "lenient", "--scheme", "IOB2"]).contains("leave it or --mode away")
    );
    assert!(message(&["--both", "--mode", "lenient"]).contains("cannot be used with"));
    assert!(message(&["--scheme", "XYZ"]).contains("no scheme is called"));
    assert!(message(&["--report", "seqeval", "--format", "csv"]).contains("does not exist"));
    assert!(message(&["--report", "seqeval", "--ci"]).contains("our own report"));
    assert!(message(&["--errors", "1", "--mode", "conlleval"]).contains("counts no spans"));
    assert!(message(&["--letters", "bmes", "--scheme", "IOB2"]).contains("BMES is a notation"));
    assert!(message(&["--layout", "waybill"]).contains("--gold x --pred"));
    assert!(message(&["--layout", "wnut17"]).contains("no column of predicted tags"));
    assert!(message(&["--layout", "xml"]).contains("none of conll"));
    assert!(message(&["--gold", "y"]).contains("cannot be used with"));
}
