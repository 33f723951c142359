//! Pipes, packed files, interrupts, full disks, memory.

use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use flate2::Compression;
use flate2::write::GzEncoder;

use crate::run::{Folder, SAMPLE, chunkeval, command, ended, piped, skip};

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

#[test]
fn what_a_file_is_packed_in_is_told_by_its_content() {
    let folder = Folder::new();
    let (half, rest) = SAMPLE.split_at(SAMPLE.find("张").unwrap());
    let two = [gzip(half.as_bytes()), gzip(rest.as_bytes())].concat();
    let zstd = zstd::encode_all(SAMPLE.as_bytes(), 3).unwrap();
    let plain = chunkeval(["tags", &folder.file("plain", SAMPLE)]).ok();
    for (name, packed) in [("gz.txt", gzip(SAMPLE.as_bytes())), ("members", two), ("z.tsv", zstd)] {
        assert_eq!(chunkeval(["tags", &folder.file(name, &packed)]).ok(), plain, "{name}");
        assert_eq!(piped(&["tags", "-"], &packed).ok(), plain, "{name}");
    }
}

#[test]
fn damaged_files_are_named() {
    let folder = Folder::new();
    let text = SAMPLE.repeat(2000);
    let (gz, zst) = (gzip(text.as_bytes()), zstd::encode_all(text.as_bytes(), 3).unwrap());
    for (name, packed) in [("cut.gz", &gz), ("cut.zst", &zst)] {
        let ran = chunkeval(["tags", &folder.file(name, &packed[..packed.len() / 2])]);
        assert_eq!(ran.code, 3, "{}", ran.err);
        assert!(folder.short(&ran.err).starts_with(&format!("error: cannot read {name}: ")));
        assert!(ran.err.contains("hint: the file is damaged or was cut off"), "{}", ran.err);
    }
    for (name, magic, what) in [
        ("a.bz2", &b"BZh91AY"[..], "bzip2 is not read"),
        ("a.xz", &[0xFD, b'7', b'z', b'X', b'Z', 0, 0], "xz is not read"),
        ("a.zip", b"PK\x03\x04....", "a zip archive is not read"),
        ("a.utf16", b"\xFF\xFEa\0", "UTF-16 text; UTF-8 is read"),
    ] {
        let ran = chunkeval(["tags", &folder.file(name, magic)]);
        assert_eq!(ran.code, 3);
        assert!(ran.err.contains(what) && ran.err.contains("hint: "), "{}", ran.err);
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let answer = "{\"label\": [], \"output\": \"{}\"}\n";
    for (args, input) in [
        (&["tags", "-"][..], SAMPLE),
        (&["llm", "-"], answer),
        (&["--help"], ""),
        (&["man"], ""),
        (&["completions", "zsh"], ""),
    ] {
        let mut child = command();
        child.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let ran = ended(child.wait_with_output().unwrap());
        assert_eq!((ran.code, &*ran.err), (0, ""), "{args:?}");
    }
}

#[test]
fn a_full_disk_is_one_clear_message() {
    let Ok(full) = std::fs::File::options().write(true).open("/dev/full") else {
        return skip("no /dev/full");
    };
    let folder = Folder::new();
    let file = folder.file("f", SAMPLE);
    let ran = ended(
        command().args(["tags", &file]).stdout(full).stderr(Stdio::piped()).output().unwrap(),
    );
    assert_eq!(ran.code, 4);
    assert_eq!(
        ran.err,
        "error: cannot write standard output: No space left on device\n\
         hint: make room, or write to another place\n"
    );
    let answers = folder.file("a", "{\"label\": [], \"output\": \"{}\"}\n");
    for args in [
        &["tags", &file, "--save-state", "/dev/full"][..],
        &["llm", &answers, "--save-state", "/dev/full"],
        &["llm", &answers, "--write-labels", "/dev/full"],
        &["labels", &answers, "--out", "/dev/full"],
        &["labels", &answers, "--out", "/dev/full", "--force"],
    ] {
        let ran = chunkeval(args);
        assert_eq!((ran.code, &*ran.out), (4, ""), "{args:?}");
        let told = "error: cannot write /dev/full: No space left on device\n\
                    hint: make room, or write to another place\n";
        assert_eq!(ran.err, told, "{args:?}");
    }
    // A path that cannot be is known before the long run.
    let ran = chunkeval(["tags", "no-such-file", "--save-state", "no/such/folder/state"]);
    assert!(ran.err.contains("cannot write no/such/folder/state: No such file or directory"));
    assert!(ran.err.contains("hint: there is no such folder"), "{}", ran.err);
}

/// A pipe that has a name is written to as it is, and a link goes on leading to its file.
#[test]
#[cfg(unix)]
fn named_pipes_and_links_are_written_to() {
    let folder = Folder::new();
    let answers = folder.file("a", "{\"label\": [], \"output\": \"{}\"}\n");
    let state = chunkeval(["llm", &answers, "--save-state", &folder.file("state", "")]);
    assert_eq!(state.code, 0, "{}", state.err);
    let state = std::fs::read_to_string(folder.path().join("state")).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (pipe, link) = (path("pipe"), path("link"));
    let converted = "{\"label\": [], \"output\": \"{}\", \"extra_label\": {}}\n";
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for (args, expected) in [
        (&["labels", &answers, "--out", &pipe][..], converted),
        (&["llm", &answers, "--force", "--write-labels", &pipe], converted),
        (&["llm", &answers, "--save-state", &pipe], &*state),
    ] {
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read_to_string(pipe).unwrap()
        });
        assert_eq!(chunkeval(args).code, 0, "{args:?}");
        assert_eq!(reader.join().unwrap(), expected, "{args:?}");
    }
    let old = folder.file("old", "old");
    std::os::unix::fs::symlink(&old, &link).unwrap();
    assert_eq!(chunkeval(["labels", &answers, "--out", &link]).code, 4);
    assert_eq!(std::fs::read_to_string(&old).unwrap(), "old");
    assert_eq!(chunkeval(["labels", &answers, "--out", &link, "--force"]).code, 0);
    assert_eq!(std::fs::read_to_string(&old).unwrap(), converted);
    assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn an_interrupt_prints_what_was_counted() {
    let mut child = command();
    child.args(["tags", "-", "--format", "json"]);
    child.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let sentences = SAMPLE.repeat(20_000);
    stdin.write_all(sentences.as_bytes()).unwrap();
    let pid = child.id().to_string();
    let killed = std::process::Command::new("kill").args(["-INT", &pid]).status();
    if !killed.is_ok_and(|status| status.success()) {
        drop(stdin);
        child.wait().unwrap();
        return skip("no kill");
    }
    // The program notices when it has read a block more.
    let start = Instant::now();
    while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
        if stdin.write_all(sentences.as_bytes()).is_err() {
            break;
        }
    }
    drop(stdin);
    let ran = ended(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert!(ran.err.contains("these are the scores of what was read so far"), "{}", ran.err);
    let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(result["interrupted"], true);
    let micro = &result["scores"]["averages"]["micro"];
    assert!(micro["support"].as_u64().unwrap() > 0, "{micro}");
}

