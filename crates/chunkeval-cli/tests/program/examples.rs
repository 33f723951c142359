//! The examples of every --help and of the READMEs, run by a shell.

use std::path::Path;
use std::process::Command;

use crate::run::{Folder, SAMPLE, chunkeval, ended, piped};

/// What examples of `--help` print on the files of this test, whatever the blanks between.
const NUMBERS: [(&str, &str); 12] = [
    ("chunkeval llm answers.jsonl", "Report micro F1 0.8205 (P 0.8421, R 0.8000;"),
    ("chunkeval llm plain.jsonl", "Report micro F1 0.6667 (P 1.0000, R 0.5000;"),
    ("chunkeval tags predictions.tsv", "micro 0.7500 0.6000 0.6667 5"),
    ("chunkeval merge part1.state part2.state", "micro 0.7500 0.6000 0.6667 10"),
    // 23 of 25, and 24 predicted, against 15 of 25, and 20 predicted.
    ("chunkeval compare new.tsv old.tsv", "micro f1 0.9388 0.6667 0.2721 ["),
    // 5 of 5 against 3 of 5, and 4 predicted.
    ("chunkeval compare --gold test.conll new.conll old.conll", "micro f1 1.0000 0.6667 0.3333 ["),
    ("chunkeval compare new.jsonl old.jsonl", "micro f1 1.0000 0.0000 1.0000 [1.0000, 1.0000]"),
    (
        "chunkeval gate new.json --min f1=0.9 --min PER.recall=0.8",
        "f1 0.9388 0.9000 --min passed PER.recall 0.9000 0.8000 --min passed",
    ),
    (
        "chunkeval tags out.tsv --format json | chunkeval gate - --min macro.f1=0.75",
        "macro.f1 0.9491 0.7500 --min passed",
    ),
    // Read strictly, a stray I is no chunk: 22 of 25, and 23 predicted; of answers 7 of 20, and 7.
    (
        "chunkeval tags out.tsv --scheme IOB2 --both --format json | chunkeval gate - --min IOB2.f1=0.75",
        "IOB2.f1 0.9167 0.7500 --min passed",
    ),
    (
        "chunkeval llm answers.jsonl --both --format json | chunkeval gate - --min strict.f1=0",
        "strict.f1 0.5185 0.0000 --min passed",
    ),
    // The lower end of the interval of 0.6667.
    ("chunkeval gate new.json --baseline baseline.json", "f1 0.9388 0.5453 baseline passed"),
];

#[test]
fn every_example_of_every_help_runs() {
    let mut ran = Vec::new();
    let help = chunkeval(["--help"]).ok();
    let commands = help.split("Commands:").nth(1).unwrap().lines().skip(1);
    let names: Vec<&str> = commands
        .map_while(|line| line.split_whitespace().next())
        .filter(|&name| name != "help")
        .collect();
    assert!(names.len() >= 5, "{names:?}");
    for name in names {
        let help = chunkeval([name, "--help"]).ok();
        let examples: Vec<&str> = help
            .lines()
            .map(str::trim)
            .filter(|line| line.contains("chunkeval ") && !line.starts_with('#'))
            .skip_while(|line| line.starts_with("Usage"))
            .filter(|line| line.starts_with("chunkeval ") || line.contains("| chunkeval "))
            .collect();
        assert!(!examples.is_empty(), "{name} --help has no example");
        let folder = prepared();
        for example in examples {
            if example.contains("| man ") {
                continue; // not every machine can show manual pages
            }
            let printed = runs(example, &folder);
            let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
            let numbers = NUMBERS.iter().filter(|(command, _)| *command == example);
            for (_, number) in numbers.clone() {
                assert!(printed.contains(number), "{example}: {printed}");
            }
            let saved = example.contains('>');
            let wanted = !saved && ["compare", "gate"].contains(&name);
            assert!(!wanted || numbers.count() > 0, "{example}: which numbers?");
            ran.push(example.to_owned());
        }
    }
    for (command, _) in NUMBERS {
        assert!(ran.iter().any(|example| example == command), "{command} is no example");
    }
}

/// Both READMEs: their lines for a shell, and what their tables say to run.
#[test]
fn every_command_of_the_readmes_runs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for readme in ["README.md", "README.zh-CN.md"] {
        let text = std::fs::read_to_string(root.join(readme)).unwrap();
        let folder = prepared();
        runs("chunkeval tags out.tsv --format json > result.json", &folder);
        let sample = folder.path().join("docs/sample");
        std::fs::create_dir_all(&sample).unwrap();
        for name in ["answers.jsonl", "predictions.tsv"] {
            std::fs::copy(root.join("docs/sample").join(name), sample.join(name)).unwrap();
        }
        let lines =
            text.lines().filter_map(|line| match line.split_once(" -p chunkeval-cli -- ") {
                Some((_, arguments)) => Some(format!("chunkeval {arguments}")),
                None => line.starts_with("chunkeval ").then(|| line.to_owned()),
            });
        let in_text =
            text.split('`').skip(1).step_by(2).filter(|code| code.starts_with("chunkeval "));
        let in_text = in_text.filter(|code| !code.contains('\n')).map(str::to_owned);
        let commands: Vec<String> =
            lines.filter(|line| !line.contains(" = ")).chain(in_text).collect();
        assert!(commands.len() >= 10, "{readme}: {commands:?}");
        for command in commands {
            runs(&command, &folder);
        }
    }
}

