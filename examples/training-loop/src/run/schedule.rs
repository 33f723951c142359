//! The learning rate of each step.

/// Rises in a straight line over the first steps, then falls in a straight line to the end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Schedule {
    peak: f64,
    total: u64,
}

/// The share of all steps over which the rate rises.
const WARM_UP: f64 = 0.05;

/// The rate of the last step, as a share of the highest one.
const LOWEST: f64 = 0.02;

impl Schedule {
    /// A schedule over `total` steps.
    pub fn new(peak: f64, total: u64) -> Self {
        Self { peak, total }
    }

    /// The rate of a step, counted from 0.
    ///
    /// ```
    /// use training_loop::run::Schedule;
    ///
    /// let schedule = Schedule::new(1.0, 100);
    /// assert_eq!([0, 1, 4].map(|step| schedule.rate(step)), [0.2, 0.4, 1.0]);
    /// assert!(schedule.rate(5) > schedule.rate(6));
    /// assert!((schedule.rate(99) - 0.02).abs() < 1e-12);
    /// ```
    pub fn rate(&self, step: u64) -> f64 {
        let rising = (self.total as f64 * WARM_UP).floor();
        let step = step as f64;
        if step < rising {
            return self.peak * (step + 1.0) / rising;
        }
        let falling = (self.total as f64 - rising - 1.0).max(1.0);
        let done = ((step - rising) / falling).min(1.0);
        self.peak * (1.0 - done * (1.0 - LOWEST))
    }
}
