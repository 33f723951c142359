//! Placeholder until the adapter is measured.
fn main() {}
