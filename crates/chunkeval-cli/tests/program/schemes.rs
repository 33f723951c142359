//! The scheme of strict reading, detected from the gold tags.

use crate::run::{Folder, SAMPLE, chunkeval, piped};

/// A file whose gold tags are such rows and whose predicted tags are the same.
fn columns(rows: &[&str]) -> String {
    let row = |row: &&str| row.split(' ').map(|t| format!("w\t{t}\t{t}\n")).collect::<String>();
    rows.iter().map(row).collect::<Vec<_>>().join("\n")
}

#[test]
fn what_is_detected_counts_as_if_it_were_said() {
    for (scheme, rows) in [
        ("IOB2", &["B-X I-X O B-X B-Y", "O", "B-X"][..]),
        ("IOE2", &["I-X E-X O E-Y", "O E-X"]),
        ("IOBES", &["S-X B-X I-X E-X", "O S-Y"]),
        ("BILOU", &["U-X B-X I-X L-X", "O U-Y"]),
    ] {
        let text = columns(rows);
        for modes in [&["--mode", "strict"][..], &["--both"]] {
            for more in [&[][..], &["--errors", "2"], &["--report", "seqeval"]] {
                let both = modes == ["--both"];
                let ours = !more.contains(&"seqeval");
                if both && (scheme == "BILOU" || !ours) {
                    continue; // lenient reading has other letters, and seqeval one mode
                }
                let args = [&["tags", "-", "--format", "json"], modes, more].concat();
                let found = piped(&args, text.as_bytes());
                let note = format!("note: the gold tags are {scheme} (certainty 0.");
                assert!(found.err.starts_with(&note), "{args:?} {}", found.err);
                let said = ["--scheme", scheme];
                let said = piped(&[&args[..], &said].concat(), text.as_bytes()).ok();
                let signed = found.out.lines().filter(|l| l.contains("|detected:0.")).count();
                assert_eq!((found.code, signed), (0, usize::from(ours)), "{}", found.out);
                // What remains is the same.
                let mut found: serde_json::Value = serde_json::from_str(&found.out).unwrap();
                let mut said: serde_json::Value = serde_json::from_str(&said).unwrap();
                if ours {
                    let fact = found.as_object_mut().unwrap().remove("scheme").unwrap();
                    assert_eq!(fact["detected"], scheme);
                }
                for result in [&mut found, &mut said] {
                    for part in result.as_object_mut().unwrap().values_mut() {
                        part.as_object_mut().map(|part| part.remove("signature"));
                    }
                }
                assert_eq!(found, said, "{args:?}");
            }
        }
    }
}

#[test]
fn predictions_do_not_decide() {
    // The predicted side is IOB1 at its best.
    let text = "a\tB-X\tI-X\nb\tI-X\tI-X\nc\tB-X\tB-X\n\na\tB-X\tI-X\n";
    let found = piped(&["tags", "-", "--mode", "strict"], text.as_bytes());
    assert!(found.err.starts_with("note: the gold tags are IOB2 (certainty 0."), "{}", found.err);
}

