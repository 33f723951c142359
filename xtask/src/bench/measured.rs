//! What was measured: criterion's files, and the lines of the Python side.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::shell::Result;

/// The time of one way to do one thing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Measured {
    /// The work, the same for all of a group.
    pub(crate) group: String,
    /// The way it was done.
    pub(crate) way: String,
    /// Tokens (or points, …) in one pass; 1 if the bench does not say.
    pub(crate) elements: u64,
    /// The median of a pass.
    pub(crate) nanoseconds: f64,
}

impl Measured {
    pub(crate) fn per_element(&self) -> f64 {
        self.nanoseconds / self.elements as f64
    }
}

/// Everything criterion left below its folder, in the order of names.
pub(crate) fn read(folder: &Path) -> Result<Vec<Measured>> {
    let mut found = Vec::new();
    collect(folder, &mut found)?;
    found.sort_by(|a, b| (&a.group, &a.way).cmp(&(&b.group, &b.way)));
    Ok(found)
}

fn collect(folder: &Path, found: &mut Vec<Measured>) -> Result<()> {
    let latest = folder.join("new");
    if latest.join("estimates.json").exists() {
        let bench = json(&latest.join("benchmark.json"))?;
        let estimates = json(&latest.join("estimates.json"))?;
        found.push(measured(&bench, &estimates).ok_or("a file of criterion is not as expected")?);
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, found)?;
        }
    }
    Ok(())
}

fn measured(bench: &Value, estimates: &Value) -> Option<Measured> {
    let text = |key: &str| bench[key].as_str().map(str::to_owned);
    let parameter = text("value_str").map(|value| format!("/{value}")).unwrap_or_default();
    Some(Measured {
        group: text("group_id")?,
        way: text("function_id").unwrap_or_default() + &parameter,
        elements: bench["throughput"]["Elements"].as_u64().unwrap_or(1),
        nanoseconds: estimates["median"]["point_estimate"].as_f64()?,
    })
}

fn json(path: &Path) -> Result<Value> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    Ok(serde_json::from_str(&text)?)
}

/// The lines that `benches/paddle_way.py` and `benches/answers_way.py` print.
pub(crate) fn read_python(lines: &str) -> Result<Vec<Measured>> {
    lines
        .lines()
        .map(|line| {
            let line: Value = serde_json::from_str(line)?;
            let measured = || {
                Some(Measured {
                    group: line["name"].as_str()?.to_owned(),
                    way: line["way"].as_str()?.to_owned(),
                    elements: line["tokens"].as_u64()?,
                    nanoseconds: line["nanoseconds"].as_f64()?,
                })
            };
            Ok(measured().ok_or("a line of the Python side is not as expected")?)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criterion_and_python_are_read() {
        let bench = r#"{"group_id": "g", "function_id": "f", "value_str": null,
                        "throughput": {"Elements": 4}}"#;
        let estimates = r#"{"median": {"point_estimate": 10.0}}"#;
        let parse = |text| serde_json::from_str::<Value>(text).unwrap();
        let read = measured(&parse(bench), &parse(estimates)).unwrap();
        assert_eq!((read.group.as_str(), read.way.as_str()), ("g", "f"));
        assert_eq!(read.per_element(), 2.5);

        let line = r#"{"name": "g", "way": "python", "tokens": 2, "nanoseconds": 30.0}"#;
        let read = read_python(line).unwrap();
        assert_eq!((read[0].way.as_str(), read[0].per_element()), ("python", 15.0));
        assert!(read_python("{}").is_err());
    }
}
