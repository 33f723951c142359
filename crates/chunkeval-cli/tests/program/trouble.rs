//! Odd input, each with its message and exit code.

use crate::run::{Folder, SAMPLE, chunkeval, command, ended, piped};

/// The message of a run on a file with that content.
fn message(content: impl AsRef<[u8]>, more: &[&str]) -> (i32, String) {
    let folder = Folder::new();
    let file = folder.file("f.tsv", content);
    let ran = chunkeval(["tags", &*file].iter().chain(more));
    (ran.code, folder.short(&ran.err))
}

#[test]
fn lines_that_cannot_be_used_are_named() {
    for (content, expected) in [
        (&b"a\tO\tO\nb\tO\n"[..], "f.tsv:2:4: expected 3 columns as in line 1, found 2"),
        (b"a\tO\tO\n\nbc\tO\tO\tO\n", "f.tsv:3:8: expected 3 columns as in line 1, found 4"),
        (b"a O\n", "f.tsv:1:4: found 2 columns, which are too few"),
        (b"a\tO\t\n", "f.tsv:1:5: the predicted tag is empty"),
        (b"a\t\tO\n", "f.tsv:1:3: the tag is empty"),
        (b"\tO\tO\n", "f.tsv:1:1: the token is empty"),
        (
            "省\tO\tO\n省\tO\tX-O\n".as_bytes(),
            "f.tsv:2:5: cannot read the tag \"X-O\" (lenient, as B-PER)",
        ),
        (b"a\tPER-B\tO\n", "f.tsv:1:3: cannot read the tag \"PER-B\" (lenient, as B-PER)"),
        (b"a\tO\tO\na\0b\tO\tO\n", "f.tsv:2:2: a NUL byte inside the line"),
        (b"a\rb\tO\tO\n", "f.tsv:1:2: a carriage return inside the line"),
        (b"a\tO\tO\n\xE7\x9C\x81\xFF\tO\tO\n", "f.tsv:2:2: invalid UTF-8"),
        // The first fault of the file is the one that is named.
        (b"a\tO\tO\nb\tO\n\nc\xFF\tO\tO\n", "f.tsv:2:4: expected 3 columns as in line 1, found 2"),
        (b"", "f.tsv: there is no sentence in it"),
        (b"\n\n \n", "f.tsv: there is no sentence in it"),
    ] {
        let (code, message) = message(content, &[]);
        assert_eq!(code, 3, "{message}");
        let first = message.lines().next().unwrap();
        assert_eq!(first, format!("error: {expected}"), "{message}");
        assert!(
            !message.contains("cannot read the tag") || message.contains("hint: "),
            "{message}"
        );
    }
}

/// A type that looks like another one would be a row of its own, and the chunks of neither equal.
#[test]
fn tags_that_look_like_others_are_named() {
    for (tag, expected) in [
        ("B-X ", "the tag \"B-X \" has a blank at its end"),
        (" B-X", "the tag \" B-X\" has a blank at its beginning"),
        ("B-X\u{a0}", "the tag \"B-X\\u{a0}\" has a U+00A0, which is not seen"),
        ("B-X\u{a0}Y", "the tag \"B-X\\u{a0}Y\" has a U+00A0, which is not seen"),
        ("B-X\u{3000}", "the tag \"B-X\\u{3000}\" has a U+3000, which is not seen"),
        ("B-\u{feff}X", "the tag \"B-\\u{feff}X\" has a U+FEFF, which is not seen"),
    ] {
        for (line, column) in [(format!("b\tB-X\t{tag}"), 7), (format!("b\t{tag}\tB-X"), 3)] {
            let (code, message) = message(format!("a\tO\tO\n{line}\n"), &[]);
            let place = format!("error: f.tsv:2:{column}: {expected}\nhint: ");
            assert!(code == 3 && message.starts_with(&place), "{message}");
        }
        // So it is in a pair of files, and detecting a scheme; a reference has it as it is.
        let folder = Folder::new();
        let gold = folder.file("gold", "a\tB-X\n");
        let pred = folder.file("pred", format!("a\t{tag}\n"));
        let pair = chunkeval(["tags", "--gold", &gold, "--pred", &pred, "--both"]);
        let place = format!("error: pred:1:3: {expected}\n");
        assert!(pair.code == 3 && folder.short(&pair.err).starts_with(&place), "{}", pair.err);
        if !tag.starts_with(' ') {
            let args = ["tags", "--gold", &gold, "--pred", &pred, "--tags", "reference"];
            assert!(chunkeval(args).ok().contains("predicted"));
        }
    }
    // A blank inside a type is one that is seen; what parts columns belongs to no tag.
    let (code, _) = message("a\tB-work of art\tB-work of art\n", &[]);
    assert_eq!(code, 0);
    let blanks = ["--layout", "conll:gold=2,predicted=3,delimiter=whitespace"];
    assert_eq!(message("a\tB-X\tB-X \nb\tI-X \tI-X\n", &blanks).0, 0);
}

