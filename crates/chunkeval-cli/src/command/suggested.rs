//! [`suggested`]: names that shells complete, of a value that may be more than a name.

use std::error::Error;
use std::ffi::OsStr;
use std::marker::PhantomData;
use std::str::FromStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

/// The layouts of files of tags that have a name.
pub(crate) const LAYOUTS: [&str; 10] = [
    "auto",
    "conll",
    "conlleval",
    "predictions",
    "wnut17",
    "ncbi",
    "iob2",
    "uner",
    "waybill",
    "parallel",
];

/// Parses a value as its type does, and has shells complete these names. An option with it hides
/// its possible values: its help says which there are.
pub(crate) fn suggested<T>(names: &'static [&'static str]) -> Suggested<T> {
    Suggested { names, of: PhantomData }
}

/// A parser that knows some names.
#[derive(Debug)]
pub(crate) struct Suggested<T> {
    names: &'static [&'static str],
    of: PhantomData<fn() -> T>,
}

// Derived, it would need a T that can be cloned.
impl<T> Clone for Suggested<T> {
    fn clone(&self) -> Self {
        suggested(self.names)
    }
}

impl<T> TypedValueParser for Suggested<T>
where
    T: FromStr + Clone + Send + Sync + 'static,
    T::Err: Into<Box<dyn Error + Send + Sync>>,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &Command,
        option: Option<&Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        T::from_str.parse_ref(command, option, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue>>> {
        Some(Box::new(self.names.iter().map(PossibleValue::new)))
    }
}
