//! `cargo xtask test`: everything a change must pass.

use std::process::Command;

use crate::deny;
use crate::libtorch::Libtorch;
use crate::shell::{self, Result};
use crate::steps::Steps;
use crate::workspace::{Package, Workspace};

/// Features that need hardware or libraries which a plain machine lacks.
const NEED_HARDWARE: &[&str] = &["accelerate", "cuda", "cudnn", "metal", "mkl"];

/// The feature by which a package that needs libtorch is checked without one.
const DOC_ONLY: &str = "doc-only";

pub(crate) fn run() -> Result<()> {
    let workspace = Workspace::load()?;
    let mut steps = Steps::default();

    steps.step("format", || shell::run(&mut workspace.plain_cargo(["fmt", "--all", "--check"])))?;
    default_members(&workspace)?;
    let libtorch = steps.step("libtorch", || Libtorch::if_possible(&workspace))?;
    let builds = Builds { workspace: &workspace, libtorch };
    steps.step("lints", || {
        shell::run(builds.of_all("clippy").arg("--all-targets").args(["--", "-D", "warnings"]))
    })?;
    let python = steps
        .step("Python for the tests", || workspace.python("venv", "tests/requirements.txt"))?;
    let passed = steps.step("tests and doctests", || {
        let mut tests = builds.of_all("test");
        // libtorch's threads wait by spinning, in the way of other tests.
        tests.env("CHUNKEVAL_PYTHON", &python).env("OMP_NUM_THREADS", "1");
        let mut passed = 0;
        shell::run_lines(&mut tests, |line| passed += passed_tests(line).unwrap_or(0))?;
        Ok(passed)
    })?;
    steps.step("installing the program", || install(&workspace))?;
    steps.step("documentation", || {
        shell::run(builds.of_all("doc").arg("--no-deps").env("RUSTDOCFLAGS", "-D warnings"))
    })?;
    steps.step("every crate alone", || builds.every_crate_alone())?;
    steps.step("licences and advisories", || deny::check(&workspace))?;

    steps.summary();
    println!("\n{passed} passed, 0 failed");
    Ok(())
}

/// That `cargo install --path crates/chunkeval-cli` works, and what it installs. Not optimised and out
/// of the build folder of the tests, which takes seconds.
fn install(workspace: &Workspace) -> Result<()> {
    let root = workspace.target.join("installed");
    let program = ["install", "--path", "crates/chunkeval-cli"];
    let how = ["--debug", "--locked", "--offline", "--quiet", "--no-track", "--force", "--root"];
    shell::run(workspace.plain_cargo(program).args(how).arg(&root))?;
    let program = root.join("bin").join(format!("chunkeval{}", std::env::consts::EXE_SUFFIX));
    let sample = "docs/sample/predictions.tsv";
    let report =
        shell::output(Command::new(program).args(["tags", sample]).current_dir(&workspace.root))?;
    match report.contains("micro") {
        true => Ok(()),
        false => Err(format!("chunkeval tags {sample} printed: {report}").into()),
    }
}

/// That a bare `cargo build` builds all that needs no libtorch, and nothing else.
fn default_members(workspace: &Workspace) -> Result<()> {
    let wrong = |package: &&Package| package.by_default == package.needs_libtorch();
    match workspace.packages.iter().find(wrong) {
        Some(Package { name, by_default: true, .. }) => {
            Err(format!("Cargo.toml: {name} needs libtorch, so it is no default member").into())
        }
        Some(Package { name, .. }) => {
            Err(format!("Cargo.toml: {name} is to be a default member").into())
        }
        None => Ok(()),
    }
}

/// The builds of all packages that can be built here.
struct Builds<'a> {
    workspace: &'a Workspace,
    libtorch: Option<Libtorch>,
}

impl Builds<'_> {
    fn can_build(&self, package: &Package) -> bool {
        self.libtorch.is_some() || !package.needs_libtorch()
    }

    fn cargo<'c>(&self, arguments: impl IntoIterator<Item = &'c str>) -> Command {
        let mut command = self.workspace.cargo(arguments);
        if let Some(libtorch) = &self.libtorch {
            libtorch.set_for(&mut command);
        }
        command
    }

    fn of_all(&self, subcommand: &str) -> Command {
        let mut command = self.cargo([subcommand, "--workspace"]);
        for package in self.workspace.packages.iter().filter(|package| !self.can_build(package)) {
            command.args(["--exclude", &package.name]);
        }
        command
    }

    /// In the workspace a feature is on as soon as one member asks for it, which hides what a
    /// crate forgot to ask for itself.
    fn every_crate_alone(&self) -> Result<()> {
        let published = || self.workspace.packages.iter().filter(|package| package.published);
        let doc_only = |package: &&Package| package.features.iter().any(|name| name == DOC_ONLY);
        published().filter(doc_only).try_for_each(|package| self.without_libtorch(package))?;
        for package in published().filter(|package| self.can_build(package)) {
            let check = || self.cargo(["check", "--quiet", "-p", &package.name]);
            shell::run(check().arg("--no-default-features"))?;
            let possible = |feature: &&String| {
                let needs_libtorch = *feature == "tch" && self.libtorch.is_none();
                let hardware = NEED_HARDWARE.contains(&feature.as_str());
                !needs_libtorch && !hardware && *feature != DOC_ONLY
            };
            for feature in package.features.iter().filter(possible) {
                shell::run(check().args(["--no-default-features", "--features", feature]))?;
            }
        }
        Ok(())
    }

    /// A package that needs libtorch, lint-checked and documented as on a machine without any.
    fn without_libtorch(&self, package: &Package) -> Result<()> {
        let cargo = |subcommand| {
            let feature = ["--features", DOC_ONLY];
            let mut command = self.workspace.cargo([subcommand, "--quiet", "-p", &package.name]);
            command.args(feature).env_remove("LIBTORCH").env("RUSTDOCFLAGS", "-D warnings");
            command
        };
        shell::run(cargo("clippy").args(["--all-targets", "--", "-D", "warnings"]))?;
        shell::run(cargo("doc").arg("--no-deps"))
    }
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