#[test]
fn hints_say_what_to_do() {
    for (content, hint) in [
        ("a\tPER-B\tO\n", "tags like PER-B are read with --suffix"),
        ("a\tM-PER\tO\n", "the letters B M E S are read with --letters bmes"),
        ("a\tU-PER\tO\n", "with --letters bilou, or --scheme BILOU"),
        ("1\ta\t2\n", "is that the column of tags?"),
        ("a\tNN\tVB\n", "--tags reference reads any tag as seqeval does"),
        ("a\tO\n", "--gold and --pred"),
    ] {
        let (_, message) = message(content, &[]);
        assert!(message.contains(hint), "{message}");
    }
    let (_, letter) = message("a\tS-X\tO\n", &["--scheme", "IOB2"]);
    assert!(letter.contains("another --scheme has that letter"), "{letter}");
    let (_, style) = message("a\tB-X\tO\n", &["--suffix"]);
    assert!(style.contains("leave --suffix away"), "{style}");
    let (_, units) = message("a\tB-X\tO\n", &["--ci"]);
    assert!(units.contains("tags and llm without --ci need one"), "{units}");
}

/// Folders and files that are there, as inputs and outputs of every subcommand.
#[test]
fn folders_are_no_files() {
    let folder = Folder::new();
    let dir = folder.path().join("dir");
    std::fs::create_dir(&dir).unwrap();
    let dir = dir.to_str().unwrap();
    let tags = folder.file("f.tsv", SAMPLE);
    let answers = folder.file("f.jsonl", r#"{"label": [], "output": "{}"}"#);
    for (args, message) in [
        (&["tags", dir][..], "error: dir: is a folder\nhint: name a file in it; of parallel"),
        (&["llm", dir], "error: dir: is a folder\nhint: name a file in it\n"),
        (&["compare", dir, dir], "error: dir: is a folder\nhint: name a file in it\n"),
        (&["gate", dir, "--min", "f1=0"], "error: dir: is a folder\nhint: name a file in it\n"),
        (&["merge", dir], "error: cannot read dir: Is a directory\nhint: name a file in it\n"),
        (
            &["tags", &tags, "--save-state", dir],
            "error: cannot write dir: Is a directory\nhint: it is a folder: name a file in it\n",
        ),
        (
            &["llm", &answers, "--write-labels", &tags],
            "error: cannot write f.tsv: File exists\nhint: nothing is written over without --force: name another",
        ),
    ] {
        let ran = chunkeval(args);
        assert_eq!((ran.code, &*ran.out), (4, ""), "{args:?}");
        assert!(folder.short(&ran.err).starts_with(message), "{args:?}: {}", ran.err);
    }
    let in_gb18030: [(&[u8], &[&str]); 3] = [
        (b"\xD5\xC5\tB-PER\tB-PER\n", &["tags"]),
        (b"\xD5\xC5\tB-PER\tB-PER\n", &["compare", &tags]),
        (b"{\"label\": {\"PER\": [\"\xD5\xC5\"]}, \"output\": \"{}\"}\n", &["llm"]),
    ];
    for (text, args) in in_gb18030 {
        let file = folder.file("gb18030", text);
        let ran = chunkeval(args.iter().copied().chain([&*file]));
        let hint = "hint: the file is in another encoding";
        assert!(ran.code == 3 && ran.err.contains("invalid UTF-8\n"), "{}", ran.err);
        assert!(ran.err.contains(hint) && ran.err.contains("iconv -f GB18030 -t UTF-8"));
    }
}

#[test]
fn marks_and_line_ends_do_not_matter() {
    let expected = piped(&["tags", "-"], SAMPLE.as_bytes()).ok();
    let windows = format!("\u{feff}{}", SAMPLE.replace('\n', "\r\n"));
    assert_eq!(piped(&["tags", "-"], windows.as_bytes()).ok(), expected);
    let blanks = format!("\n\n{}\n \t\n", SAMPLE.replace("\n\n", "\n\t \n\n").trim_end());
    assert_eq!(piped(&["tags", "-"], blanks.as_bytes()).ok(), expected);
    assert_eq!(piped(&["tags", "-"], SAMPLE.trim_end().as_bytes()).ok(), expected);
}

#[test]
fn going_on_leaves_sentences_out_and_says_so() {
    let text = "a\tB-X\tB-X\n\nb\tB-X\nb\n\nc\tB-X\tO\n\nd\tB-X\tB?\nd\tB-X\tO\n";
    let folder = Folder::new();
    let file = folder.file("f.tsv", text);
    for threads in ["1", "4"] {
        let args = ["tags", &file, "--keep-going", "--format", "json", "--threads", threads];
        let ran = chunkeval(args);
        assert_eq!(ran.code, 3);
        assert_eq!(
            ran.err,
            "warning: 2 sentences were left out, and the scores lack them:\n  \
             line 3:6: expected 3 columns as in line 1, found 2\n  \
             line 8:7: cannot read the tag \"B?\" (lenient, as B-PER)\n"
        );
        let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(result["scores"]["averages"]["micro"]["support"], 2);
        assert_eq!(result["left_out"]["sentences"], 2);
        assert_eq!(result["left_out"]["first"][1]["line"], 8);
    }
}

#[test]
fn very_long_lines_are_refused() {
    let mut text = b"a\tO\tO\n\n".to_vec();
    text.resize(50 << 20, b'x');
    let (code, message) = message(text, &[]);
    assert_eq!(code, 3);
    assert!(
        message.starts_with("error: f.tsv:3:1: the line is longer than 16 MiB\nhint: "),
        "{message}"
    );
}

#[test]
fn too_many_tags_are_no_tags() {
    let text: String = (0..70_000).map(|i| format!("a\tB-{i}\tO\n\n")).collect();
    let (code, message) = message(text, &[]);
    assert_eq!(code, 3);
    assert!(message.contains("more than 65536 different tags"), "{message}");
}

#[test]
fn files_that_cannot_be_read() {
    let folder = Folder::new();
    let ran = chunkeval(["tags", "no-such-file"]);
    assert_eq!(
        (ran.code, &*ran.err),
        (
            4,
            "error: cannot read no-such-file: No such file or directory\nhint: is the name spelled right?\n"
        )
    );
    let ran = chunkeval(["tags", folder.path().to_str().unwrap()]);
    assert_eq!(ran.code, 4);
    assert!(ran.err.contains(": is a folder\nhint: name a file in it"), "{}", ran.err);
    let ran = chunkeval(["tags", "--layout", "parallel", "--gold", "f/x", "--pred", "f/y"]);
    assert_eq!(ran.code, 4);
    let file = folder.file("f", SAMPLE);
    let ran = chunkeval(["tags", "--layout", "parallel", "--gold", &file, "--pred", &file]);
    assert!(ran.code == 4 && ran.err.contains("for parallel files"), "{}", ran.err);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let file = folder.file("secret", SAMPLE);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o000)).unwrap();
        let ran = unprivileged(&folder, &["tags", &file]);
        assert_eq!(ran.code, 4);
        assert!(
            folder
                .short(&ran.err)
                .starts_with("error: cannot read secret: Permission denied\nhint: ")
        );
    }
}

