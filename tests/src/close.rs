//! Comparing answers with the cases, which give numbers to six decimals.

use serde_json::Value;

use crate::Tally;

/// That every expected value was found. A key that we do not report is named in the tally; an error
/// in the place of values, or values in that of an error, are a failure.
#[track_caller]
pub fn assert_close(id: &str, found: &Value, expected: &Value, tally: &mut Tally) {
    match (found, expected) {
        (Value::Object(f), Value::Object(e)) => {
            let is_error = [f, e].map(|side| side.contains_key("error"));
            assert_eq!(is_error[0], is_error[1], "{id}: found {found}, expected {expected}");
            for (key, value) in e {
                match f.get(key) {
                    Some(found) => assert_close(&format!("{id}/{key}"), found, value, tally),
                    None => tally.skip(id, format!("{key} is not reported")),
                }
            }
        }
        (Value::Array(f), Value::Array(e)) => {
            assert_eq!(f.len(), e.len(), "{id}: found {found}, expected {expected}");
            for (f, e) in f.iter().zip(e) {
                assert_close(id, f, e, tally);
            }
        }
        (Value::Number(f), Value::Number(e)) => {
            let (f, e) = (f.as_f64().unwrap(), e.as_f64().unwrap());
            assert!((f - e).abs() < 1e-6, "{id}: found {f}, expected {e}");
        }
        _ => assert_eq!(found, expected, "{id}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn close(found: Value, expected: Value) -> bool {
        let compare = || assert_close("id", &found, &expected, &mut Tally::new("closeness"));
        std::panic::catch_unwind(compare).is_ok()
    }

    #[test]
    fn what_differs_is_a_failure() {
        assert!(close(json!({"f1": 0.888_888_9, "more": 1}), json!({"f1": 0.888_889})));
        assert!(close(json!({"f1": 1.0}), json!({"f1": 1, "unknown": 2})), "named, not judged");
        assert!(!close(json!({"f1": 0.888}), json!({"f1": 0.889})));
        assert!(!close(json!([1, 2]), json!([1])));
        assert!(!close(json!({"types": ["X"]}), json!({"types": ["Y"]})));
        assert!(!close(json!({"error": "bad"}), json!({"f1": 1.0})), "an error hides nothing");
        assert!(!close(json!({"f1": 1.0}), json!({"error": "bad"})), "nor does its absence");
    }
}
