//! `cargo xtask libtorch`: a libtorch for crate tch, on machines that have none.
//!
//! libtorch comes from where everybody can get it: the wheel of PyTorch on PyPI. Only the files
//! that a program on the CPU needs are taken out of it.

mod install;
mod wheels;

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell::Result;
use crate::workspace::Workspace;
use wheels::VERSION;

/// Where the linker of the system looks for shared libraries.
const LIBRARY_PATH: &str = if cfg!(target_os = "macos") {
    "DYLD_LIBRARY_PATH"
} else if cfg!(windows) {
    "PATH"
} else {
    "LD_LIBRARY_PATH"
};

/// A libtorch that programs can be built and run with.
pub(crate) enum Libtorch {
    /// Its folder, with `include` and `lib` in it.
    Folder(PathBuf),
    /// That of the user's PyTorch; torch-sys asks Python for it, and the user has set the rest.
    OfPython,
}

pub(crate) fn run() -> Result<()> {
    let Libtorch::Folder(folder) = Libtorch::ready(&Workspace::load()?)? else {
        println!("LIBTORCH_USE_PYTORCH is set: torch-sys asks Python for its libtorch");
        return Ok(());
    };
    println!("\n`cargo xtask test` and `cargo xtask run-tch` set these themselves:\n");
    println!("export LIBTORCH=\"{}\"", folder.display());
    let others = format!("${{{LIBRARY_PATH}:+:${LIBRARY_PATH}}}");
    println!("export {LIBRARY_PATH}=\"{}{others}\"", lib(&folder).display());
    Ok(())
}

impl Libtorch {
    /// The user's libtorch, or else the one below the target folder, which is made if needed.
    pub(crate) fn ready(workspace: &Workspace) -> Result<Self> {
        match Self::of_user() {
            Some(Self::Folder(folder)) if !lib(&folder).is_dir() => {
                return Err(format!("LIBTORCH: {} is no folder", lib(&folder).display()).into());
            }
            Some(own) => {
                println!("the environment names a libtorch: nothing is downloaded");
                return Ok(own);
            }
            None => {}
        }
        if !can_be_installed() {
            return Err(elsewhere().into());
        }
        let folder = workspace.target.join("libtorch");
        install::ready(workspace, &folder)?;
        Ok(Self::Folder(folder.join("torch")))
    }

    /// The same, or nothing on a machine that has no libtorch and for which there is none.
    pub(crate) fn if_possible(workspace: &Workspace) -> Result<Option<Self>> {
        if Self::of_user().is_none() && !can_be_installed() {
            println!("skipped: all packages that need libtorch. {}", elsewhere());
            return Ok(None);
        }
        Self::ready(workspace).map(Some)
    }

    /// What the user's variables name.
    fn of_user() -> Option<Self> {
        if env::var_os("LIBTORCH_USE_PYTORCH").is_some() {
            return Some(Self::OfPython);
        }
        let folder = env::var_os("LIBTORCH").filter(|folder| !folder.is_empty())?;
        Some(Self::Folder(folder.into()))
    }

    /// Gives a command what it needs to build programs that use libtorch, and to run them.
    pub(crate) fn set_for(&self, command: &mut Command) {
        if let Self::Folder(folder) = self {
            let libraries = before_others(&lib(folder), env::var_os(LIBRARY_PATH));
            command.env("LIBTORCH", folder).env(LIBRARY_PATH, libraries);
        }
    }
}

/// Where the shared libraries are: as torch-sys, beside the headers unless a variable says
/// otherwise.
fn lib(folder: &Path) -> PathBuf {
    env::var_os("LIBTORCH_LIB").map_or_else(|| folder.to_owned(), PathBuf::from).join("lib")
}

/// Whether the libraries in the wheel run here.
fn can_be_installed() -> bool {
    cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"))
}

/// A search path that begins with `first`.
fn before_others(first: &Path, others: Option<OsString>) -> OsString {
    let others = others.unwrap_or_default();
    let rest =
        env::split_paths(&others).filter(|path| path != first && !path.as_os_str().is_empty());
    env::join_paths([first.to_owned()].into_iter().chain(rest)).unwrap_or_else(|_| first.into())
}

/// What to do where nothing can be installed.
fn elsewhere() -> String {
    format!(
        "libtorch can be installed on Linux with glibc on x86-64 only; this is {} on {}.\n\
         Install PyTorch {VERSION} or libtorch {VERSION} yourself, then set either\n  \
         LIBTORCH_USE_PYTORCH=1 (libtorch of the Python that is found first), or\n  \
         LIBTORCH=the folder that holds `include` and `lib`,\n\
         and {LIBRARY_PATH} to its `lib`. \
         https://github.com/LaurentMazare/tch-rs#libtorch-manual-install has the details.\n\
         Everything but the packages whose names end in -tch works without it.",
        env::consts::OS,
        env::consts::ARCH,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_libraries_come_first_and_once() {
        let path = |others: Option<&str>| before_others(Path::new("/a"), others.map(Into::into));
        assert_eq!(path(None), "/a");
        assert_eq!(path(Some("")), "/a");
        let joined = env::join_paths(["/b", "/a", "/c"]).unwrap();
        let expected = env::join_paths(["/a", "/b", "/c"]).unwrap();
        assert_eq!(before_others(Path::new("/a"), Some(joined)), expected);
    }

    #[test]
    fn other_platforms_are_told_what_to_set() {
        let message = elsewhere();
        for word in ["LIBTORCH_USE_PYTORCH", "LIBTORCH=", LIBRARY_PATH, VERSION] {
            assert!(message.contains(word), "{word}");
        }
    }
}