/// Runs the program as somebody whom the permissions of files bind; in the place of root as nobody,
/// with a copy of the program within reach.
#[cfg(unix)]
fn unprivileged(folder: &Folder, args: &[&str]) -> crate::run::Ran {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
    use std::os::unix::process::CommandExt as _;
    let mut program = command();
    if std::fs::metadata(folder.path()).unwrap().uid() == 0 {
        let copy = folder.path().join("program");
        if !copy.exists() {
            std::fs::copy(program.get_program(), &copy).unwrap();
        }
        let seen = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), seen).unwrap();
        program = std::process::Command::new(copy);
        program.uid(65_534);
    }
    program.args(args).stdin(std::process::Stdio::null());
    loop {
        match program.output() {
            // Another test is starting a process just now, which holds the copy open.
            Err(e) if e.kind() == std::io::ErrorKind::ExecutableFileBusy => {}
            output => return ended(output.unwrap()),
        }
    }
}

/// What cannot be written is said as it is, by each option that names a file or folder to write.
#[test]
#[cfg(unix)]
fn files_that_cannot_be_written() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let answers = folder.file("answers", "{\"label\": [], \"output\": \"{}\"}\n");
    let tags = folder.file("tags", SAMPLE);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (dir, steps, locked) = (path("dir"), path("steps"), path("locked"));
    for dir in [&dir, &steps, &locked] {
        std::fs::create_dir(dir).unwrap();
    }
    let there = folder.file("locked/there", "mine");
    folder.file("steps/dev-100.tsv", SAMPLE);
    std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o555)).unwrap();
    let (inside, below) = (path("locked/new"), path("tags/new"));
    let options: [(&[&str], bool); 5] = [
        (&["labels", &answers, "--force", "--out"], false),
        (&["llm", &answers, "--force", "--write-labels"], false),
        (&["tags", &tags, "--save-state"], false),
        (&["man", "--dir"], true),
        (&["tensorboard", &steps, "--logdir"], true),
    ];
    let file = "a file stands where a folder is wanted: name another place";
    let refused = "you may not write there: name another place";
    for (args, wants_folder) in options {
        let mut cases = vec![
            (&below, "not a directory", file),
            (&inside, "permission denied", refused),
            // What was there stays.
            (&there, "permission denied", refused),
        ];
        match wants_folder {
            true => cases[2] = (&tags, "not a directory", file),
            false => cases.push((&dir, "is a directory", "it is a folder: name a file in it")),
        }
        for (path, reason, hint) in cases {
            let ran = unprivileged(&folder, &[args, &[&**path]].concat());
            let told = folder.short(&ran.err).to_lowercase();
            let (first, rest) = told.split_once('\n').unwrap();
            assert!(first.starts_with("error: cannot write "), "{args:?}: {told}");
            assert!(first.ends_with(&format!(": {reason}")), "{args:?}: {told}");
            assert_eq!(
                (ran.code, &*ran.out, rest),
                (4, "", &*format!("hint: {hint}\n")),
                "{args:?}"
            );
        }
    }
    assert_eq!(std::fs::read_to_string(&there).unwrap(), "mine");
}

