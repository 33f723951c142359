//! Batch, learning rate, length.

use clap::Args as Group;

use super::numbers::count;
use super::{at_least_one, number, positive};
use crate::settings::Length;

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Training")]
pub(super) struct Training {
    /// Sentences in a batch, or windows of long ones
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = at_least_one,
          allow_negative_numbers = true)]
    pub(super) batch: usize,
    /// Highest learning rate; it rises over the first 5% of the steps and then falls
    #[arg(long, value_name = "RATE", value_parser = positive, allow_negative_numbers = true)]
    pub(super) lr: Option<f64>,
    /// Evaluate the dev set every N steps
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count,
          allow_negative_numbers = true)]
    pub(super) every: u64,
    /// Seed of initial weights, order and dropout
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number,
          allow_negative_numbers = true)]
    pub(super) seed: u64,
}

#[derive(Clone, Debug, Group)]
#[command(next_help_heading = "Length (also with --resume)")]
pub(super) struct Extent {
    /// Rounds over the training set
    #[arg(long, value_name = "N", conflicts_with = "steps", value_parser = count,
          allow_negative_numbers = true)]
    pub(super) epochs: Option<u64>,
    /// Steps, in place of epochs
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(super) steps: Option<u64>,
    /// End early after N evaluations in a row that are not the best [default: never]
    #[arg(long, value_name = "N", value_parser = count, allow_negative_numbers = true)]
    pub(super) patience: Option<u64>,
}

impl Extent {
    /// When training ends, if the user says it.
    pub(super) fn length(&self) -> Option<Length> {
        self.steps.map(Length::Steps).or(self.epochs.map(Length::Epochs))
    }
}
