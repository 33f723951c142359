//! The constants of the optimiser.

use serde::{Deserialize, Serialize};

/// A size or rate that cannot work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("configuration: {0}")]
pub struct ConfigError(pub String);

/// Adam's constants: what does not change from step to step.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AdamConfig {
    /// Decay rate of the mean of gradients.
    pub beta1: f64,
    /// Decay rate of the mean of squared gradients.
    pub beta2: f64,
    /// Added to the square root in the denominator.
    pub epsilon: f64,
    /// Share of a variable that is taken away per step, times the learning rate.
    pub weight_decay: f64,
    /// The global norm of all gradients is scaled down to at most this.
    pub clip: f64,
}

impl Default for AdamConfig {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, weight_decay: 0.0, clip: 5.0 }
    }
}
