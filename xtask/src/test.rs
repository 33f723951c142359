//! `cargo xtask test`: everything a change must pass.

use crate::deny;
use crate::shell::{self, Result};
use crate::steps::Steps;
use crate::workspace::Workspace;

/// Features that need hardware or libraries which a plain machine lacks.
const NEED_HARDWARE: &[&str] = &["accelerate", "cuda", "cudnn", "metal", "mkl"];

pub(crate) fn run() -> Result<()> {
    let workspace = Workspace::load()?;
    let mut steps = Steps::default();

    steps.step("format", || shell::run(&mut workspace.plain_cargo(["fmt", "--all", "--check"])))?;
    steps.step("lints", || {
        let mut clippy = workspace.cargo(["clippy", "--workspace", "--all-targets"]);
        shell::run(clippy.args(["--", "-D", "warnings"]))
    })?;
    let python = steps
        .step("Python for the tests", || workspace.python("venv", "tests/requirements.txt"))?;
    let passed = steps.step("tests and doctests", || {
        let mut tests = workspace.cargo(["test", "--workspace"]);
        let mut passed = 0;
        shell::run_lines(tests.env("CHUNKEVAL_PYTHON", &python), |line| {
            passed += passed_tests(line).unwrap_or(0);
        })?;
        Ok(passed)
    })?;
    steps.step("documentation", || {
        let mut doc = workspace.cargo(["doc", "--workspace", "--no-deps"]);
        shell::run(doc.env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.step("every crate alone", || every_crate_alone(&workspace))?;
    steps.step("licences and advisories", || deny::check(&workspace))?;

    steps.summary();
    println!("\n{passed} passed, 0 failed");
    Ok(())
}

/// In the workspace a feature is on as soon as one member asks for it, which hides what a crate
/// forgot to ask for itself.
fn every_crate_alone(workspace: &Workspace) -> Result<()> {
    for package in workspace.packages.iter().filter(|package| package.published) {
        let check = || workspace.cargo(["check", "--quiet", "-p", &package.name]);
        shell::run(check().arg("--no-default-features"))?;
        for feature in &package.features {
            if !NEED_HARDWARE.contains(&feature.as_str()) {
                shell::run(check().args(["--no-default-features", "--features", feature]))?;
            }
        }
    }
    Ok(())
}

/// How many tests one closing line of a test program says have passed.
fn passed_tests(line: &str) -> Option<u64> {
    let (passed, _) = line.strip_prefix("test result: ok. ")?.split_once(" passed")?;
    passed.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::passed_tests;

    #[test]
    fn closing_lines_are_read() {
        let line = "test result: ok. 12 passed; 0 failed; 0 ignored; 0 measured; 3 filtered out";
        assert_eq!(passed_tests(line), Some(12));
        assert_eq!(passed_tests("test result: FAILED. 12 passed; 1 failed"), None);
        assert_eq!(passed_tests("test closing ... ok"), None);
    }
}
