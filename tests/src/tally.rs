//! How many lines ran, and which did not and why.

use std::collections::BTreeMap;

/// Writes a line to standard error past the test harness, which would swallow it.
#[macro_export]
macro_rules! say {
    ($($arg:tt)*) => {{
        use std::io::Write;
        let _ = writeln!(std::io::stderr(), $($arg)*);
    }};
}

/// Counts what a test over many lines did; says so on standard error when dropped.
#[derive(Debug)]
pub struct Tally {
    what: &'static str,
    ran: usize,
    skipped: BTreeMap<String, Vec<String>>,
    noted: BTreeMap<String, Vec<String>>,
}

impl Tally {
    /// Nothing ran yet.
    pub fn new(what: &'static str) -> Self {
        Self { what, ran: 0, skipped: BTreeMap::new(), noted: BTreeMap::new() }
    }

    /// A line ran.
    pub fn ran(&mut self) {
        self.ran += 1;
    }

    /// How many lines ran.
    pub fn count(&self) -> usize {
        self.ran
    }

    /// That so many lines of our own vectors ran: a test over nothing must not pass. Others' vectors
    /// (`CHUNKEVAL_GOLDEN`) have other numbers.
    pub fn expect(&self, ran: usize) {
        if std::env::var_os("CHUNKEVAL_GOLDEN").is_none() {
            assert_eq!(self.ran, ran, "{}", self.what);
        }
    }

    /// That so many of our own cases ran; others' cases (`CHUNKEVAL_CASES`) have other numbers.
    pub fn expect_cases(&self, ran: usize) {
        if std::env::var_os("CHUNKEVAL_CASES").is_none() {
            assert_eq!(self.ran, ran, "{}", self.what);
        }
    }

    /// A line did not run.
    pub fn skip(&mut self, place: &str, why: impl Into<String>) {
        self.skipped.entry(why.into()).or_default().push(place.to_owned());
    }

    /// A line ran, and something is to be known about it.
    pub fn note(&mut self, place: &str, what: impl Into<String>) {
        self.noted.entry(what.into()).or_default().push(place.to_owned());
    }
}

impl Drop for Tally {
    fn drop(&mut self) {
        say!("{}: {} ran", self.what, self.ran);
        let skipped = self.skipped.iter().map(|entry| ("skipped", entry));
        for (what, (why, places)) in skipped.chain(self.noted.iter().map(|entry| ("noted", entry)))
        {
            let shown = places.iter().take(8).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if places.len() > 8 { ", …" } else { "" };
            say!("{}: {} {what} ({why}): {shown}{more}", self.what, places.len());
        }
    }
}
