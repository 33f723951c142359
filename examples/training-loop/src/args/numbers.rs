//! Numbers that can work, out of what the user wrote.

/// A whole number from 1. As for all numbers, the option needs `allow_negative_numbers`: without it
/// clap takes -1 for an option, and its error does not say whose value it was.
///
/// # Errors
/// The text is none.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    whole(text, 1)
}

/// A whole number from 0.
///
/// # Errors
/// The text is none.
pub fn at_least_zero(text: &str) -> Result<usize, String> {
    whole(text, 0)
}

/// Steps, rounds or evaluations: a whole number from 1.
pub(super) fn count(text: &str) -> Result<u64, String> {
    whole(text, 1)
}

/// A whole number from 0, such as a seed.
pub(crate) fn number(text: &str) -> Result<u64, String> {
    whole(text, 0)
}

fn whole<N: TryFrom<i128>>(text: &str, least: i128) -> Result<N, String> {
    match text.parse::<i128>() {
        Ok(number) if number < least => Err(format!("must be at least {least}")),
        Ok(number) => number.try_into().map_err(|_| "is too large".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A share of less than everything.
///
/// # Errors
/// The text is none.
pub fn rate(text: &str) -> Result<f32, String> {
    match text.parse::<f32>() {
        Ok(number) if (0.0..1.0).contains(&number) => Ok(number),
        Ok(_) => Err("must be at least 0 and below 1".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// A number above 0.
///
/// # Errors
/// The text is none.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(number),
        Ok(_) => Err("must be above 0 and finite".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