/// That a shell runs it in this folder, and that the program has nothing to complain of. What it
/// prints.
fn runs(example: &str, folder: &Folder) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_chunkeval")).parent().unwrap();
    let paths = std::env::var("PATH").unwrap();
    let mut shell = Command::new("sh");
    shell.args(["-c", example]).current_dir(folder.path()).env("HOME", folder.path());
    shell.env("PATH", format!("{}:{paths}", program.display()));
    let ran = ended(shell.output().unwrap());
    let told = ran.err.lines().find(|line| !line.starts_with("note: "));
    assert_eq!((ran.code, told), (0, None), "{example}");
    // Where scores are printed, something was found: a field that is not read has none.
    let micro = ran.out.lines().filter(|line| line.starts_with("micro "));
    let scores: Vec<&str> = micro.filter_map(|line| line.split_whitespace().nth(3)).collect();
    let found = scores.iter().any(|f1| f1.parse().is_ok_and(|f1: f64| f1 > 0.0 && f1 <= 1.0));
    assert!(scores.is_empty() || found, "{example}: {}", ran.out);
    assert!(!ran.out.contains("without a text"), "{example}: {}", ran.out);
    ran.out
}

/// The files that the examples name.
fn prepared() -> Folder {
    let folder = Folder::new();
    let gold: String = SAMPLE
        .lines()
        .map(|line| line.rsplit_once('\t').map_or("", |l| l.0).to_owned() + "\n")
        .collect();
    let predicted: String = SAMPLE
        .lines()
        .map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            cells.first().map_or("", |t| t).to_owned()
                + &cells.get(2).map_or(String::new(), |t| format!("\t{t}"))
                + "\n"
        })
        .collect();
    for name in ["test.conll", "new.conll"] {
        folder.file(name, &gold);
    }
    folder.file("out.conll", &predicted);
    let alone =
        predicted.lines().map(|line| line.rsplit_once('\t').map_or("", |l| l.1).to_owned() + "\n");
    folder.file("tags.txt", alone.collect::<String>());
    let perfect: String = SAMPLE
        .lines()
        .map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
            [token, gold, _] => format!("{token}\t{gold}\t{gold}\n"),
            _ => "\n".to_owned(),
        })
        .collect();
    for name in ["predictions.tsv", "part1.tsv", "part2.tsv", "a.tsv"] {
        folder.file(name, SAMPLE);
    }
    folder.file("b.tsv", &perfect);
    // On the same gold standard, one system better than the other.
    let many = |sentences: &str| format!("{sentences}\n").repeat(4);
    for name in ["out.tsv", "new.tsv"] {
        folder.file(name, many(&perfect) + SAMPLE);
    }
    folder.file("old.tsv", many(SAMPLE) + SAMPLE);
    let gold = r#""instruction": "{\"input\": \"Ada\"}", "label": [{"entity": "Ada", "entity_type": "PER"}]"#;
    let answer = r#""{'PER': ['Ada']}""#;
    let asked = r#"[{"role": "user", "content": "Ada"}]"#;
    let chat =
        format!(r#"[{{"from": "human", "value": "Ada"}}, {{"from": "gpt", "value": {answer}}}]"#);
    for (name, line) in [
        ("new.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada']}}"}}"#)),
        ("old.jsonl", format!(r#"{{{gold}, "output": "{{}}"}}"#)),
        ("a.jsonl", format!(r#"{{{gold}, "output": "{{}}"}}"#)),
        ("b.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada']}}"}}"#)),
        ("your-answers.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada']}}"}}"#)),
        ("answers-100.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada', 'Bo']}}"}}"#)),
        ("answers-200.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada']}}"}}"#)),
        ("part1.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada', 'Bo']}}"}}"#)),
        ("part2.jsonl", format!(r#"{{{gold}, "output": "{{'PER': ['Ada']}}"}}"#)),
        (
            "plain.jsonl",
            r#"{"text": "Ada met Bo", "gold": {"PER": ["Ada", "Bo"]}, "prediction": "{'PER': ['Ada']}"}"#
                .to_owned(),
        ),
        ("api.jsonl", format!(r#"{{{gold}, "choices": [{{"message": {{"content": {answer}}}}}]}}"#)),
        (
            "chats.jsonl",
            format!(r#"{{"gold": {{"PER": ["Ada"]}}, "messages": {asked}, "conversations": {chat}}}"#),
        ),
    ] {
        folder.file(name, format!("{line}\n{line}\n"));
    }
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/sample/answers.jsonl");
    folder.file("answers.jsonl", std::fs::read(sample).unwrap());
    let document = format!("-DOCSTART- -X- O O\n\n{SAMPLE}\n");
    folder.file("documents.tsv", document.repeat(2));
    for name in ["answers", "outputs", "predicted", "states", "test", "out"] {
        std::fs::create_dir(folder.path().join(name)).unwrap();
    }
    for (name, tags) in [("test", "B-PER O\n"), ("out", "B-PER B-PER\n")] {
        folder.file(&format!("{name}/seq.in"), "Ada sleeps\n");
        folder.file(&format!("{name}/seq.out"), tags);
    }
    folder.file("outputs/dev-100.tsv", SAMPLE);
    for step in ["100", "200"] {
        let checkpoint = format!("trainer/checkpoint-{step}");
        std::fs::create_dir_all(folder.path().join(&checkpoint)).unwrap();
        folder.file(&format!("{checkpoint}/pred.tsv"), SAMPLE);
        folder.file(&format!("{checkpoint}/config.json"), "{}");
    }
    folder.file("outputs/dev-200.tsv", &perfect);
    for (step, answer) in [(100, "{}"), (200, "{'PER': ['Ada']}")] {
        let line = format!(r#"{{{gold}, "output": "{answer}"}}"#);
        folder.file(&format!("answers/dev-{step}.jsonl"), line);
    }
    for name in ["old.conll", "predicted/100.conll", "predicted/200.conll"] {
        folder.file(name, &predicted);
    }
    folder.file("predictions.gz", crate::streams::gzip(SAMPLE.as_bytes()));
    for made in [".local/share/bash-completion/completions", ".zfunc", ".config/fish/completions"] {
        std::fs::create_dir_all(folder.path().join(made)).unwrap();
    }
    folder
}

#[test]
fn completions_and_manual_pages_name_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = chunkeval(["completions", shell]).ok();
        assert!(text.contains("save-state"), "{shell}");
        // --layout has more values than names; the names are completed.
        assert!(shell == "elvish" || shell == "powershell" || text.contains("waybill"), "{shell}");
    }
    let folder = Folder::new();
    let pages = folder.path().join("share/man/man1");
    chunkeval(["man", "--dir", pages.to_str().unwrap()]).ok();
    let page = std::fs::read_to_string(pages.join("chunkeval-tags.1")).unwrap();
    assert!(page.contains("keep\\-going"));
    assert!(chunkeval(["man"]).ok().contains("chunkeval"));
}

/// What the last line of llm says is there for everyone who reads it.
#[test]
fn the_pages_of_the_guide_are_printed() {
    let list = chunkeval(["guide"]).ok();
    assert_eq!(list.lines().count(), 4, "{list}");
    for line in list.lines() {
        let (name, title) = line.split_once("  ").unwrap();
        let page = chunkeval(["guide", name.trim()]).ok();
        assert_eq!(page.lines().next(), Some(&*format!("# {}", title.trim())));
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../chunkeval/src/guide");
        let file = std::fs::read_to_string(file.join(name.trim().to_owned() + ".md")).unwrap();
        assert_eq!(page, file);
    }
    let ran = chunkeval(["guide", "nothing"]);
    assert_eq!(ran.code, 2);
    assert!(ran.err.contains("llm, modes, papers, subwords"), "{}", ran.err);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let answers = root.join("docs/sample/answers.jsonl");
    let report = chunkeval(["llm", answers.to_str().unwrap()]).ok();
    let last = report.lines().last().unwrap();
    let named = last.split("chunkeval ").nth(1).unwrap().trim_end_matches('.');
    assert!(chunkeval(named.split(' ')).ok().contains(" report"), "{last}");
}

#[test]
fn the_exit_codes_are_told() {
    let help = chunkeval(["--help"]).ok();
    for code in ["1  a gate", "3  input", "130  stopped"] {
        assert!(help.contains(code), "{help}");
    }
    let codes = help.split("Exit codes:").nth(1).unwrap();
    let gate = chunkeval(["gate", "--help"]).ok();
    assert!(gate.ends_with(&format!("\n\nExit codes:{codes}")), "{gate}");
    // Where there is no gate, none is named.
    let lines = codes.lines().filter(|line| !line.contains("gate was not"));
    let others = lines.filter(|line| !line.contains("the result is of a part only"));
    let others: Vec<&str> = others.map(|line| line.trim_end_matches("; of a gate:")).collect();
    for name in ["tags", "llm", "labels", "compare", "merge", "tensorboard", "guide", "man"] {
        let help = chunkeval([name, "--help"]).ok();
        let codes = help.split("Exit codes:").nth(1).unwrap();
        assert_eq!(codes.lines().collect::<Vec<_>>(), others, "{name}");
        assert_eq!(help.matches("Exit codes:").count(), 1);
    }
    assert_eq!(chunkeval(["tags"]).code, 2);
    assert_eq!(chunkeval::<&str>([]).code, 2);
    assert_eq!(piped(&["tags", "--gold", "-", "--pred", "-"], b"").code, 2);
}
