//! In which tensors a file and a network differ.

use std::collections::BTreeMap;

/// Shape and element type of a tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// The shape.
    pub shape: Vec<usize>,
    /// The element type, as in `f32`.
    pub element_type: String,
}

/// Every tensor in which a file differs from what a network of `f32` wants, in one line; empty if
/// there is none.
///
/// ```
/// use std::collections::BTreeMap;
/// use training_loop::model::checkpoint::{Description, differences};
///
/// let bias = |size| Description { shape: vec![size], element_type: "f32".to_owned() };
/// let stored = BTreeMap::from([("bias".to_owned(), bias(3)), ("gain".to_owned(), bias(1))]);
/// let wanted = [("bias", vec![4])];
/// assert_eq!(
///     differences(&stored, wanted),
///     "bias has shape [3], expected [4]; gain is unknown to this model"
/// );
/// ```
pub fn differences<'a>(
    stored: &BTreeMap<String, Description>,
    wanted: impl IntoIterator<Item = (&'a str, Vec<usize>)>,
) -> String {
    let mut problems = Vec::new();
    let mut known = Vec::new();
    for (name, shape) in wanted {
        match stored.get(name) {
            None => problems.push(format!("{name} is missing")),
            Some(found) if found.shape != shape => {
                problems.push(format!("{name} has shape {:?}, expected {shape:?}", found.shape));
            }
            Some(found) if found.element_type != "f32" => {
                problems.push(format!("{name} has type {}, expected f32", found.element_type));
            }
            Some(_) => {}
        }
        known.push(name);
    }
    let unknown = stored.keys().filter(|name| !known.contains(&name.as_str()));
    problems.extend(unknown.map(|name| format!("{name} is unknown to this model")));
    problems.join("; ")
}
