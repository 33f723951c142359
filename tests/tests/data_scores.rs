//! The lenient and strict results of each expected.json, bit for bit, from the files of predictions.

#[path = "common/score.rs"]
mod score;

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use chunkeval::data::{Conll, ConllReader, PairReader, PredictionWriter, Sentence};
use chunkeval::report::{ConllevalLayout, conlleval_text};
use chunkeval::{Average, Mode, Result, Scores, TagStyle, TokenCounts};
use chunkeval_tests::seqeval::assert_score;
use chunkeval_tests::tags::strings;
use score::score;
use serde_json::Value;

/// Gold and predicted of a file of an expected.json; `None` if nobody says how it is laid out.
fn read(corpus: &Path, file: &str) -> Option<Result<Vec<Sentence>>> {
    let path = corpus.join(file);
    let open = |path: &Path, layout: Conll| ConllReader::open(path, &layout);
    Some(match file.split_once('/') {
        Some(("pred", name)) if name.ends_with(".tsv") => {
            open(&path, Conll::predictions()).and_then(Iterator::collect)
        }
        Some(("systems", name)) if name.ends_with(".conll") => {
            open(&corpus.join("test.conll"), Conll::two_columns()).and_then(|gold| {
                PairReader::new(gold, open(&path, Conll::two_columns())?).collect()
            })
        }
        None if file.starts_with("ground_truth") => {
            open(&path, Conll::conlleval()).and_then(Iterator::collect)
        }
        _ => return None,
    })
}

fn same(found: &Scores, expected: &Value, name: &str) {
    for (key, value) in [("precision", found.precision), ("recall", found.recall), ("f1", found.f1)]
    {
        let expected = expected[key].as_f64().unwrap();
        assert_eq!(value.to_bits(), expected.to_bits(), "{key} of {name}: {value}, {expected}");
    }
    assert_eq!(found.counts.gold, expected["support"].as_u64().unwrap(), "support of {name}");
}

fn check(sentences: &[Sentence], style: TagStyle, expected: &Value, name: &str) {
    let tokens: usize = sentences.iter().map(Sentence::len).sum();
    assert_eq!(sentences.len() as u64, expected["sentences"].as_u64().unwrap(), "{name}");
    assert_eq!(tokens as u64, expected["tokens"].as_u64().unwrap(), "{name}");
    let gold: Vec<&str> = sentences.iter().flat_map(|s| s.gold().iter()).collect();
    let predicted: Vec<&str> =
        sentences.iter().flat_map(|s| s.predicted().unwrap().iter()).collect();
    let counts = TokenCounts::of_tags(&gold, &predicted).unwrap();
    assert_eq!(counts.accuracy(), expected["token_accuracy"].as_f64(), "accuracy of {name}");

    let f1 = check_mode(sentences, style, Mode::Lenient, &expected["default"], name);
    if let Some(published) = expected["published_f1_percent"].as_f64() {
        let rounded = (f1 * 1e4).round() / 1e2;
        assert_eq!(rounded, published, "published F1 of {name}");
    }
    if let Some(lines) = strings(&expected["conlleval"]).filter(|_| style == TagStyle::Prefix) {
        let report = score(sentences, style, Mode::Conlleval);
        let found = conlleval_text(&report, &counts, ConllevalLayout::Plain);
        assert_eq!(found.lines().collect::<Vec<_>>(), lines, "conlleval on {name}");
        chunkeval_tests::say!("{name}: conlleval's text too");
    }
    for (scheme, expected) in expected["strict"].as_object().into_iter().flatten() {
        let mode = Mode::Strict(scheme.parse().unwrap());
        check_mode(sentences, style, mode, expected, &format!("{name}, {scheme}"));
    }
}

