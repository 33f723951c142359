//! Lines with `extra_label`.

use crate::run::{Folder, chunkeval, piped};

/// Gold entities alone, as a data set has them before a model was asked.
const GOLD: &str = "{\"id\": 1,  \"label\": \"[{'entity': '美', 'entity_type': 'LOC'}]\"}\n\
                    {\"id\": 2, \"label\": []}\n";

const CONVERTED: &str = "{\"id\": 1,  \"label\": \"[{'entity': '美', 'entity_type': 'LOC'}]\", \
                         \"extra_label\": {\"LOC\":[\"美\"]}}\n\
                         {\"id\": 2, \"label\": [], \"extra_label\": {}}\n";

#[test]
fn lines_without_answers_are_converted() {
    let folder = Folder::new();
    let (file, out) = (folder.file("f", GOLD), folder.path().join("out"));
    let path = out.to_str().unwrap();
    let ran = chunkeval(["labels", &file, "--out", path]);
    let note = "note: 2 lines have the field extra_label now\n";
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, "", note));
    assert_eq!(std::fs::read_to_string(&out).unwrap(), CONVERTED);
    // Nothing that is there is written over.
    assert_eq!(chunkeval(["labels", &file, "--out", path]).code, 4);
    assert_eq!(chunkeval(["labels", &file, "--out", &file]).code, 2);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), GOLD);
    let ran = piped(&["labels", "-"], GOLD.as_bytes());
    assert_eq!((ran.code, &*ran.out, &*ran.err), (0, CONVERTED, note));
    // A score wants answers; what to do without is said.
    let ran = chunkeval(["llm", &file, "--write-labels", &format!("{path}2")]);
    assert_eq!(ran.code, 3);
    assert!(
        ran.err.contains("hint: chunkeval labels writes the lines without a look"),
        "{}",
        ran.err
    );
    // Converted lines are not converted again.
    let ran = chunkeval(["labels", path]);
    assert_eq!(ran.code, 3);
    assert!(ran.err.contains("there is a field extra_label already"), "{}", ran.err);
}

#[test]
fn gold_entities_are_found_by_the_form_or_by_name() {
    let folder = Folder::new();
    let plain = folder.file("p", "{\"text\": \"Ada\", \"gold\": {\"PER\": [\"Ada\"]}}\n");
    let ran = chunkeval(["labels", &plain]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.starts_with("note: read as --preset plain\nnote: 1 line has"), "{}", ran.err);
    assert!(ran.out.ends_with(", \"extra_label\": {\"PER\":[\"Ada\"]}}\n"), "{}", ran.out);
    let deep = folder.file("d", "{\"data\": {\"gold\": {\"PER\": [\"Ada\"]}}}\n");
    let ran = chunkeval(["labels", &deep, "--gold-field", "data.gold"]);
    assert!(ran.out.ends_with(", \"extra_label\": {\"PER\":[\"Ada\"]}}\n"), "{}", ran.out);
}

#[test]
fn lines_that_cannot_be_converted_are_told() {
    let folder = Folder::new();
    let file = folder.file("f", GOLD.replacen('\n', "\nno JSON\n", 1));
    let out = folder.path().join("out");
    let args = ["labels", &file, "--out", out.to_str().unwrap()];
    let ran = chunkeval(args);
    assert_eq!(ran.code, 3);
    assert!(folder.short(&ran.err).starts_with("error: f:2:"), "{}", ran.err);
    assert!(!out.exists());
    let ran = chunkeval(args.iter().chain(&["--keep-going"]));
    assert_eq!(ran.code, 3);
    let told = "note: 2 lines have the field extra_label now\nwarning: 1 line was left out, and the \
                output lacks it:\n  line 2:2: ";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    assert_eq!(std::fs::read_to_string(&out).unwrap(), CONVERTED);
}

/// What is there stays, unless --force says that it may go; and then, too, where a line is an error.
#[test]
fn a_file_that_is_there_is_replaced_with_force_alone() {
    let folder = Folder::new();
    let (file, out) = (folder.file("f", GOLD), folder.file("out", "mine"));
    let broken = folder.file("broken", GOLD.to_owned() + "no JSON\n");
    let read = || std::fs::read_to_string(&out).unwrap();
    for args in [&["labels", &file, "--out", &out][..], &["llm", &file, "--write-labels", &out]] {
        let ran = chunkeval(args);
        assert_eq!((ran.code, &*read()), (4, "mine"), "{args:?}");
        assert!(ran.err.contains("without --force"), "{}", ran.err);
    }
    let ran = chunkeval(["labels", &broken, "--out", &out, "--force"]);
    assert_eq!((ran.code, &*read()), (3, "mine"));
    let ran = chunkeval(["labels", &file, "--out", &out, "--force"]);
    assert_eq!((ran.code, &*read()), (0, CONVERTED), "{}", ran.err);
    // Nothing is left beside it, and a new file needs no other way.
    let new = folder.path().join("new").to_str().unwrap().to_owned();
    assert_eq!(chunkeval(["labels", &file, "--out", &new, "--force"]).code, 0);
    assert_eq!(std::fs::read_to_string(&new).unwrap(), CONVERTED);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
    assert_eq!(chunkeval(["labels", &file, "--force"]).code, 2);
}

#[test]
fn bytes_that_are_no_utf8_are_told() {
    let folder = Folder::new();
    let file = folder.path().join("f");
    let lines = b"{\"label\": []}\n{\"label\": [], \"output\": \"\xE7\x9C, \xFF\"}\n\
                  {\"label\": [], \"output\": \"\\ud83d\"}\n";
    std::fs::write(&file, lines).unwrap();
    let ran = chunkeval(["labels", file.to_str().unwrap()]);
    let told = "note: 3 lines have the field extra_label now\nwarning: bytes that are no UTF-8 were \
                written as U+FFFD, 2 times in 1 line, the first on line 2\n";
    assert_eq!((ran.code, &*ran.err), (0, told));
    assert!(ran.out.contains("\"output\": \"\u{fffd}, \u{fffd}\", \"extra_label\""), "{}", ran.out);
    // Half of a surrogate pair stays as it was.
    assert!(ran.out.contains("\"output\": \"\\ud83d\", \"extra_label\""), "{}", ran.out);
    let out = folder.path().join("out");
    let args = ["llm", file.to_str().unwrap(), "--write-labels", out.to_str().unwrap()];
    let ran = chunkeval(args);
    assert!(ran.err.contains("U+FFFD, 2 times in 1 line, the first on line 2\n"), "{}", ran.err);
}

#[test]
fn what_was_printed_before_an_error_is_told() {
    let folder = Folder::new();
    let file = folder.file("f", format!("{GOLD}no JSON\n{GOLD}"));
    let ran = piped(&["labels", "-"], &std::fs::read(&file).unwrap());
    assert_eq!((ran.code, &*ran.out), (3, CONVERTED));
    let told = "note: 2 lines were written before the error\nerror: ";
    assert!(ran.err.starts_with(told), "{}", ran.err);
    // A file is whole or not there, and nothing else is left beside it.
    let out = folder.path().join("out");
    let before = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(chunkeval(["labels", &file, "--out", out.to_str().unwrap()]).code, 3);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), before);
}
