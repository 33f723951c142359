//! Numbers that can work, out of what the user wrote.

/// A number from 1.
///
/// # Errors
/// The text is none.
pub fn at_least_one(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(0) => Err("must be at least 1".to_owned()),
        Ok(number) => Ok(number),
        Err(error) => Err(format!("{error}")),
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
