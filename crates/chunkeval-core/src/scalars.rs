//! From a result to named numbers.

/// A result that can be read as named scalars.
///
/// `None` is undefined (nothing to divide by): sinks leave a gap, which is not the same as 0.
///
/// ```
/// use chunkeval_core::Scalars;
///
/// struct Loss(f64);
/// impl Scalars for Loss {
///     fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) { each("loss", Some(self.0)); }
/// }
/// ```
pub trait Scalars {
    /// Calls `each` with the name and value of every scalar, in a fixed order.
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>));
}

/// Pairs of name and value, for what is not a metric: a loss, a learning rate.
impl Scalars for [(&str, f64)] {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        for &(name, value) in self {
            each(name, Some(value));
        }
    }
}

/// As for slices.
impl<const N: usize> Scalars for [(&str, f64); N] {
    fn visit(&self, each: &mut dyn FnMut(&str, Option<f64>)) {
        self[..].visit(each);
    }
}

/// Visits a result with `prefix/` before its names.
pub(crate) fn visit_under<R: Scalars>(
    prefix: &str,
    result: &R,
    each: &mut dyn FnMut(&str, Option<f64>),
) {
    result.visit(&mut |name, value| each(&format!("{prefix}/{name}"), value));
}
