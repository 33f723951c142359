//! What the workspace consists of, asked from cargo.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::shell::{self, Result};

pub(crate) struct Workspace {
    pub(crate) root: PathBuf,
    /// Where cargo builds, and where we may keep what can be made again.
    pub(crate) target: PathBuf,
    pub(crate) packages: Vec<Package>,
}

pub(crate) struct Package {
    pub(crate) name: String,
    /// Whether it is a library that others depend on, rather than one of our own tools.
    pub(crate) published: bool,
    pub(crate) features: Vec<String>,
    /// The names of its bench targets.
    pub(crate) benches: Vec<String>,
    /// Whether a bare `cargo build` builds it.
    pub(crate) by_default: bool,
}

impl Package {
    /// Whether it cannot be linked without libtorch: so say the names of such packages.
    pub(crate) fn needs_libtorch(&self) -> bool {
        self.name.ends_with("-tch")
    }
}

impl Workspace {
    pub(crate) fn load() -> Result<Self> {
        let arguments = ["metadata", "--no-deps", "--format-version", "1"];
        let metadata = shell::output(Command::new(cargo_program()).args(arguments))?;
        let metadata: Value = serde_json::from_str(&metadata)?;
        let packages = metadata["packages"].as_array().ok_or("cargo metadata has no packages")?;
        let default = &metadata["workspace_default_members"];
        Ok(Self {
            root: text(&metadata["workspace_root"])?.into(),
            target: text(&metadata["target_directory"])?.into(),
            packages: packages.iter().map(|one| package(one, default)).collect::<Result<_>>()?,
        })
    }

    /// A cargo command that builds, in the root of the workspace. In CI the lock file must be
    /// right as it is.
    pub(crate) fn cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = self.plain_cargo(arguments);
        if std::env::var_os("CI").is_some() {
            command.arg("--locked");
        }
        command
    }

    /// A cargo command that builds nothing.
    pub(crate) fn plain_cargo<'a>(&self, arguments: impl IntoIterator<Item = &'a str>) -> Command {
        let mut command = Command::new(cargo_program());
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// The Python environment `name` with what the file of requirements names.
    pub(crate) fn python(&self, name: &str, requirements: impl AsRef<Path>) -> Result<PathBuf> {
        crate::venv::ready(&self.target.join(name), &self.root.join(requirements))
    }
}

/// The cargo that runs us.
fn cargo_program() -> std::ffi::OsString {
    std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into())
}

fn package(package: &Value, default: &Value) -> Result<Package> {
    let features = package["features"].as_object().into_iter().flatten();
    let targets = package["targets"].as_array().into_iter().flatten();
    let benches = targets.filter(|target| target["kind"][0] == "bench");
    let default = default.as_array().into_iter().flatten();
    Ok(Package {
        name: text(&package["name"])?,
        published: package["publish"].is_null(),
        features: features.map(|(name, _)| name.clone()).filter(|name| name != "default").collect(),
        benches: benches.map(|target| text(&target["name"])).collect::<Result<_>>()?,
        by_default: default.into_iter().any(|id| *id == package["id"]),
    })
}

fn text(value: &Value) -> Result<String> {
    Ok(value.as_str().ok_or_else(|| format!("cargo metadata: {value} is no text"))?.to_owned())
}