/// Nothing grows with the data.
#[test]
fn memory_is_bounded() {
    let tags = ["tags", "-", "--errors", "3", "--by", "length", "--threads", "2"];
    bounded(&tags, &SAMPLE.repeat(5000), 32 << 10);
    let line =
        r#"{"id": 1, "label": {"PER": ["Ada"]}, "output": "{'PER': ['Ada', 'Bo']}", "more": ""#;
    let lines = format!("{line}{}\"}}\n", "x".repeat(2000)).repeat(1000);
    bounded(&["llm", "-", "--threads", "2"], &lines, 32 << 10);
    bounded(&["llm", "-", "--errors", "3", "--threads", "2"], &lines, 32 << 10);
}

/// That a program takes no more kilobytes for forty times a text.
fn bounded(args: &[&str], piece: &str, most: u64) {
    let mut child = command();
    child.args(args);
    child.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = child.spawn().unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut stdin = child.stdin.take().unwrap();
    for _ in 0..40 {
        stdin.write_all(piece.as_bytes()).unwrap();
    }
    let status = std::fs::read_to_string(status);
    drop(stdin);
    assert!(child.wait_with_output().unwrap().status.success());
    let Ok(status) = status else { return skip("no /proc") };
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    let megabytes = piece.len() * 40 / 1_000_000;
    assert!(peak < most, "{args:?}: {peak} kB for {megabytes} MB of input");
}

