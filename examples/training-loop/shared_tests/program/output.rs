//! What a run prints and leaves behind.

use std::fs;
use std::process::Stdio;

use chunkeval::data::{Conll, ConllReader, Format};
use chunkeval::{ChunkEvaluator, Metric, Source, TagBuffer, TagSet, TagStyle, TextRows};
use serde_json::Value;

use super::common::{file, json, program, run, small, text, tiny, without_times};

#[test]
fn json_has_one_object_for_each_evaluation_and_the_test_set_last() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--steps", "25", "--json", "--out", "run"];
    let output = tiny(folder.path(), &args);
    let lines = json(&output);
    let places: Vec<_> = lines.iter().map(|l| (l["split"].as_str(), l["step"].as_u64())).collect();
    let dev = |step| (Some("dev"), Some(step));
    assert_eq!(places[..3], [dev(10), dev(20), dev(25)]);
    assert_eq!((places.len(), places[3].0), (4, Some("test")));

    for line in &lines {
        let object = line.as_object().unwrap();
        for number in ["precision", "recall", "f1", "seconds", "epoch", "metric_and_logging_share"]
        {
            assert!(object[number].is_f64(), "{number} in {line}");
        }
        for scores in line["per_type"].as_object().unwrap().values().chain([line]) {
            let [gold, predicted, correct] =
                ["gold", "predicted", "correct"].map(|count| scores[count].as_u64().unwrap());
            assert!(correct <= gold.min(predicted));
            let precision = if predicted == 0 { 0.0 } else { correct as f64 / predicted as f64 };
            assert_eq!(scores["precision"].as_f64(), Some(precision));
        }
        assert_eq!(line["per_type"].as_object().unwrap().len(), 6);
        let share = line["metric_and_logging_share"].as_f64().unwrap();
        let seconds = line["metric_and_logging_seconds"].as_f64().unwrap();
        assert_eq!(share, seconds / line["seconds"].as_f64().unwrap());
    }
    assert!(lines[0]["loss"].is_f64() && lines[0]["best"].is_boolean());
    assert!(lines[3].get("loss").is_none());

    // The best evaluation is the one whose weights the test set sees.
    let f1 = |line: &Value| line["f1"].as_f64().unwrap();
    let best = lines[..3].iter().max_by(|a, b| f1(a).total_cmp(&f1(b))).unwrap();
    let first = lines[..3].iter().find(|line| f1(line) == f1(best)).unwrap();
    assert_eq!(lines[3]["step"], first["step"]);
    assert!(text(&output.stderr).contains("look at it:  tensorboard --logdir run"));

    // The same seed gives the same numbers, another one does not.
    let lines: Vec<_> = lines.into_iter().map(without_times).collect();
    let again = |args: &[&str]| -> Vec<_> {
        json(&tiny(folder.path(), args)).into_iter().map(without_times).collect()
    };
    assert_eq!(again(&["--steps", "25", "--json", "--out", "again"]), lines);
    assert_ne!(again(&["--steps", "25", "--json", "--seed", "2"]), lines);
}

#[test]
fn text_names_everything_that_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let output = text(&tiny(folder.path(), &["--steps", "12", "--patience", "9"]).stdout);
    let path = folder.path().join("runs/synthetic-1");
    for entry in fs::read_dir(&path).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let listed = if name.starts_with("events.out.") { "events.out.tfevents.*" } else { &name };
        assert!(output.contains(listed), "{name} in {output}");
    }
    assert!(output.contains("step    10  epoch   1.0  loss"), "{output}");
    assert!(output.contains("dev precision"), "{output}");
    assert!(output.contains("\ntype  precision  recall      f1    gold  predicted  correct\nA1 "));
    assert!(output.contains("metric and logging took"), "{output}");
    assert!(output.ends_with("look at it:  tensorboard --logdir runs/synthetic-1\n"), "{output}");

    // A second run does not touch the first.
    let before = fs::read(path.join("state.json")).unwrap();
    tiny(folder.path(), &["--steps", "5"]);
    assert_eq!(fs::read(path.join("state.json")).unwrap(), before);
    assert!(folder.path().join("runs/synthetic-2/state.json").is_file());

    // The log has every dev score and the table.
    let log = fs::read_to_string(path.join("metrics.jsonl")).unwrap();
    for tag in ["train/loss", "train/lr", "dev/f1", "dev/per_type/A1/recall", "test/f1"] {
        assert!(log.contains(&format!("\"tag\":\"{tag}\"")), "{tag}");
    }
    assert!(log.contains("| type | precision | recall |"));
    assert!(!file(&path, "events.out.tfevents.", "").is_empty());
}

#[test]
#[cfg(target_os = "linux")]
fn a_result_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    for more in [&[][..], &["--json"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let args = [&["--steps", "2", "--out", "run"], more].concat();
        let mut command = program(folder.path(), &small(&args));
        let output = command.stdout(full).stderr(Stdio::piped()).output().unwrap();
        let error = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        let last = error.lines().last().unwrap();
        assert!(last.starts_with("error: standard output: No space left on device"), "{error}");
        // All the rest of a run that is read as text is there.
        let is_whole = folder.path().join("run/predictions.tsv").is_file();
        assert_eq!(is_whole, more.is_empty());
        fs::remove_dir_all(folder.path().join("run")).unwrap();
    }
}