#[test]
fn sentences_of_two_files_are_left_out_together() {
    let folder = Folder::new();
    let gold = folder.file("gold", "a\tB-X\n\nb\tB?\n\nc\tB-X\n\nd\tB-X\n");
    let pred = folder.file("pred", "a\tB-X\n\nb\tB-X\n\nc\t?\nd\tO\n".replace("\nd", "\n\nd"));
    for threads in ["1", "2"] {
        let args = ["--keep-going", "--format", "json", "--threads", threads];
        let ran = chunkeval(["tags", "--gold", &gold, "--pred", &pred].iter().chain(&args));
        assert_eq!(ran.code, 3);
        assert!(ran.err.starts_with("warning: 2 sentences were left out"), "{}", ran.err);
        for place in ["gold:3:3: cannot read the tag \"B?\"", "pred:5:3: cannot read the tag \"?\""]
        {
            assert!(ran.err.contains(place), "{}", ran.err);
        }
        let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let micro = &result["scores"]["averages"]["micro"];
        assert_eq!([&micro["support"], &micro["correct"]], [2, 1]);
    }
}

#[test]
fn folders_are_parallel_files() {
    let folder = Folder::new();
    let make = |name: &str, files: &[(&str, &str)]| {
        let path = folder.path().join(name);
        std::fs::create_dir(&path).unwrap();
        for (file, text) in files {
            folder.file(&format!("{name}/{file}"), text);
        }
        path.to_str().unwrap().to_owned()
    };
    let words = ("seq.in", "Ada sleeps\nin Rome\n");
    let gold = make("gold", &[words, ("seq.out", "B-PER O\nO B-LOC\n")]);
    let predicted = make("predicted", &[words, ("seq.out", "B-PER O\nO O\n")]);
    let score = |gold: &str, more: &[&str]| {
        let args = ["tags", "--gold", gold, "--pred", &predicted];
        chunkeval(args.iter().chain(more))
    };
    let report = score(&gold, &[]).ok();
    assert!(report.contains("micro        1.0000  0.5000"), "{report}");
    for layout in ["parallel", "snips", "parallel:tokens=seq.in,tags=seq.out"] {
        assert_eq!(score(&gold, &["--layout", layout]).ok(), report, "{layout}");
    }
    // One side in a folder, the other one in columns.
    let columns = folder.file("columns", "Ada\tB-PER\nsleeps\tO\n\nin\tO\nRome\tB-LOC\n");
    assert_eq!(score(&columns, &[]).ok(), report);

    let refused = |gold: &str, more: &[&str]| {
        let ran = score(gold, more);
        assert_eq!((ran.code, &*ran.out), (3, ""), "{}", ran.err);
        folder.short(&ran.err)
    };
    let other = make("other", &[words, ("label", "x\nx\n")]);
    for more in [&[][..], &["--layout", "snips"], &["--layout", "parallel"]] {
        let reason = "error: other: a folder without seq.out\nhint: the tokens of parallel files are \
                      in seq.in, their tags in seq.out; --layout parallel:tokens=NAME,tags=NAME";
        assert!(refused(&other, more).starts_with(reason));
    }
    let reason = "error: gold: is a folder\nhint: name a file in it\n";
    let ran = score(&gold, &["--layout", "conll"]);
    assert_eq!((ran.code, &*folder.short(&ran.err)), (4, reason));
    let longer = make("longer", &[("seq.in", ""), ("seq.out", "O\0\n")]);
    let reason = "error: longer/seq.out:1:2: a NUL byte inside the line";
    let found = chunkeval(["tags", "--gold", &longer, "--pred", &longer]).err;
    assert!(folder.short(&found).starts_with(reason), "{found}");
    let alone = chunkeval(["tags", &gold]);
    assert!(alone.err.ends_with("say --gold FOLDER --pred FOLDER\n"), "{}", alone.err);
}

