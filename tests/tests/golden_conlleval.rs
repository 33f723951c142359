//! conlleval.pl: the same bytes on standard output, the same exit status.

use chunkeval::report::{Conlleval, ConllevalError};
use chunkeval_tests::tags::strings;
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::Value;

#[test]
fn output_equals_conlleval() {
    let mut tally = Tally::new("golden conlleval, output");
    for line in golden(Kind::Conlleval) {
        match (strings(&line.value["args"]), line.value["input"].as_str()) {
            (Some(args), Some(input)) => {
                check(&line, &args, input);
                tally.ran();
            }
            _ => tally.skip(&line.place, "arguments or input that are no text"),
        }
    }
    tally.expect(514);
}

fn check(line: &Line, args: &[String], input: &str) {
    let (place, value) = (&line.place, &line.value);
    let done = Conlleval::from_args(args).and_then(|script| script.run(input.as_bytes()));
    let (stdout, status) = match &done {
        Ok(bytes) => (String::from_utf8_lossy(bytes).into_owned(), 0),
        Err(error) => (String::new(), error.exit_code()),
    };
    assert_eq!(status, value["exit_code"], "{place}: {done:?}");
    assert_eq!(stdout, value["stdout"], "{place}");
    if let Err(error) = &done {
        check_error(place, error, &value["stderr_lines_distinct"]);
    }
}

/// Which error stands for which last word of the script.
fn check_error(place: &str, error: &ConllevalError, stderr: &Value) {
    let said = strings(stderr).unwrap_or_default().join("\n");
    let meant = match error {
        ConllevalError::Columns { found, expected, .. } => {
            said.contains(&format!("unexpected number of features: {found} ({expected})"))
        }
        ConllevalError::TooFew { .. } => said.contains("unexpected number of features in line"),
        ConllevalError::Value(option) => said.contains(&format!("{option} requires")),
        ConllevalError::Argument(argument) => {
            said.contains(&format!("unknown argument {argument}"))
                || said.contains("unexpected command line argument")
        }
        _ => false,
    };
    assert!(meant, "{place}: {error}, expected {said:?}");
}
