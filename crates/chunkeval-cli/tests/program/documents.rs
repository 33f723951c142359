//! Intervals and tests over documents.

use serde_json::Value;

use crate::run::{Folder, chunkeval, piped};

/// Six documents of three sentences; a line of that text begins each.
fn documents(start: &str) -> String {
    let mut text = String::new();
    for document in 0..6 {
        text += &format!("{start}\n\n");
        for sentence in 0..3 {
            let predicted = if (document * 3 + sentence) % 4 == 1 { "O" } else { "B-PER" };
            text += &format!("w{document}\tB-PER\t{predicted}\nx\tO\tO\n\n");
        }
    }
    text
}

fn intervals(args: &[&str], text: &str) -> Value {
    let all = [&["tags", "-", "--format", "json", "--ci", "--resamples", "50"], args].concat();
    let found = piped(&all, text.as_bytes()).json();
    let signature = found["intervals_signature"].as_str().unwrap().to_owned();
    let unit = if args.contains(&"document") { "|unit:document" } else { "|unit:sentence" };
    assert!(signature.ends_with(unit), "{signature}");
    found["intervals"].clone()
}

#[test]
fn documents_are_resampled_as_a_whole() {
    let text = documents("-DOCSTART- -X- O O");
    let found = intervals(&["--unit", "document"], &text);
    assert_ne!(found, intervals(&[], &text));
    // The same as one sentence for each document, since single tokens are chunks by themselves.
    let joined = text.replace("\n\nw", "\nw").replace("-DOCSTART- -X- O O\nw", "\nw");
    assert_eq!(found, intervals(&[], &joined));
    // Where the first one begins need not be said.
    let (_, rest) = text.split_once('\n').unwrap();
    assert_eq!(found, intervals(&["--unit", "document"], rest));
    let table = piped(&["tags", "-", "--ci", "--unit", "document"], text.as_bytes()).ok();
    assert!(table.contains("1000 resamples of 6 documents, seed 0"), "{table}");
}

#[test]
fn other_lines_can_begin_documents() {
    let expected = intervals(&["--unit", "document"], &documents("-DOCSTART-\tO\tO"));
    let named = ["--unit", "document", "--document-start", "# newdoc"];
    assert_eq!(intervals(&named, &documents("# newdoc id = 7")), expected);
    let between = ["--layout", "conll:gold=2,predicted=3,comments=between"];
    let commented = documents("# id 1\n# newdoc id = 7\n# id 2");
    assert_eq!(intervals(&[&named[..], &between].concat(), &commented), expected);
    // In the middle of a sentence it ends it.
    let args = ["tags", "-", "--format", "json", "--document-start", "=="];
    let found = piped(&args, b"a\tO\tO\n== 2\nb\tO\tO\n").json();
    assert_eq!(found["scores"]["diagnostics"]["rows"], 2);
}

#[test]
fn two_files_and_any_number_of_threads_have_the_same_documents() {
    let folder = Folder::new();
    let mut text = String::new();
    for i in 0..60_000 {
        match i % 400 {
            0 => text += "-DOCSTART-\n\n", // the last line of some block
            n if n % 9 == 8 => text.push('\n'),
            _ => {}
        }
        let predicted = if i * 7919 % 13 < 9 { "B-X" } else { "O" };
        text += &format!("w{i}\tB-X\t{predicted}\n");
    }
    let side = |column: usize| -> String {
        let lines = text.lines().map(|line| {
            let cells: Vec<&str> = line.split('\t').collect();
            cells.get(column).map_or(format!("{line}\n"), |tag| format!("{}\t{tag}\n", cells[0]))
        });
        lines.collect()
    };
    let both = folder.file("both", &text);
    let (gold, pred) = (folder.file("gold", side(1)), folder.file("pred", side(2)));
    let run = |files: &[&str], threads: &str| {
        let more = ["--ci", "--unit", "document", "--resamples", "20", "--threads", threads];
        let found = chunkeval([&["tags", "--format", "json"], files, &more].concat()).json();
        found["intervals"].clone()
    };
    let alone = run(&[&both], "1");
    let text = chunkeval(["tags", &both, "--ci", "--unit", "document"]).ok();
    assert!(text.contains("of 150 documents"), "{text}");
    assert_eq!(run(&[&both], "3"), alone);
    for threads in ["1", "2"] {
        assert_eq!(run(&["--gold", &gold, "--pred", &pred], threads), alone);
    }
}

#[test]
fn what_has_no_documents_is_an_error() {
    let text = "a\tB-X\tB-X\n\nb\tB-X\tO\n";
    let found = piped(&["tags", "-", "--ci", "--unit", "document"], text.as_bytes());
    assert_eq!((found.code, &*found.out), (5, ""));
    assert!(found.err.contains("no -DOCSTART- line") && found.err.contains("--document-start"));
    let one = format!("-DOCSTART-\n\n{text}");
    let found = piped(&["tags", "-", "--ci", "--unit", "document"], one.as_bytes());
    assert!(found.code == 3 && found.err.contains("a unit is a sentence, a document"));
    assert_eq!(piped(&["tags", "-", "--unit", "document"], text.as_bytes()).code, 2);
    assert_eq!(piped(&["tags", "-", "--document-start", ""], text.as_bytes()).code, 2);
}