/// As `head -1` does.
#[test]
#[cfg(unix)]
fn a_reader_that_has_seen_enough_is_no_fault() {
    let folder = tempfile::tempdir().unwrap();
    let unread = |args: &[&str]| {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let mut command = program(folder.path(), args);
        let output = command.stdout(writer).stderr(Stdio::piped()).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(!said.contains("error"), "{said}");
        said
    };
    let said = unread(&small(&["--steps", "400", "--json", "--out", "run"]));
    assert!(
        said.ends_with("stopped after step 10; go on with the option --resume run\n"),
        "{said}"
    );
    assert!(!folder.path().join("run/predictions.tsv").exists());
    let rest = run(folder.path(), &["--resume", "run", "--steps", "20", "--json"]);
    assert!(rest.status.success(), "{}", text(&rest.stderr));

    // The scores of the test set are the last that is shown; the files of the run are for others.
    let said = unread(&["--resume", "run", "--steps", "20", "--json"]);
    assert!(said.contains("look at it:  tensorboard"), "{said}");
    // Who reads text may look at the folder later.
    assert_eq!(unread(&small(&["--steps", "20", "--out", "text"])), "");
    assert!(folder.path().join("text/predictions.tsv").is_file());
}

#[test]
fn the_file_of_predictions_has_the_scores_of_the_test_set() {
    let folder = tempfile::tempdir().unwrap();
    let args = ["--steps", "150", "--lr", "0.02", "--json", "--out", "run"];
    let test = json(&tiny(folder.path(), &args)).pop().unwrap();
    assert!(test["correct"].as_u64() > Some(0), "{test}");

    let path = folder.path().join("run/predictions.tsv");
    let rows: Vec<_> =
        ConllReader::open(path, &Conll::predictions()).unwrap().map(Result::unwrap).collect();
    let tags = |cells: chunkeval::data::Cells<'_>| -> Vec<String> {
        cells.iter().map(str::to_owned).collect()
    };
    let gold: Vec<_> = rows.iter().map(|s| tags(s.gold())).collect();
    let predicted: Vec<_> = rows.iter().map(|s| tags(s.predicted().unwrap())).collect();
    let labels: std::collections::BTreeSet<_> = gold.iter().chain(&predicted).flatten().collect();
    let labels = TagSet::new(labels.into_iter().cloned(), TagStyle::Suffix).unwrap();
    let mut metric = ChunkEvaluator::with_tags(labels.clone());
    let rows = TextRows::new(&labels, &gold, &predicted);
    metric.update(rows.load(&mut TagBuffer::default()).unwrap()).unwrap();
    let counts = metric.accumulate().overall.counts;
    assert_eq!(
        [counts.gold, counts.predicted, counts.correct].map(Some),
        ["gold", "predicted", "correct"].map(|name| test[name].as_u64())
    );
}

#[test]
fn patience_ends_a_run_early() {
    let folder = tempfile::tempdir().unwrap();
    // Steps this small change nothing: the first evaluation stays the best.
    let args = ["--steps", "500", "--lr", "1e-30", "--patience", "2", "--json"];
    let steps: Vec<_> = json(&tiny(folder.path(), &args))
        .iter()
        .map(|line| line["step"].as_u64().unwrap())
        .collect();
    assert_eq!(steps, [10, 20, 30, 10]);
}

#[test]
fn help_says_what_one_needs() {
    let folder = tempfile::tempdir().unwrap();
    let help = text(&run(folder.path(), &["--help"]).stdout);
    for words in [
        "Without options it trains on Chinese express waybills",
        "Data:",
        "Training:",
        "Length (also with --resume):",
        "Network:",
        "Output:",
        "Examples:",
        "--data <DIR>",
        "--format <FORMAT>",
        "--every <N>",
        "--resume <DIR>",
        "--json",
        format!("{} --data wnut17-en --format wnut17", crate::NAME).as_str(),
        "infer",
        "Ctrl-C",
    ] {
        assert!(help.contains(words), "{words:?} in {help}");
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100));

    // Every format and every option of one, as an error of the library lists them.
    let error = |text: &str| text.parse::<Format>().unwrap_err().to_string();
    let unknown = error("?");
    let (_, names) = unknown.split_once("is none of ").unwrap();
    let start = help.find("--format").unwrap();
    let of_format = &help[start..start + help[start..].find("--suffix").unwrap()];
    let words: Vec<&str> = of_format.split(|c: char| !c.is_alphanumeric()).collect();
    for name in names.split(", ") {
        assert!(words.contains(&name), "{name} in {of_format}");
    }
    for (option, format) in [
        ("token", "conll:token=2"),
        ("gold", "conll:gold=2"),
        ("predicted", "conll:predicted=none"),
        ("delimiter", "conll:delimiter=space"),
        ("comments", "conll:comments=between"),
        ("docstart", "conll:docstart=skip"),
        ("tokens", "parallel:tokens=a"),
        ("tags", "parallel:tags=a"),
        ("labels", "parallel:labels=none"),
    ] {
        assert!(format.parse::<Format>().is_ok() && words.contains(&option), "{option}");
    }
    for option in ["delimiter", "comments", "docstart"] {
        let unknown = error(&format!("conll:{option}=?"));
        let (_, values) = unknown.split_once("is one of ").unwrap();
        let (values, _) = values.split_once(", not").unwrap();
        assert!(values.split(", ").all(|value| words.contains(&value)), "{values}");
    }
}