/// Counts and scores in one mode; the F1 over all.
fn check_mode(
    sentences: &[Sentence],
    style: TagStyle,
    mode: Mode,
    expected: &Value,
    name: &str,
) -> f64 {
    let report = score(sentences, style, mode);
    let counts = report.overall.counts;
    assert_eq!(counts.gold, expected["counts"]["gold"].as_u64().unwrap(), "{name}");
    assert_eq!(counts.predicted, expected["counts"]["pred"].as_u64().unwrap(), "{name}");
    assert_eq!(counts.correct, expected["counts"]["correct"].as_u64().unwrap(), "{name}");
    same(&report.overall, &expected["micro"], name);
    for average in Average::ALL {
        let (found, expected) = (report.average(average), &expected[average.name()]);
        let name = format!("{average} of {name}");
        assert_score(found.precision, &expected["precision"], &name);
        assert_score(found.recall, &expected["recall"], &name);
        assert_score(found.f_score, &expected["f1"], &name);
        assert_eq!(found.support, expected["support"], "{name}");
    }

    let types = expected["per_type"].as_object().unwrap();
    for (entity_type, scores) in types {
        let name = format!("{entity_type} of {name}");
        same(report.get(entity_type).expect(&name), scores, &name);
    }
    let with_chunks = report.per_type.iter().filter(|t| {
        let counts = t.scores.counts;
        counts.gold + counts.predicted > 0
    });
    let with_chunks: BTreeSet<&str> = with_chunks.map(|t| t.entity_type.as_str()).collect();
    assert_eq!(with_chunks, types.keys().map(String::as_str).collect(), "types of {name}");
    report.overall.f1
}

/// A corpus folder with an expected.json, and what is in that.
fn expectations(corpora: &Path) -> Vec<(std::path::PathBuf, Value)> {
    let mut all = Vec::new();
    for entry in fs::read_dir(corpora).unwrap() {
        let folder = entry.unwrap().path();
        if let Ok(text) = fs::read_to_string(folder.join("expected.json")) {
            all.push((folder, serde_json::from_str(&text).unwrap()));
        }
    }
    all.sort_by(|(a, _), (b, _)| a.cmp(b));
    all
}

#[test]
fn predictions_have_the_results_of_their_corpus() {
    let Some(corpora) = chunkeval_tests::corpora() else { return };
    let (mut folders, mut files) = (0, 0);
    for (folder, expected) in expectations(&corpora) {
        let entries = expected["files"].as_object().into_iter().flatten();
        let ours: Vec<_> = entries.filter(|(_, of)| of.get("default").is_some()).collect();
        if ours.is_empty() {
            chunkeval_tests::say!("{}: no label files, not for these readers", folder.display());
            continue;
        }
        folders += 1;
        for (file, expected_of_file) in ours {
            let name = folder.join(file).display().to_string();
            if !folder.join(file).is_file() {
                chunkeval_tests::say!("SKIPPED: {name} is not there");
                continue;
            }
            let Some(sentences) = read(&folder, file) else {
                chunkeval_tests::say!("SKIPPED: {name}: unknown layout");
                continue;
            };
            let suffix = expected_of_file.get("suffix").unwrap_or(&expected["suffix"]);
            let style =
                if suffix == &Value::Bool(true) { TagStyle::Suffix } else { TagStyle::Prefix };
            check(&sentences.unwrap(), style, expected_of_file, &name);
            files += 1;
        }
    }
    chunkeval_tests::say!("scored {files} files of {folders} corpora");
    if files == 0 {
        chunkeval_tests::skip("no file of predictions to score");
    }
}

#[test]
fn what_is_written_is_what_was_read_byte_for_byte() {
    let Some(corpora) = chunkeval_tests::corpora() else { return };
    let mut files = 0;
    for (folder, _) in expectations(&corpora) {
        let Ok(entries) = fs::read_dir(folder.join("pred")) else { continue };
        for path in entries.map(|entry| entry.unwrap().path()) {
            let mut writer = PredictionWriter::new(Vec::new(), "out");
            for sentence in ConllReader::open(&path, &Conll::predictions()).unwrap() {
                writer.write(&sentence.unwrap()).unwrap();
            }
            assert!(writer.finish().unwrap() == fs::read(&path).unwrap(), "{}", path.display());
            files += 1;
        }
    }
    chunkeval_tests::say!("copied {files} files of predictions");
    if files == 0 {
        chunkeval_tests::skip("no file of predictions to copy");
    }
}