#[test]
fn systems_are_compared_over_documents() {
    let folder = Folder::new();
    let text = documents("-DOCSTART-");
    let (a, b) = (folder.file("a", &text), folder.file("b", text.replace("\tO\nx", "\tB-PER\nx")));
    let run =
        |unit: &str| chunkeval(["compare", &a, &b, "--unit", unit, "--format", "json"]).json();
    let (documents, sentences) = (run("document"), run("sentence"));
    assert_ne!(documents["differences"], sentences["differences"]);
    assert!(documents["signature"].as_str().unwrap().contains("|unit:document"));
    assert!(chunkeval(["compare", &a, &b, "--unit", "document"]).ok().contains("6 documents"));
    // Begun by other lines they are the same.
    let other = |path: &str| {
        let text = std::fs::read_to_string(path).unwrap();
        folder.file(
            &format!("{}2", &path[path.len() - 1..]),
            text.replace("-DOCSTART-", "# newdoc id = 7"),
        )
    };
    let (a, b) = (other(&a), other(&b));
    let args = ["compare", &a, &b, "--unit", "document", "--document-start", "# newdoc"];
    let found = chunkeval(args.iter().chain(&["--format", "json"])).json();
    assert_eq!(found["differences"], documents["differences"]);
    assert_eq!(chunkeval(["compare", &a, &b, "--unit", "document"]).code, 3);
}

/// The same sentences in other documents are another division of the same data: counts by document
/// would be of different things.
#[test]
fn systems_have_the_same_documents() {
    let folder = Folder::new();
    let text = documents("-DOCSTART-");
    // Each document but the first begins one sentence earlier; that sentence has no chunk.
    let quiet = text.replace("\n\n-DOCSTART-", "\n\nq\tO\tO\n\n-DOCSTART-");
    let earlier = text.replace("\n\n-DOCSTART-\n", "\n\n-DOCSTART-\n\nq\tO\tO\n");
    let (a, b) = (folder.file("a", &quiet), folder.file("b", &earlier));
    let run = |files: [&str; 2], more: &[&str]| {
        let args = [&["compare", files[0], files[1], "--unit", "document"], more].concat();
        chunkeval(args)
    };
    let refused = run([&a, &b], &[]);
    assert_eq!((refused.code, &*refused.out), (5, ""));
    let place = quiet.lines().position(|line| line == "q\tO\tO").unwrap() as u64 + 1;
    let message = folder.short(&refused.err);
    let expected = format!(
        "chunkeval: b:{place}: a document begins with sentence 4, but the next one in a is at a:{}",
        place + 2
    );
    assert!(message.contains(expected.trim_start_matches("chunkeval: ")), "{message}");
    assert!(message.contains("hint: --unit document"), "{message}");
    // Sentence by sentence they are the same.
    chunkeval(["compare", &a, &b]).ok();
    // Fewer documents, gold chunks or not.
    let c = folder.file("c", text.replacen("\n\n-DOCSTART-\n", "\n", 5));
    let a = folder.file("a", &text);
    let fewer = run([&a, &c], &[]);
    assert_eq!(fewer.code, 5, "{}", fewer.err);
    // What is left out of one takes the mark of its document with it nowhere.
    let broken = text.replacen("w1\tB-PER\t", "w1\tB-PER\t?\t", 1);
    let d = folder.file("d", broken);
    let kept = run([&a, &d], &["--keep-going", "--format", "json"]);
    assert_eq!(kept.code, 3, "{}", kept.err);
    assert!(run([&a, &d], &["--keep-going"]).out.contains("of 6 documents"));
}

#[test]
fn states_keep_their_unit() {
    let folder = Folder::new();
    let file = folder.file("f", documents("-DOCSTART-"));
    let save = |name: &str, unit: &str| {
        let state = folder.path().join(name).to_str().unwrap().to_owned();
        chunkeval(["tags", &file, "--ci", "--unit", unit, "--save-state", &state]).ok();
        state
    };
    let (a, b, c) = (save("a", "document"), save("b", "document"), save("c", "sentence"));
    chunkeval(["merge", &a, &b]).ok();
    let refused = chunkeval(["merge", &a, &c]);
    assert_eq!(refused.code, 5);
    assert!(refused.err.contains("--unit document and sentence"), "{}", refused.err);
}

#[test]
fn both_readings_with_intervals() {
    let text = documents("-DOCSTART-");
    let found = piped(&["tags", "-", "--both", "--scheme", "IOB2", "--ci"], text.as_bytes()).ok();
    assert!(found.contains("Intervals, lenient reading"), "{found}");
}
