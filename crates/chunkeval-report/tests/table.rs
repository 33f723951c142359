//! Every format of a table, and that they all say the same.
#![allow(clippy::unwrap_used, clippy::panic)] // test code, helper functions included

use chunkeval_core::{
    Average, Beta, ChunkEvaluator, ChunkReport, Metric, Protocol, TagBatch, ZeroDivision,
    is_hidden, visible_text,
};
use chunkeval_report::{Color, Format, Table};
use proptest::prelude::*;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

/// A report in which the first type is found, the second only predicted, the third only gold.
fn report(types: [&str; 3], rule: ZeroDivision) -> ChunkReport {
    let labels = types.map(|t| format!("B-{t}"));
    let labels = ["O".to_owned()].into_iter().chain(labels);
    let mut metric = ChunkEvaluator::builder(labels).zero_division(rule).build().unwrap();
    let batch = TagBatch::new(&[1, 1, 0, 3], &[1, 0, 2, 9], &[2, 4]).unwrap();
    metric.update(batch).unwrap();
    metric.accumulate()
}

/// The text, with the version of this library taken out.
fn render(table: &Table<'_>, format: Format) -> String {
    table.render(format).replace(env!("CARGO_PKG_VERSION"), "0.0.0")
}

const SIGNATURE: &str = "chunkeval:0.0.0|mode:lenient|style:prefix|reading:strict\
                         |average:micro+macro+weighted|zero:undefined";

#[test]
fn csv() {
    let report = report(["PER", "a,\"b\"", "地名"], ZeroDivision::Undefined);
    let beta = Beta::new(0.5).unwrap();
    let expected = format!(
        "kind,name,precision,recall,f0.5,support,predicted,correct,signature\n\
         type,PER,1,0.5,0.8333333333333334,2,1,1,{SIGNATURE}|beta:0.5\n\
         type,\"a,\"\"b\"\"\",0,,0,0,1,0,{SIGNATURE}|beta:0.5\n\
         type,地名,,0,0,1,0,0,{SIGNATURE}|beta:0.5\n\
         average,micro,0.5,0.3333333333333333,0.45454545454545453,3,2,1,{SIGNATURE}|beta:0.5\n\
         average,macro,0.5,0.25,0.2777777777777778,3,,,{SIGNATURE}|beta:0.5\n\
         average,weighted,1,0.3333333333333333,0.5555555555555556,3,,,{SIGNATURE}|beta:0.5\n"
    );
    assert_eq!(render(&Table::new(&report).beta(beta), Format::Csv), expected);
}

#[test]
fn json() {
    let report = report(["PER", "X", "Y"], ZeroDivision::Undefined);
    let found: Value = serde_json::from_str(&render(&Table::new(&report), Format::Json)).unwrap();
    let expected = serde_json::json!({
        "signature": SIGNATURE,
        "types": [
            {"type": "PER", "precision": 1.0, "recall": 0.5, "f1": 2.0 / 3.0,
             "support": 2, "predicted": 1, "correct": 1},
            {"type": "X", "precision": 0.0, "recall": null, "f1": 0.0,
             "support": 0, "predicted": 1, "correct": 0},
            {"type": "Y", "precision": null, "recall": 0.0, "f1": 0.0,
             "support": 1, "predicted": 0, "correct": 0},
        ],
        "averages": {
            "micro": {"precision": 0.5, "recall": 1.0 / 3.0, "f1": 0.4,
                      "support": 3, "predicted": 2, "correct": 1},
            "macro": {"precision": 0.5, "recall": 0.25, "f1": (2.0 / 3.0) / 3.0, "support": 3},
            "weighted": {"precision": 1.0, "recall": 1.0 / 3.0, "f1": (2.0 / 3.0 * 2.0) / 3.0,
                         "support": 3},
        },
        "diagnostics": report.diagnostics,
    });
    assert_eq!(found, expected);
}

