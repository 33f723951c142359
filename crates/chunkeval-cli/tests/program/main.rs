//! The program itself, run as people run it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod answer_counts;
mod answer_forms;
mod answer_reports;
mod answers;
mod apart;
mod bare_tags;
mod compare;
mod compare_answers;
mod conlleval;
mod corpora;
mod documents;
mod examples;
mod formats;
mod gate;
mod gold;
mod html;
mod json_keys;
mod labels;
mod left_out;
mod options;
mod run;
mod schemes;
mod shards;
mod streams;
mod tensorboard;
mod terminal;
mod trouble;
