//! Where outputs go: over nothing that is read, and not two to one place.

use std::path::{Path, PathBuf};

use super::InferArgs;
use crate::error::{Error, Result};
use crate::run::Files;

/// That no output is the input, a file of its folder, or what the run is made of, that they are two,
/// and that their folders are there: nobody should learn of that after hours.
pub(super) fn check(args: &InferArgs) -> Result<()> {
    let outputs = [("--columns", &args.columns), ("--entities", &args.entities)];
    let mut places = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let refused = |what: &str, over: &Path| {
            let reason = format!("{option} {} {what} {}", path.display(), over.display());
            Err(Error::Usage(reason.trim_end().to_owned()))
        };
        if path.is_dir() {
            return refused("is a folder", Path::new(""));
        }
        let Some(place) = place(path) else {
            return refused("is in no folder", Path::new(""));
        };
        if args.input.canonicalize().is_ok_and(|input| place.starts_with(input)) {
            return refused("would write over the input", &args.input);
        }
        if is_read(&args.run, &place) {
            return refused("would write over a file of the run", &args.run);
        }
        if places.contains(&place) {
            return refused("and --columns are the same file", Path::new(""));
        }
        places.push(place);
    }
    Ok(())
}

/// Where a file is or will be, whatever way leads there; nowhere if its folder is not there.
fn place(path: &Path) -> Option<PathBuf> {
    if path.as_os_str() == "-" {
        return Some(path.to_owned());
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok().filter(|f| f.is_dir())?;
    Some(path.canonicalize().unwrap_or(folder.join(path.file_name()?)))
}

/// Whether a prediction reads it: state, weights, or what is in a folder of the run.
fn is_read(run: &Path, place: &Path) -> bool {
    let Ok(run) = run.canonicalize() else { return false };
    let weights = place.extension().is_some_and(|extension| extension == "safetensors");
    match place.strip_prefix(&run) {
        Ok(inner) if inner.components().count() > 1 => place.exists(),
        Ok(_) => weights || place == Files::of(run).state(),
        Err(_) => false,
    }
}