#[test]
fn two_files_that_do_not_match() {
    let folder = Folder::new();
    let gold = folder.file("gold", "a\tO\nb\tB-X\n");
    let run = |content: &str| {
        let pred = folder.file("pred", content);
        let ran = chunkeval(["tags", "--gold", &gold, "--pred", &pred]);
        (ran.code, folder.short(&ran.err))
    };
    assert_eq!(run("a\tO\nb\tB-X\n"), (0, String::new()));
    for (content, expected) in [
        ("a\tO\nc\tB-X\n", "pred:2:1: token \"c\", but \"b\" at gold:2"),
        ("a\tO\n", "pred:1:1: a sentence of 1 tokens, but of 2 at gold:1"),
        ("", "gold:1:1: pred ends before this sentence"),
        ("a\tO\nb\tQ\n", "pred:2:3: cannot read the tag \"Q\" (lenient, as B-PER)"),
    ] {
        let (code, message) = run(content);
        assert_eq!(code, 3);
        assert!(message.starts_with(&format!("error: {expected}")), "{message}");
        assert!(message.contains("\nhint: "), "{message}");
    }
    // A fault is named where it stands, whichever file is read sooner.
    for (gold, pred, expected) in [
        ("a\tO\n\nb\n", "a\tO\n\nc\tO\n", "gold:3:2: expected 2 columns as in line 1, found 1"),
        ("a\tO\n\nb\tO\n\nc\n", "a\tO\n\nc\tO\n", "pred:3:1: token \"c\", but \"b\" at gold:3"),
        (
            "a\tO\n\nb\tO\n",
            "a\tO\n\nb\tO\tO\n",
            "pred:3:5: expected 2 columns as in line 1, found 3",
        ),
        ("a\tO\n", "a\tO\n\nb\u{FF}\tO\n", "pred:3:2: invalid UTF-8"),
        ("a\t\n", "a\tO\n", "gold:1:3: the tag is empty"),
        ("a\n", "a\tO\tO\n", "gold:1:2: found 1 column, which are too few"),
        ("a\tO\tO\n", "a\n", "pred:1:1: cannot read the tag \"a\" (lenient, as B-PER)"),
        ("", "", "gold: there is no sentence in it"),
    ] {
        let bytes = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        let (gold, pred) = (folder.file("gold", bytes(gold)), folder.file("pred", bytes(pred)));
        for threads in ["1", "2"] {
            let args = ["tags", "--gold", &gold, "--pred", &pred, "--threads", threads];
            let ran = chunkeval(args);
            let message = folder.short(&ran.err);
            let first = message.lines().next().unwrap();
            assert_eq!((ran.code, first), (3, &*format!("error: {expected}")), "{threads}");
            assert!(message.contains("\nhint: "), "{message}");
        }
    }
}