#[test]
fn markdown() {
    let report = report(["PER", "work_of|art", "\u{202E}\u{200B}\n"], ZeroDivision::Undefined);
    let expected = format!(
        "| type | precision | recall | f1 | support | predicted | correct |\n\
         |---|---:|---:|---:|---:|---:|---:|\n\
         | PER | 1.000 | 0.500 | 0.667 | 2 | 1 | 1 |\n\
         | work\\_of\\|art | 0.000 | – | 0.000 | 0 | 1 | 0 |\n\
         | \\\\u\\{{202e\\}}\\\\u\\{{200b\\}}\\\\u\\{{a\\}} | – | 0.000 | 0.000 | 1 | 0 | 0 |\n\
         | **micro** | 0.500 | 0.333 | 0.400 | 3 | 2 | 1 |\n\
         | **macro** | 0.500 | 0.250 | 0.222 | 3 |  |  |\n\
         | **weighted** | 1.000 | 0.333 | 0.444 | 3 |  |  |\n\
         \n\
         `{SIGNATURE}`\n"
    );
    assert_eq!(render(&Table::new(&report).digits(3), Format::Markdown), expected);
}

#[test]
fn latex() {
    let report = report(["PER", "[b]_*", "地名"], ZeroDivision::Undefined);
    let expected = format!(
        "% {SIGNATURE}\n\
         \\begin{{tabular}}{{lrrrrrr}}\n\
         \\hline\n\
         type & precision & recall & f1 & support & predicted & correct \\\\\n\
         \\hline\n\
         PER & 1.00 & 0.50 & 0.67 & 2 & 1 & 1 \\\\\n\
         {{[}}b{{]}}\\_{{*}} & 0.00 & -- & 0.00 & 0 & 1 & 0 \\\\\n\
         地名 & -- & 0.00 & 0.00 & 1 & 0 & 0 \\\\\n\
         \\hline\n\
         \\textit{{micro}} & 0.50 & 0.33 & 0.40 & 3 & 2 & 1 \\\\\n\
         \\textit{{macro}} & 0.50 & 0.25 & 0.22 & 3 &  &  \\\\\n\
         \\textit{{weighted}} & 1.00 & 0.33 & 0.44 & 3 &  &  \\\\\n\
         \\hline\n\
         \\end{{tabular}}\n"
    );
    assert_eq!(render(&Table::new(&report).digits(2), Format::Latex), expected);
}

#[test]
fn terminal() {
    let report = report(["PER", "机构", "地名-Ａ"], ZeroDivision::Zero);
    let signature = SIGNATURE.replace("undefined", "0");
    let expected = format!(
        "type      precision  recall    f1  support  predicted  correct\n\
         ──────────────────────────────────────────────────────────────\n\
         PER            1.00    0.50  0.67        2          1        1\n\
         地名-Ａ        0.00    0.00  0.00        1          0        0\n\
         机构           0.00    0.00  0.00        0          1        0\n\
         ──────────────────────────────────────────────────────────────\n\
         micro          0.50    0.33  0.40        3          2        1\n\
         macro          0.33    0.17  0.22        3\n\
         weighted       0.67    0.33  0.44        3\n\
         2 rows, 4 tokens; 1 with an unknown prediction, read as O\n\
         nothing predicted: 地名-Ａ\n\
         nothing gold: 机构\n\
         {signature}\n"
    );
    let table = Table::new(&report).digits(2);
    assert_eq!(render(&table, Format::Terminal(Color::Never)), expected);

    let colored = render(&table, Format::Terminal(Color::Always));
    assert!(colored.contains("  \u{1b}[33m0.67\u{1b}[0m  "), "{colored:?}");
    assert!(colored.contains("  \u{1b}[31m0.40\u{1b}[0m  "), "{colored:?}");
    let mut plain = colored;
    while let Some(start) = plain.find('\u{1b}') {
        let end = start + plain[start..].find('m').unwrap();
        plain.replace_range(start..=end, "");
    }
    assert_eq!(plain, expected);
}