/// Whether a program listens to Ctrl-C by now; as long as it takes, where the system tells.
fn listens(pid: u32) -> bool {
    let status = format!("/proc/{pid}/status");
    for _ in 0..500 {
        let Ok(status) = std::fs::read_to_string(&status) else { break };
        let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let caught = caught.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
        if caught.is_some_and(|mask| mask & 0b10 != 0) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    false
}

/// Nobody says anything any more, and nobody closes the pipe.
#[test]
fn an_interrupt_does_not_wait_for_input() {
    let half = "never\tB-LOC\tB-LOC\nended\tI-LOC";
    let answer = r#"{"label": [{"entity": "Rome", "entity_type": "LOC"}], "output": "[]"}"#;
    let open = gzip(format!("{SAMPLE}\n").as_bytes()); // what stands behind it could still come
    let pair = ["tags", "--format", "json", "--gold", "-", "--pred", "/dev/null"];
    for (args, input, support) in [
        (&["tags", "-", "--format", "json"][..], format!("{SAMPLE}\n{half}").as_bytes(), 5),
        (&["tags", "-", "--format", "json", "--threads", "1"], b"", 0),
        (&["tags", "-", "--format", "json"], b"ab", 0),
        (&["tags", "-", "--format", "json"], &open, 5),
        (&["llm", "-", "--format", "json"], format!("{answer}\n{{").as_bytes(), 1),
        (&["tags", "-", "--format", "csv"], format!("{SAMPLE}\n{half}").as_bytes(), 5),
        (&["llm", "-", "--format", "csv"], format!("{answer}\n{{").as_bytes(), 1),
        (&pair, b"", 0),
    ] {
        let mut child = command();
        child.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input).unwrap();
        if !listens(child.id()) {
            drop(stdin);
            child.wait().unwrap();
            return skip("no /proc that tells of signals");
        }
        std::thread::sleep(Duration::from_millis(500)); // it reads what there is
        let kill = ["-INT", &child.id().to_string()].map(str::to_owned);
        assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let in_time = child.try_wait().unwrap().is_some();
        drop(stdin);
        let ran = ended(child.wait_with_output().unwrap());
        assert!(in_time, "{args:?} waited for input");
        assert_eq!(ran.code, 130, "{args:?} {}", ran.err);
        assert!(ran.err.contains("interrupted: these are the scores of what was read so far"));
        assert_eq!(ran.err.to_lowercase().matches("interrupted").count(), 1, "{}", ran.err);
        if args.contains(&"csv") {
            continue;
        }
        let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(result["interrupted"], true, "{args:?}");
        assert_eq!(result["missing"], serde_json::json!(["input"]), "{args:?}");
        let mut parts = result.as_object().unwrap().values();
        let found = parts.find_map(|part| part["averages"]["micro"]["support"].as_u64());
        assert_eq!(found, Some(support), "{args:?} {}", ran.out);
    }
}

