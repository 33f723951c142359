//! The beta distribution for any number of trials.
//!
//! statrs 0.19.1 has it for some ten thousand trials. Beyond, its continued fraction is cut off
//! before it has come near (it gives probabilities below 0 for 10⁸ trials), and where quantiles
//! lie close to 0 or 1 its search for them does not end.

use std::f64::consts::PI;

use statrs::distribution::{Beta, ContinuousCDF as _};
use statrs::function::erf::erfc;

/// If both parameters are as large, the expansion for large ones has the lesser error, some 1e-8.
const LARGE: f64 = 1e4;

/// The distribution function of Beta(`a`, `b`) at `x`, for positive parameters. Where one is below
/// [`LARGE`] and the other is 10⁹, the error is some 1e-6.
pub(crate) fn cdf(a: f64, b: f64, x: f64) -> f64 {
    match a.min(b) < LARGE {
        true => Beta::new(a, b).map_or(f64::NAN, |beta| beta.cdf(x)),
        false => of_large(a, b, x),
    }
}

/// The uniform asymptotic expansion up to its first term: Temme 1996, DLMF 8.18.14.
fn of_large(a: f64, b: f64, x: f64) -> f64 {
    let n = a + b;
    let (mean, rest) = (a / n, b / n);
    let away = x - mean;
    // η²/2 is the divergence of (x, 1 - x) from the means.
    let half = -(mean * (away / mean).ln_1p() + rest * (-away / rest).ln_1p()).min(0.0);
    let eta = (2.0 * half).sqrt().copysign(away);
    let deviation = (mean * rest).sqrt();
    let first = match eta.abs() > 1e-5 {
        true => 1.0 / eta - deviation / away,
        false => (1.0 - 2.0 * mean) / (3.0 * deviation), // the limit at the mean
    };
    let correction = first * (-n * half).exp() / (2.0 * PI * n).sqrt();
    (0.5 * erfc(-eta * (n / 2.0).sqrt()) + correction).clamp(0.0, 1.0)
}

/// The quantile at `p` of Beta(`a`, `b`), by halving.
pub(crate) fn quantile(a: f64, b: f64, p: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if cdf(a, b, middle) < p { low = middle } else { high = middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_scipy() {
        // scipy 1.17.1: scipy.stats.beta.cdf(x, a, b)
        for (a, b, x, expected) in [
            (3.5, 200.0, 0.012642086709423996, 0.3547739949815168),
            (3.5, 200.0, 0.0171990171990172, 0.5693149155588414),
            (3.5, 200.0, 0.01811040329693584, 0.6072321895357796),
            (3.5, 200.0, 0.035426739157390016, 0.9572940406796275),
            (9999.0, 20000.0, 0.3265069722072892, 0.006082759868317279),
            (9999.0, 20000.0, 0.33195028273773436, 0.30889805736243986),
            (9999.0, 20000.0, 0.33331111037034566, 0.5005429849333215),
            (9999.0, 20000.0, 0.3335832758968679, 0.5403623307835375),
            (9999.0, 20000.0, 0.33875442090079083, 0.9770325524292269),
            (10000.0, 10000.0, 0.4911611652351682, 0.006206789624375997),
            (10000.0, 10000.0, 0.4982322330470336, 0.30853918902124694),
            (10000.0, 10000.0, 0.5, 0.4999999999999989),
            (10000.0, 10000.0, 0.5003535533905933, 0.5398273460512779),
            (10000.0, 10000.0, 0.5070710678118655, 0.9772539176189615),
            (100000.0, 10000000.0, 0.009823104359464412, 0.006114252687747988),
            (100000.0, 10000000.0, 0.009885412951100804, 0.30881174104044007),
            (100000.0, 10000000.0, 0.009900990099009901, 0.5004142507931989),
            (100000.0, 10000000.0, 0.00990410552859172, 0.5402358682459956),
            (100000.0, 10000000.0, 0.009963298690646293, 0.9770819503846874),
            (100000000.0, 100000000.0, 0.4999116116523517, 0.006209665038192061),
            (100000000.0, 100000000.0, 0.49998232233047035, 0.3085375388916205),
            (100000000.0, 100000000.0, 0.5, 0.5000000000000028),
            (100000000.0, 100000000.0, 0.500003535533906, 0.5398278372286314),
            (100000000.0, 100000000.0, 0.5000707106781187, 0.9772498684567981),
            (300000000.0, 700000000.0, 0.29996377155813453, 0.006208818582333912),
            (300000000.0, 700000000.0, 0.2999927543116269, 0.30853996824282154),
            (300000000.0, 700000000.0, 0.3, 0.5000036706177052),
            (300000000.0, 700000000.0, 0.3000014491376746, 0.539831453051423),
            (300000000.0, 700000000.0, 0.3000289827534924, 0.9772483778610174),
            (10000000000.0, 10000000000.0, 0.4999911611652352, 0.006209665322999211),
            (10000000000.0, 10000000000.0, 0.499998232233047, 0.308537538719688),
            (10000000000.0, 10000000000.0, 0.5, 0.4999999999999935),
            (10000000000.0, 10000000000.0, 0.5000003535533906, 0.5398278372766862),
            (10000000000.0, 10000000000.0, 0.5000070710678118, 0.9772498680559033),
        ] {
            let found = cdf(a, b, x);
            assert!((found - expected).abs() < 5e-8, "{a} {b} {x}: {found} {expected}");
            let back = quantile(a, b, expected);
            let deviation = (a * b).sqrt() / (a + b).powf(1.5);
            assert!((back - x).abs() < 1e-5 * deviation, "{a} {b} {expected}: {back} {x}");
        }
        assert_eq!([0.0, 1.0].map(|x| cdf(1e8, 1e8, x)), [0.0, 1.0]);
    }
}
