//! The training loop and all it writes.
//!
//! | file | what it holds |
//! |---|---|
//! | `trainer` | [`Trainer`]: the loop |
//! | `schedule` | [`Schedule`]: the learning rate of each step |
//! | `evaluate` | [`Evaluator`]: a split through the network and the metric |
//! | `log` | [`Log`]: TensorBoard and JSON Lines |
//! | `report` | results as JSON and as tables |
//! | `state` | [`State`]: what a run needs to go on |
//! | `files` | [`Files`]: where the files of a run are |
//! | `folder` | [`Folder`]: its folder, in which each file is replaced at once or not at all |
//! | `clock` | what evaluations, the metric and logging cost |
//! | `interrupt` | [`Interrupt`]: Ctrl-C |

mod clock;
mod evaluate;
mod files;
mod folder;
mod interrupt;
mod log;
mod report;
mod schedule;
mod state;
mod trainer;

pub use evaluate::{Evaluation, Evaluator, StrictReport};
pub use files::Files;
pub use folder::{Folder, replace};
pub use interrupt::Interrupt;
pub use log::Log;
pub use report::{Line, Strict, markdown, table};
pub use schedule::Schedule;
pub use state::{Mean, Progress, State};
pub use trainer::{Ending, Trainer};