#[test]
fn what_is_not_sure_is_an_error() {
    for (rows, message, hint) in [
        (
            &["I-X I-X O I-Y"][..],
            "is not sure: IOB1 (0 faults) and IOE1 (0 faults)",
            "say --scheme IOB1 or",
        ),
        (&["O O"], "cannot be detected: all of them are O", "say --scheme, with one of IOB1, IOB2"),
        (
            &["I-X I-X B-X O I-Y", "I-X"],
            "is not sure: IOB1 (0 faults); seqeval would take IOB2 (3 faults) for their letters",
            "say --scheme IOB1, or --scheme IOB2 for the numbers of seqeval",
        ),
        (&["B-X I-X O", "S-X O U-X"], "is not sure: ", "say --scheme "),
    ] {
        let found = piped(&["tags", "-", "--mode", "strict"], columns(rows).as_bytes());
        assert_eq!((found.code, &*found.out), (3, ""), "{rows:?}");
        assert!(
            found.err.starts_with("error: <stdin>: the scheme of the gold tags "),
            "{}",
            found.err
        );
        assert!(found.err.contains(message) && found.err.contains(hint), "{rows:?} {}", found.err);
    }
    let text = columns(&["B-X I-X O B-Y"]) + "w\tO\tS-X\n";
    let found = piped(&["tags", "-", "--both"], text.as_bytes());
    let message = "the gold tags are IOB2, which does not have the tag \"S-X\"";
    assert!(found.code == 3 && found.err.contains(message), "{}", found.err);
    let found = piped(&["tags", "-", "--both"], b"w\tB-X\tM-X\n");
    let message = "<stdin>:1:7: cannot read the tag \"M-X\" (strict, in any scheme, as B-PER)";
    assert!(found.code == 3 && found.err.contains(message), "{}", found.err);
    assert!(found.err.contains("--letters bmes"), "{}", found.err);
    let found = piped(&["tags", "-", "--both"], b"w\tU-X\tU-X\n");
    assert!(found.code == 3 && found.err.contains("strict alone, without --both"), "{}", found.err);
    let found = piped(&["tags", "-", "--both"], b"\n");
    assert!(found.err.contains("there is no sentence in it"), "{}", found.err);
    let bmes = b"w\tB-X\tB-X\nw\tE-X\tE-X\n";
    let found = piped(&["tags", "-", "--both", "--letters", "bmes", "--format", "json"], bmes);
    assert_eq!(found.json()["scores_IOBES"]["averages"]["micro"]["f1"], 1.0); // no other has them
}

/// Labels that rule a scheme out come late, in blocks of any thread.
#[test]
fn any_number_of_threads_detects_the_same() {
    let folder = Folder::new();
    let early = columns(&["B-X I-X O B-Y", "O B-X O"]).repeat(6_000);
    let late = columns(&["S-X O", "B-X E-X O"]).repeat(10_000);
    for (text, expected) in [
        (early.clone() + "\n" + &late, None), // either half has its own
        (early.clone() + "\nw\tO\tE-X\n", None),
        (late.clone(), Some("IOBES")),
        (early, Some("IOB2")),
    ] {
        let file = folder.file("f.tsv", text);
        let run = |threads: &str| {
            let more = ["--both", "--errors", "1", "--format", "json", "--threads", threads];
            let ran = chunkeval(["tags", &*file].iter().chain(&more));
            (ran.code, ran.out, ran.err)
        };
        let alone = run("1");
        match expected {
            Some(scheme) => assert!(alone.2.contains(&format!("are {scheme} (")), "{}", alone.2),
            None => assert_eq!(alone.0, 3, "{}", alone.2),
        }
        for threads in ["2", "5"] {
            assert_eq!(run(threads), alone);
        }
    }
}

#[test]
fn other_commands_detect_it_too() {
    let folder = Folder::new();
    let file = folder.file("sample-1.tsv", SAMPLE);
    let state = folder.path().join("state");
    let state = state.to_str().unwrap();
    let note = "note: the gold tags are IOB2 (certainty 0.83); --scheme IOB2 asks for it\n";
    let saved = chunkeval(["tags", &file, "--mode", "strict", "--save-state", state]);
    assert_eq!((saved.code, &*saved.err), (0, note));
    let said = ["tags", &file, "--scheme", "IOB2", "--format", "json"];
    let said = chunkeval(said).json();
    assert_eq!(chunkeval(["merge", state, "--format", "json"]).json()["scores"], said["scores"]);

    let found = chunkeval(["compare", &file, &file, "--mode", "strict"]);
    assert_eq!((found.code, &*found.err), (0, note));
    assert!(found.out.contains("mode:IOB2"), "{}", found.out);

    let run = folder.path().join("run");
    let outputs = folder.path().join("outputs");
    std::fs::create_dir(&outputs).unwrap();
    std::fs::rename(&file, outputs.join("dev-1.tsv")).unwrap();
    std::fs::copy(outputs.join("dev-1.tsv"), outputs.join("dev-2.tsv")).unwrap();
    let (run, outputs) = (run.to_str().unwrap(), outputs.to_str().unwrap());
    let found = chunkeval(["tensorboard", outputs, "--logdir", run, "--mode", "strict"]);
    assert_eq!((found.code, &*found.err), (0, note));
}
