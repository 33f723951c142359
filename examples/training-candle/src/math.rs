//! Exponential, sigmoid and tanh in `f32`, written so that the compiler vectorises them.
//!
//! The standard library's `exp` and `tanh` are calls, one per number, and would take most of a
//! training step. These are straight-line arithmetic. Their error bounds are tested below.

/// Coefficients of the Taylor series of `e^r`, from degree 6 down. For `|r| <= ln 2 / 2` the
/// rest is below 1.2e-7 of the value.
const SERIES: [f32; 7] = [1.0 / 720.0, 1.0 / 120.0, 1.0 / 24.0, 1.0 / 6.0, 0.5, 1.0, 1.0];

/// Adding and subtracting 1.5 * 2^23 rounds a small `f32` to the nearest integer.
const ROUNDER: f32 = 12_582_912.0;

/// ln 2 in two parts, so that `x - k ln 2` keeps its low bits.
const LN2_HIGH: f32 = 0.693_359_4;
const LN2_LOW: f32 = -2.121_944_4e-4;

/// `e^x` with a relative error below 3e-7, for `x` in [-87, 88]; outside, the value at the end
/// of that range. NaN stays NaN.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    // Comparisons instead of max/min: those would turn a NaN into a number.
    let x = if x < -87.0 { -87.0 } else { x };
    let x = if x > 88.0 { 88.0 } else { x };
    let shifted = x * std::f32::consts::LOG2_E + ROUNDER;
    let k = shifted - ROUNDER;
    let r = (x - k * LN2_HIGH) - k * LN2_LOW;
    let mut value = SERIES[0];
    for c in &SERIES[1..] {
        value = value * r + c;
    }
    // The low bits of `shifted` are k as an integer; moved up they become the exponent.
    let scale = f32::from_bits((shifted.to_bits().wrapping_add(127)) << 23);
    value * scale
}

/// `1 / (1 + e^-x)` with an absolute error below 2e-7.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + exp(-x))
}

/// Hyperbolic tangent with an absolute error below 4e-7.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    1.0 - 2.0 / (1.0 + exp(2.0 * x))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every 997th `f32` pattern of both signs up to 100, besides the special values.
    fn samples() -> impl Iterator<Item = f32> {
        (0..100.0f32.to_bits())
            .step_by(997)
            .flat_map(|bits| [f32::from_bits(bits), -f32::from_bits(bits)])
    }

    #[test]
    fn exp_keeps_its_bound() {
        let worst = samples()
            .filter(|x| (-87.0..=88.0).contains(x))
            .map(|x| {
                let want = f64::from(x).exp();
                (f64::from(exp(x)) - want).abs() / want
            })
            .fold(0.0, f64::max);
        assert!(worst < 3e-7, "{worst}");
    }

    #[test]
    fn sigmoid_and_tanh_keep_their_bounds() {
        let (mut of_sigmoid, mut of_tanh) = (0.0f64, 0.0f64);
        for x in samples() {
            let wide = f64::from(x);
            of_sigmoid =
                of_sigmoid.max((f64::from(sigmoid(x)) - 1.0 / (1.0 + (-wide).exp())).abs());
            of_tanh = of_tanh.max((f64::from(tanh(x)) - wide.tanh()).abs());
        }
        assert!(of_sigmoid < 2e-7, "{of_sigmoid}");
        assert!(of_tanh < 4e-7, "{of_tanh}");
    }

    #[test]
    fn special_values() {
        assert!(exp(f32::NAN).is_nan() && sigmoid(f32::NAN).is_nan() && tanh(f32::NAN).is_nan());
        assert_eq!(exp(0.0), 1.0);
        assert_eq!(tanh(f32::INFINITY), 1.0);
        assert_eq!(tanh(f32::NEG_INFINITY), -1.0);
        assert_eq!(sigmoid(f32::INFINITY), 1.0);
        assert!(sigmoid(f32::NEG_INFINITY) < 1e-37);
    }
}
