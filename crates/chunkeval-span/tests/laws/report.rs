//! How reports print, and their scalars.

use chunkeval_core::{Metric, Scalars};
use chunkeval_span::Matching;

use crate::documents::{measured, report};

#[test]
fn the_report_prints_as_a_table() {
    let report = report(&[("PER", 0, 2)], &[("PER", 0, 1)]);
    let text = report.to_string();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10);
    let signature = "|metric:spans|matching:maximum_overlap|threshold:any|types:all";
    assert!(lines[9].ends_with(signature), "{}", lines[9]);
    assert_eq!(
        lines[3],
        "partial          0         0         1         0         0    0.5000    0.5000    0.5000  (all)",
    );
    assert!(lines[8].ends_with("1.0000  PER"));
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!(json["per_type"][0]["entity_type"], "PER");
    assert_eq!(json["protocol"], lines[9]);
    assert_eq!(json["overall"]["partial"]["partial"]["gold"], 1);
}

#[test]
fn scalars_are_those_that_name_names_and_then_types() {
    let metric = measured(Matching::default(), &[[vec![("PER", 0, 2)], vec![]]]);
    let mut scalars = Vec::new();
    let mut add = |name: &str, value: Option<f64>| scalars.push((name.to_owned(), value));
    metric.accumulate().visit(&mut add);
    let names: Vec<&str> = scalars.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[..12], metric.name());
    assert_eq!(
        names[12..15],
        ["precision", "recall", "f1"].map(|s| format!("per_type/PER/strict/{s}"))
    );
    // Nothing was predicted: precision has nothing to divide by.
    assert_eq!(
        scalars[..3].iter().map(|(_, v)| *v).collect::<Vec<_>>(),
        [None, Some(0.0), Some(0.0)]
    );
}
