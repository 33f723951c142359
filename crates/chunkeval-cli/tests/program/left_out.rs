//! What parts have left out is told of their sum, with its places.

use serde_json::Value;

use crate::html::{parse, row};
use crate::run::{Folder, chunkeval};
use crate::shards::answers;

#[test]
fn what_a_shard_lacks_is_told_of_the_sum() {
    let folder = Folder::new();
    let file = folder.file("text", "a\tB-X\tB-X\n\nb\n");
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    let part = chunkeval(["tags", &file, "--keep-going", "--save-state", &state]);
    let other = folder.path().join("other").to_str().unwrap().to_owned();
    let args = ["tags", "-", "--keep-going", "--save-state", &other];
    assert_eq!(crate::run::piped(&args, b"a\tO\tO\n\n\nc\n").code, 3);
    let sum = chunkeval(["merge", &other, &state]);
    assert_eq!((part.code, sum.code), (3, 3));
    // With the places, by line; of what was piped, in the name of the state.
    let told = "warning: 2 sentences were left out, and the scores lack them:\n  \
                text:3:2: ";
    let err = folder.short(&sum.err);
    assert!(err.starts_with(told) && err.contains("\n  other:4:2: "), "{err}");
    let wrong = told.replace("them", "it").replace("2 sentences were", "1 sentence was");
    let alone = chunkeval(["merge", &state, "--format", "html"]);
    assert!(folder.short(&alone.err).starts_with(&wrong), "{}", alone.err);
    assert!(row(&parse(&alone.out), "left out")[4].contains("text:3:2 "));
    // A state of before knows no places.
    let saved = std::fs::read_to_string(&state).unwrap();
    let mut before: Value = serde_json::from_str(&saved).unwrap();
    let fields = before.as_object_mut().unwrap();
    assert!(fields.remove("left_out_places").is_some() && fields.remove("file").is_some());
    let before = folder.file("before", before.to_string());
    let err = chunkeval(["merge", &before]).err;
    assert_eq!(err, "warning: 1 sentence was left out, and the scores lack it.\n");
    let sum = folder.short(&chunkeval(["merge", &before, &state]).err);
    assert!(sum.contains("them:\n  text:3:2: ") && sum.ends_with("\n  …\n"), "{sum}");
}

/// Of two files, each with a line that cannot be used, the right one is named.
#[test]
fn what_is_left_out_of_two_files_has_the_name_of_the_file() {
    let folder = Folder::new();
    let gold = folder.file("gold", "a\tO\n\nb\tX-Y\n\nc\tO\n");
    let predicted = folder.file("predicted", "a\tX-Y\n\nb\tO\n\nc\tO\n");
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    let args = ["tags", "--gold", &gold, "--pred", &predicted, "--keep-going", "--format", "html"];
    let ran = chunkeval(args.iter().chain(&["--save-state", &state]));
    let err = folder.short(&ran.err);
    assert!(err.contains("\n  predicted:1:3: ") && err.contains("\n  gold:3:3: "), "{err}");
    let which = folder.short(&row(&parse(&ran.out), "left out")[4]);
    assert!(which.contains("predicted:1:3 ") && which.contains("gold:3:3 "), "{which}");
    assert_eq!(folder.short(&chunkeval(["merge", &state]).err), err);
    // What was interrupted is a part, too.
    let whole = folder.file("whole", "a\tO\tO\n");
    chunkeval(["tags", &whole, "--save-state", &state]).ok();
    chunkeval(["merge", &state]).ok();
    let saved = std::fs::read_to_string(&state).unwrap();
    let saved = saved.replace("\"interrupted\":false", "\"interrupted\":true");
    let sum = chunkeval(["merge", &folder.file("part", saved), "--format", "json"]);
    assert_eq!(sum.code, 3, "{}", sum.err);
    let sum: Value = serde_json::from_str(&sum.out).unwrap();
    assert_eq!((&sum["interrupted"], &sum["missing"][0]), (&true.into(), &"input".into()));
}

#[test]
fn what_a_shard_of_answers_lacks_is_told_of_the_sum() {
    let folder = Folder::new();
    let file = folder.file("f", answers(0, 3) + "no\n");
    let state = folder.path().join("state").to_str().unwrap().to_owned();
    let args = ["llm", &file, "--preset", "plain", "--keep-going", "--save-state", &state];
    assert_eq!(chunkeval(args).code, 3);
    let copy = folder.file("copy", std::fs::read(&state).unwrap());
    let sum = chunkeval(["merge", &state, &copy]);
    assert_eq!(sum.code, 3);
    let told = "warning: 2 lines were left out, and the scores lack them:\n  f:4:2: ";
    assert!(folder.short(&sum.err).starts_with(told), "{}", sum.err);
    let one = folder.short(&chunkeval(["merge", &state]).err);
    assert!(
        one.starts_with("warning: 1 line was left out, and the scores lack it:\n  f:4:2: "),
        "{one}"
    );
    // No more places than of one file, whatever is added up.
    let many = folder.file("many", answers(0, 3) + &"no\n".repeat(9));
    let states: Vec<String> = ["m1", "m2"]
        .iter()
        .map(|name| {
            let state = folder.path().join(name).to_str().unwrap().to_owned();
            let args = ["llm", &many, "--preset", "plain", "--keep-going", "--save-state", &state];
            assert_eq!(chunkeval(args).code, 3);
            state
        })
        .collect();
    let sum = folder.short(&chunkeval(["merge", &states[0], &states[1]]).err);
    assert_eq!((sum.matches("\n  many:").count(), sum.ends_with("\n  …\n")), (10, true), "{sum}");
    let report = chunkeval(["merge", &state]).out;
    assert!(
        report.ends_with(
            "\n\nA saved state has counts, and no texts: errors and scores by length or type are in \
             the reports of the parts.\n"
        ),
        "{report}"
    );
    let html = chunkeval(["merge", &state, "--format", "html"]).out;
    assert!(html.contains("A saved state has counts, and no texts"));
}