#[test]
fn a_report_of_nothing_can_be_written() {
    let report = ChunkEvaluator::new(["O", "B-X"]).unwrap().accumulate();
    for format in ["json", "csv", "markdown", "latex", "terminal"] {
        let format: Format = format.parse().unwrap();
        let text = render(&Table::new(&report), format);
        assert!(text.contains("zero:0") && text.contains("macro"), "{text}");
        assert!(!text.contains("NaN"), "{text}");
    }
    assert!("html".parse::<Format>().is_err());
    let json: Value = serde_json::from_str(&render(&Table::new(&report), Format::Json)).unwrap();
    assert_eq!(json["averages"]["macro"]["f1"], Value::Null);
}

/// Names that types may have.
fn name() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "[|`*_\\\\%&{}\\[\\]\"',; \n\r\t-]{1,6}", "[一-龥ａ-ｚ]{1,4}"]
        .prop_filter("a type", |name| !name.is_empty())
}

proptest! {
    #[test]
    fn formats_agree_whatever_types_are_called(
        names in [name(), name(), name()],
        rule in prop_oneof![Just(ZeroDivision::Zero), Just(ZeroDivision::Undefined)],
    ) {
        prop_assume!(names[0] != names[1] && names[1] != names[2] && names[0] != names[2]);
        let report = report(names.each_ref().map(|name| &**name), rule);
        let table = Table::new(&report);
        let json: Value = serde_json::from_str(&table.render(Format::Json)).unwrap();
        let text = table.render(Format::Csv);
        let mut csv = csv::Reader::from_reader(text.as_bytes());
        let records: Vec<csv::StringRecord> = csv.records().map(Result::unwrap).collect();
        prop_assert_eq!(records.len(), 6);
        let found = report.found_types().collect::<Vec<_>>();
        for (i, (t, record)) in found.iter().zip(&records).enumerate() {
            let row = &json["types"][i];
            prop_assert_eq!(&row["type"], &*t.entity_type);
            // As it is, but for what a terminal or a spreadsheet would obey.
            let shown = visible_text(&t.entity_type);
            let name = &record[1];
            prop_assert!(name == shown || name == format!("'{shown}"), "{:?}", name);
            prop_assert!(!name.contains(is_hidden));
            prop_assert!(name.chars().count() == 1 || !name.starts_with(['=', '+', '-', '@']));
            for (field, key, score) in [
                (&record[2], "precision", t.scores.precision),
                (&record[3], "recall", t.scores.recall),
                (&record[4], "f1", t.scores.f1),
            ] {
                let defined = (!score.is_nan()).then_some(score);
                prop_assert_eq!(field.parse().ok(), defined);
                prop_assert_eq!(row[key].as_f64(), defined);
            }
        }
        let macro_f1 = report.average(Average::Macro).f_score;
        prop_assert_eq!(json["averages"]["macro"]["f1"].as_f64(), Some(macro_f1));
        let signature: Protocol = json["signature"].as_str().unwrap().parse().unwrap();
        prop_assert_eq!(&signature, &report.protocol);
        prop_assert_eq!(&records[5][8], signature.to_string());

        // In Markdown no name breaks out of its cell, in LaTeX none out of its row.
        let markdown = table.render(Format::Markdown);
        prop_assert_eq!(markdown.lines().count(), 10);
        for line in markdown.lines().take(8) {
            let escaped = line.replace("\\\\", "").replace("\\|", "");
            prop_assert_eq!(escaped.matches('|').count(), 8, "{}", line);
        }
        let latex = table.render(Format::Latex);
        prop_assert_eq!(latex.lines().count(), 14);

        // In a terminal all rows of numbers end in the same column.
        let terminal = table.render(Format::Terminal(Color::Never));
        let lines: Vec<&str> = terminal.lines().collect();
        let widths = [0, 2, 3, 4, 6].map(|i: usize| lines[i].width());
        prop_assert_eq!(widths, [lines[1].width(); 5], "{}", terminal);
    }
}
