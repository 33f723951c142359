//! Work in steps: each with a heading, timed, the first failure ends it.

use std::time::{Duration, Instant};

use crate::shell::Result;

#[derive(Default)]
pub(crate) struct Steps {
    done: Vec<(String, Duration)>,
}

impl Steps {
    /// Does one step. An error says which step it was.
    pub(crate) fn step<T>(&mut self, heading: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
        println!("\n== {heading}");
        let start = Instant::now();
        let result = work().map_err(|error| format!("{heading}: {error}"))?;
        self.done.push((heading.to_owned(), start.elapsed()));
        Ok(result)
    }

    /// Prints how long each step took.
    pub(crate) fn summary(&self) {
        println!("\n== times");
        for (heading, time) in &self.done {
            println!("{:8.1} s  {heading}", time.as_secs_f64());
        }
        let total: Duration = self.done.iter().map(|(_, time)| time).sum();
        println!("{:8.1} s  in all", total.as_secs_f64());
    }
}