/// Waits until a program has closed a file.
fn wait_until_read(pid: u32, path: &str) {
    let is_open = || {
        let files = std::fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten();
        let mut names = files.filter_map(|file| std::fs::read_link(file.ok()?.path()).ok());
        names.any(|name| name.ends_with(path))
    };
    let start = Instant::now();
    while is_open() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Resampling that would take minutes.
#[test]
fn an_interrupt_does_not_wait_for_resamples() {
    let folder = Folder::new();
    let answer =
        r#"{"label": [{"entity": "Rome", "entity_type": "LOC"}], "output": "{'LOC': ['Rome']}"}"#;
    let tags = folder.file("tags.tsv", SAMPLE.repeat(5_000));
    let answers = folder.file("answers.jsonl", format!("{answer}\n").repeat(50_000));
    let most = ["--resamples", "200000"];
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    chunkeval(["tags", &tags, "--ci", "--resamples", "2", "--save-state", &state]).ok();
    for (args, said) in [
        (&["tags", &tags, "--ci", "--format=json"][..], "all was read, but intervals are missing"),
        (&["merge", &state, "--ci", "--format=json"], "all was read, but intervals are missing"),
        (&["llm", &answers, "--ci", "--format=json"], "all was read, but intervals are missing"),
        (&["tags", &tags, "--ci", "--format=csv"], "all was read, but intervals are missing"),
        (&["compare", &tags, &tags, "--format=json"], "interrupted"),
        (&["compare", &answers, &answers, "--format=csv"], "interrupted"),
    ] {
        let mut child = command();
        child.args(args).args(most).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        if !listens(child.id()) {
            child.kill().unwrap();
            child.wait().unwrap();
            return skip("no /proc that tells of signals");
        }
        std::thread::sleep(Duration::from_millis(500));
        wait_until_read(child.id(), args[1]);
        let kill = ["-INT", &child.id().to_string()].map(str::to_owned);
        assert!(std::process::Command::new("kill").args(kill).status().unwrap().success());
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(30) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let in_time = child.try_wait().unwrap().is_some();
        child.kill().unwrap();
        let ran = ended(child.wait_with_output().unwrap());
        assert!(in_time, "{args:?} went on");
        assert_eq!(ran.code, 130, "{args:?} {}", ran.err);
        assert!(ran.err.contains(said), "{args:?} {}", ran.err);
        assert_eq!(ran.err.to_lowercase().matches("interrupted").count(), 1, "{}", ran.err);
        if ran.err.contains("nothing was compared") {
            continue; // that was before the tests
        }
        if args.contains(&"--format=csv") {
            continue;
        }
        let result: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let missing = if args[0] == "compare" { "tests" } else { "intervals" };
        assert_eq!(result["interrupted"], true, "{args:?}");
        assert_eq!(result["missing"], serde_json::json!([missing]), "{args:?}");
        if args[0] != "compare" {
            assert_eq!(
                result["scores"]["averages"]["micro"]["f1"].as_f64().map(|f| f > 0.0),
                Some(true)
            );
        }
    }
}

/// A fault ends the run though nobody says anything any more, and nobody closes the pipe.
#[test]
fn a_fault_does_not_wait_for_input() {
    let answer = "{\"label\": [], \"output\": \"{}\"}\n";
    let answers = format!("{answer}no JSON\n{}", answer.repeat(20_000));
    let tags = format!("a\tO\tO\n\nb\tO\n\n{}", SAMPLE.repeat(2_000));
    // Less than a block, and the end of a line is still to come; packed, too.
    let few = format!("{answer}no JSON\n{answer}{{").into_bytes();
    let packed = zstd::encode_all(&*few, 3).unwrap();
    for (args, input, place) in [
        (["llm", "-", "--threads", "3"], answers.as_bytes(), "<stdin>:2:2: no JSON object"),
        (["llm", "-", "--threads", "1"], answers.as_bytes(), "<stdin>:2:2: no JSON object"),
        (["llm", "-", "--threads", "3"], &few, "<stdin>:2:2: no JSON object"),
        (["llm", "-", "--threads", "1"], &few, "<stdin>:2:2: no JSON object"),
        (["llm", "-", "--threads", "3"], &packed, "<stdin>:2:2: no JSON object"),
        (["tags", "-", "--threads", "3"], tags.as_bytes(), "<stdin>:3:"),
        (["tags", "-", "--threads", "1"], b"a\tO\tO\n\nb\tO\n\n", "<stdin>:3:"),
    ] {
        let mut child = command();
        child.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = child.spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let _ = stdin.write_all(input);
        let start = Instant::now();
        while child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let in_time = child.try_wait().unwrap().is_some();
        drop(stdin);
        let ran = ended(child.wait_with_output().unwrap());
        assert!(in_time, "{args:?} waited for input");
        assert_eq!((ran.code, &*ran.out), (3, ""), "{args:?} {}", ran.err);
        assert!(ran.err.contains(place), "{args:?} {}", ran.err);
    }
}

/// Wherever the other side makes a pause, in plain text and in a packed one.
#[test]
fn pauses_do_not_show() {
    let folder = Folder::new();
    let line = r#"{"label": {"PER": ["Ada"]}, "output": "{'PER': ['Ada', 'Bo']}"}"#;
    let answers = format!("\u{feff}{line}\n{line}\n{line}");
    for (subcommand, text) in [("tags", SAMPLE), ("llm", &answers)] {
        let expected = chunkeval([subcommand, &folder.file("f", text)]).ok();
        for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
            let mut child = command();
            child.args([subcommand, "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = child.stderr(Stdio::piped()).spawn().unwrap();
            let mut stdin = child.stdin.take().unwrap();
            for piece in bytes.chunks(bytes.len() / 3 + 1) {
                stdin.write_all(piece).unwrap();
                stdin.flush().unwrap();
                std::thread::sleep(Duration::from_millis(500));
            }
            drop(stdin);
            let ran = ended(child.wait_with_output().unwrap());
            assert_eq!(ran.ok(), expected, "{subcommand}");
        }
    }
}
