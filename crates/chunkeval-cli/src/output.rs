//! Output: a page of parts, printed in one of several formats.

mod args;
mod created;
mod csv;
mod html;
mod missing;
mod page;
mod print;

pub(crate) use args::{Format, OutputArgs};
pub(crate) use created::{Created, There, is_same, no_input};
pub(crate) use csv::Sheet;
pub(crate) use html::of_files;
pub(crate) use missing::Missing;
pub(crate) use page::{ANSWERS, Page, Part, SENTENCES};
pub(crate) use print::{print, print_with, save};
