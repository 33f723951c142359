//! Intervals and significance tests: those of scipy and statsmodels, and the limits that random
//! resamples come near.

use chunkeval::stats::{
    Comparison, Correction, McNemar, Mean, Proportion, ProportionMethod, Resampling, Values,
    exact_randomisation,
};
use chunkeval_tests::{Kind, Line, Tally, golden};
use serde_json::Value;

#[test]
fn statistics_equal_scipy_and_statsmodels() {
    let mut tally = Tally::new("golden statistics");
    for line in golden(Kind::Stats) {
        let ran = match line.value["fn"].as_str().unwrap_or_default() {
            "proportion_ci" => proportion(&line),
            "mcnemar" => mcnemar(&line),
            "multiple_testing" => multiple_testing(&line),
            "approximate_randomisation" => randomisation(&line),
            "paired_bootstrap" => bootstrap(&line),
            "degenerate_pair" => degenerate(&line),
            _ => Err("a function that is not ours"),
        };
        match ran {
            Ok(()) => tally.ran(),
            Err(why) => tally.skip(&line.place, why),
        }
    }
    tally.expect(109);
    assert!(tally.count() > 0, "no vectors of statistics");
}

/// Why a line did not run.
type Ran = Result<(), &'static str>;

fn proportion(line: &Line) -> Ran {
    let input = &line.value["input"];
    let level = 1.0 - number(&line.value["params"]["alpha"]).ok_or("no alpha")?;
    let counts = input["successes"].as_u64().zip(input["n"].as_u64());
    let (successes, trials) = counts.ok_or("counts that are no whole numbers")?;
    let proportion = Proportion::new(successes, trials);
    if line.value["expect"].get("error").is_some() {
        assert!(proportion.is_err(), "{}", line.place);
        return Ok(());
    }
    let proportion = proportion.unwrap_or_else(|e| panic!("{}: {e}", line.place));
    for (method, name) in [
        (ProportionMethod::Wilson, "wilson"),
        (ProportionMethod::Normal, "normal"),
        (ProportionMethod::ClopperPearson, "clopper_pearson"),
        (ProportionMethod::AgrestiCoull, "agresti_coull"),
        (ProportionMethod::Jeffreys, "jeffreys"),
    ] {
        let Some(expected) = numbers(&line.value["expect"][name]) else { continue };
        let (low, high) = proportion.interval(method, level).unwrap();
        near(line, name, low, expected[0]);
        near(line, name, high, expected[1]);
    }
    Ok(())
}

fn mcnemar(line: &Line) -> Ran {
    let (input, expected) = (&line.value["input"], &line.value["expect"]);
    let count = |key: &str| input[key].as_u64().ok_or("counts that are no whole numbers");
    let (first_only, second_only) = (count("b_first_only_right")?, count("c_second_only_right")?);
    let test = McNemar { first_only, second_only };
    near(line, "exact", test.exact(), number(&expected["exact"]).ok_or("no exact p-value")?);
    for (found, name) in
        [(test.chi_squared(), "chi2"), (test.chi_squared_corrected(), "chi2_corrected")]
    {
        let outcome = expected.get(name).filter(|outcome| outcome.is_object());
        assert_eq!(found.is_some(), outcome.is_some(), "{}: {name}", line.place);
        if let Some((found, expected)) = found.zip(outcome) {
            near(line, name, found.statistic, number(&expected["statistic"]).unwrap());
            near(line, name, found.p_value, number(&expected["pvalue"]).unwrap());
        }
    }
    Ok(())
}

fn multiple_testing(line: &Line) -> Ran {
    let p_values =
        numbers(&line.value["input"]["pvalues"]).ok_or("p-values that are no numbers")?;
    for (correction, name) in [
        (Correction::Bonferroni, "bonferroni"),
        (Correction::Holm, "holm"),
        (Correction::BenjaminiHochberg, "bh"),
        (Correction::BenjaminiYekutieli, "by"),
    ] {
        let Some(expected) = numbers(&line.value["expect"][name]) else { continue };
        let found = correction.adjust(&p_values).unwrap();
        assert_eq!(found.len(), expected.len(), "{}: {name}", line.place);
        found.iter().zip(expected).for_each(|(&found, p)| near(line, name, found, p));
    }
    Ok(())
}

