//! Threads that the system refuses to start are done without.
//!
//! A program of its own: the test harness could not start its threads either.
#![allow(clippy::unwrap_used)] // test code

use chunkeval_stats::{Mean, Resampling, Values};
use std::process::Command;

const NO_THREADS: (&str, &str) = ("RUST_MIN_STACK", "1152921504606846976");

fn main() {
    if std::env::var_os(NO_THREADS.0).is_some_and(|size| size == NO_THREADS.1) {
        assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "a stack of 2^60 bytes");
        let values = Values::new(&[1.0, 0.0, 3.0, 1.0, 5.0]).unwrap();
        let how = |threads| Resampling::new(100).threads(threads);
        let one = how(1).interval(&values, Mean::mean).unwrap();
        assert_eq!(how(7).interval(&values, Mean::mean).unwrap(), one);
        return;
    }
    let this = std::env::current_exe().unwrap();
    let status = Command::new(this).env(NO_THREADS.0, NO_THREADS.1).status().unwrap();
    assert!(status.success(), "{status}");
}