fn randomisation(line: &Line) -> Ran {
    let (params, expected) = (&line.value["params"], &line.value["expect"]);
    if params["two_sided"] != true || params["compare"] != ">=" {
        return Err("a test that is not two-sided, or counts with >");
    }
    let (first, second) = systems(line)?;
    let exact_p = number(&expected["exact_p"]).ok_or("no exact p-value")?;
    let found = resampling(line).approximate_randomisation(&first, &second, Mean::mean).unwrap();
    within(line, "p", found.p_value, exact_p, &expected["band"]);
    near(line, "mean_difference", found.difference, number(&expected["mean_difference"]).unwrap());
    if found.units <= 20 {
        near(line, "exact_p", exact(&first, &second).p_value, exact_p);
    }
    if let Some(p) = number(&expected["mcnemar_exact"]) {
        let right = |key: &str| -> Vec<bool> {
            numbers(&line.value["input"][key]).unwrap().iter().map(|&score| score > 0.5).collect()
        };
        near(line, "mcnemar_exact", McNemar::of(&right("a"), &right("b")).unwrap().exact(), p);
    }
    Ok(())
}

/// `p_two_sided_shifted_strict` counts with `>` and `p_one_sided_sign` means nothing at a
/// difference of 0: neither is ours.
fn bootstrap(line: &Line) -> Ran {
    let expected = &line.value["expect"];
    let (first, second) = systems(line)?;
    let how = resampling(line);
    let found = how.paired_bootstrap(&first, &second, Mean::mean).unwrap();
    for (score, name) in
        [(found.first, "mean_a"), (found.second, "mean_b"), (found.difference, "difference")]
    {
        let expected = number(&expected[name]).ok_or("no means")?;
        assert!((score - expected).abs() <= 1e-12, "{}: {name} {score}", line.place);
    }
    let limit = number(&expected["p_two_sided_shifted"]).ok_or("no p-value")?;
    within(line, "p", found.p_value, limit, &expected["band_p"]);
    let of_first = how.interval(&first, Mean::mean).unwrap();
    let of_difference = found.interval.unwrap();
    for (interval, limits, band) in [
        (of_first, "ci95_mean_a_percentile", "band_ci_a"),
        (of_difference, "ci95_difference_percentile", "band_ci_difference"),
    ] {
        let limits = numbers(&expected[limits]).ok_or("no interval")?;
        within(line, "low end", interval.low, limits[0], &expected[band]);
        within(line, "high end", interval.high, limits[1], &expected[band]);
    }
    Ok(())
}

/// A p-value of 0 is that of infinitely many resamples of which none is as extreme.
fn degenerate(line: &Line) -> Ran {
    let expected = &line.value["expect"];
    let (first, second) = systems(line)?;
    let found = resampling(line).paired_bootstrap(&first, &second, Mean::mean).unwrap();
    let share = f64::from(found.as_extreme) / f64::from(found.resamples);
    near(line, "shifted", share, number(&expected["p_two_sided_shifted"]).ok_or("no p-value")?);
    assert!(found.p_value > 0.0 && found.p_value <= 1.0, "{}: {found}", line.place);
    if let Some(p) = number(&expected["ar_exact_p"]).filter(|_| found.units <= 20) {
        near(line, "ar_exact_p", exact(&first, &second).p_value, p);
    }
    Ok(())
}

fn exact(first: &Values, second: &Values) -> Comparison {
    exact_randomisation(first, second, Mean::mean).unwrap()
}

/// As many resamples as the line names, and intervals of its confidence.
fn resampling(line: &Line) -> Resampling {
    let resamples = line.value["expect"]["samples"].as_u64().unwrap_or(10_000);
    let level = number(&line.value["params"]["confidence"]).unwrap_or(0.95);
    Resampling::new(u32::try_from(resamples).unwrap()).level(level)
}

/// The scores of two systems.
fn systems(line: &Line) -> Result<(Values, Values), &'static str> {
    let scores = |key: &str| {
        let scores = numbers(&line.value["input"][key]);
        scores.and_then(|s| Values::new(&s).ok()).ok_or("scores that are no numbers")
    };
    Ok((scores("a")?, scores("b")?))
}

fn near(line: &Line, what: &str, found: f64, expected: f64) {
    let tolerance = number(&line.value["tol"]).unwrap_or(0.0);
    let close = (found - expected).abs() <= tolerance;
    assert!(close, "{}: {what} is {found}, expected {expected}", line.place);
}

/// That a random result lies within a band around its limit.
fn within(line: &Line, what: &str, found: f64, limit: f64, band: &Value) {
    let band = number(band).unwrap();
    let close = (found - limit).abs() <= band;
    assert!(close, "{}: {what} is {found}, expected {limit} ± {band}", line.place);
}

fn number(value: &Value) -> Option<f64> {
    value.as_f64()
}

fn numbers(value: &Value) -> Option<Vec<f64>> {
    value.as_array()?.iter().map(number).collect()
}
