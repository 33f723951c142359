//! A conditional random field against enumeration of all paths, and its gradients against finite
//! differences; the tests of each network run all of it.

use std::collections::BTreeMap;

use training_loop::model::random::initial;

/// A field, as numbers in and numbers out. Its variables are called `transitions` `[C, C]` (from,
/// to), `start` and `stop` `[C]`.
pub(crate) trait Field {
    fn new(variables: &BTreeMap<&str, Vec<f32>>) -> Self;

    /// The mean loss of the rows of logits `[B, T, C]`.
    fn loss(&self, logits: &Logits, labels: &[i64], lengths: &[usize]) -> Result<f32, String>;

    /// Its gradients.
    fn gradients(&self, logits: &Logits, labels: &[i64], lengths: &[usize]) -> Gradients;

    /// The best path of each row.
    fn decode(&self, logits: &Logits, lengths: &[usize]) -> Result<Vec<Vec<u32>>, String>;
}

#[derive(Clone)]
pub(crate) struct Logits {
    pub(crate) values: Vec<f32>,
    pub(crate) shape: [usize; 3],
}

/// Of the field's variables, and of `logits`.
pub(crate) type Gradients = BTreeMap<&'static str, Vec<f32>>;

/// All tests, for one field.
macro_rules! suite {
    ($field:ident: $($test:ident),+) => {
        $(#[test]
        fn $test() {
            crate::crf::$test::<$field>();
        })+
    };
    ($field:ident) => {
        crate::crf::suite! {
            $field: loss_and_best_path_equal_enumeration, gradients_equal_finite_differences,
            scores_far_apart_stay_finite, ties_go_to_the_lowest_tag, padding_changes_nothing,
            bad_input_names_its_place
        }
    };
}
pub(crate) use suite;

const LENGTHS: [usize; 5] = [1, 4, 0, 5, 2];
const WIDTH: usize = 6;

type Variables = BTreeMap<&'static str, Vec<f32>>;

fn numbers(seed: u64, count: usize, size: f32) -> Vec<f32> {
    initial(seed, 0, count, size)
}

fn variables(tags: usize, seed: u64, size: f32) -> Variables {
    BTreeMap::from([
        ("start", numbers(seed, tags, size)),
        ("stop", numbers(seed + 1, tags, size)),
        ("transitions", numbers(seed + 2, tags * tags, size)),
    ])
}

fn logits(rows: usize, tags: usize, seed: u64, size: f32) -> Logits {
    let shape = [rows, WIDTH, tags];
    Logits { values: numbers(seed, rows * WIDTH * tags, size), shape }
}

impl Logits {
    fn row(&self, row: usize) -> &[f32] {
        let size = self.shape[1] * self.shape[2];
        &self.values[row * size..(row + 1) * size]
    }
}

/// Every path of `length` tags with its score, in lexicographic order.
fn paths(variables: &Variables, logits: &[f32], length: usize) -> Vec<(Vec<u32>, f64)> {
    let (start, stop) = (&variables["start"], &variables["stop"]);
    let tags = start.len();
    (0..tags.pow(length as u32))
        .map(|mut code| {
            let mut path = vec![0u32; length];
            for tag in path.iter_mut().rev() {
                *tag = (code % tags) as u32;
                code /= tags;
            }
            let mut score = f64::from(start[path[0] as usize]);
            for (t, &tag) in path.iter().enumerate() {
                score += f64::from(logits[t * tags + tag as usize]);
                if t > 0 {
                    let from = path[t - 1] as usize;
                    score += f64::from(variables["transitions"][from * tags + tag as usize]);
                }
            }
            score += f64::from(stop[path[length - 1] as usize]);
            (path, score)
        })
        .collect()
}

fn log_sum(paths: &[(Vec<u32>, f64)]) -> f64 {
    let most = paths.iter().map(|p| p.1).fold(f64::MIN, f64::max);
    most + paths.iter().map(|p| (p.1 - most).exp()).sum::<f64>().ln()
}

pub(crate) fn loss_and_best_path_equal_enumeration<F: Field>() {
    for (tags, size) in [(1, 1.0), (2, 3.0), (3, 0.5), (4, 40.0)] {
        let variables = variables(tags, tags as u64, size);
        let field = F::new(&variables);
        let logits = logits(LENGTHS.len(), tags, 99, 3.0);
        let labels: Vec<i64> = (0..LENGTHS.len() * WIDTH).map(|i| (i * 7 % tags) as i64).collect();
        let loss = field.loss(&logits, &labels, &LENGTHS).unwrap();
        let decoded = field.decode(&logits, &LENGTHS).unwrap();
        let mut want = 0.0;
        for (row, &length) in LENGTHS.iter().enumerate() {
            if length == 0 {
                assert!(decoded[row].is_empty());
                continue;
            }
            let all = paths(&variables, logits.row(row), length);
            let gold: Vec<u32> =
                labels[row * WIDTH..][..length].iter().map(|&label| label as u32).collect();
            let gold = all.iter().find(|(path, _)| *path == gold).unwrap();
            want += (log_sum(&all) - gold.1) / LENGTHS.len() as f64;
            let best = all.iter().map(|p| p.1).fold(f64::MIN, f64::max);
            let got = all.iter().find(|(path, _)| *path == decoded[row]).unwrap();
            assert!(best - got.1 < 1e-4, "{tags} tags, row {row}");
        }
        let loss = f64::from(loss);
        assert!((loss - want).abs() < 1e-5 * (1.0 + want), "{tags} tags: {loss}, not {want}");
    }
}

pub(crate) fn gradients_equal_finite_differences<F: Field>() {
    const STEP: f32 = 1e-2;
    for tags in [2, 3, 5] {
        let given = logits(LENGTHS.len(), tags, 41, 1.0);
        let mut numbers = variables(tags, 40, 1.0);
        let labels: Vec<i64> = (0..LENGTHS.len() * WIDTH).map(|i| (i * 5 % tags) as i64).collect();
        numbers.insert("logits", given.values.clone());
        let gradients = F::new(&numbers).gradients(&given, &labels, &LENGTHS);
        assert_eq!(gradients.len(), 4);
        for (name, gradient) in gradients {
            for (i, &analytic) in gradient.iter().enumerate() {
                let original = numbers[name][i];
                let mut at = |offset: f32| {
                    numbers.get_mut(name).unwrap()[i] = original + offset;
                    let logits = Logits { values: numbers["logits"].clone(), shape: given.shape };
                    f64::from(F::new(&numbers).loss(&logits, &labels, &LENGTHS).unwrap())
                };
                // Richardson's extrapolation: the error of order STEP^2 cancels.
                let coarse = (at(2.0 * STEP) - at(-2.0 * STEP)) / (4.0 * f64::from(STEP));
                let fine = (at(STEP) - at(-STEP)) / (2.0 * f64::from(STEP));
                at(0.0);
                let (analytic, numeric) = (f64::from(analytic), (4.0 * fine - coarse) / 3.0);
                assert!(
                    (analytic - numeric).abs() < 3e-4 * (1.0 + numeric.abs()),
                    "{name}[{i}]: {analytic} but differences give {numeric}"
                );
            }
        }
    }
}

pub(crate) fn scores_far_apart_stay_finite<F: Field>() {
    // The likely path goes through a transition of -1000, which beats every other by the logits.
    let mut variables = variables(2, 1, 0.0);
    variables.insert("transitions", vec![0.0, -1000.0, 0.0, 0.0]);
    let field = F::new(&variables);
    let values = vec![5000.0, 0.0, 0.0, 3000.0, 0.0, 0.0];
    let logits = Logits { values, shape: [1, 3, 2] };
    // Two paths are equally likely: 0 1 0 and 0 1 1.
    let loss = field.loss(&logits, &[0, 1, 1], &[3]).unwrap();
    assert!((f64::from(loss) - 2f64.ln()).abs() < 1e-4, "{loss}");
    assert_eq!(field.decode(&logits, &[3]).unwrap(), [[0, 1, 0]]);
}

pub(crate) fn ties_go_to_the_lowest_tag<F: Field>() {
    let field = F::new(&variables(3, 1, 0.0));
    let logits = Logits { values: vec![0.0; 18], shape: [2, 3, 3] };
    assert_eq!(field.decode(&logits, &[3, 1]).unwrap(), [vec![0, 0, 0], vec![0]]);
    let logits = Logits { values: vec![0.0, 1.0, 1.0, 2.0, 2.0, 0.0], shape: [1, 2, 3] };
    assert_eq!(field.decode(&logits, &[2]).unwrap(), [[1, 0]]);
}

pub(crate) fn padding_changes_nothing<F: Field>() {
    let field = F::new(&variables(3, 8, 1.0));
    let lengths = [2, 3];
    let run = |width: usize, filler: f32, label: i64| {
        let mut values = vec![filler; 2 * width * 3];
        let mut labels = vec![label; 2 * width];
        for (row, &length) in lengths.iter().enumerate() {
            let known = numbers(row as u64, length * 3, 1.0);
            values[row * width * 3..][..known.len()].copy_from_slice(&known);
            labels[row * width..][..length].fill(1);
        }
        let logits = Logits { values, shape: [2, width, 3] };
        let mut all = vec![field.loss(&logits, &labels, &lengths).unwrap()];
        for (name, gradient) in field.gradients(&logits, &labels, &lengths) {
            if name != "logits" {
                all.extend(gradient);
                continue;
            }
            for (row, &length) in lengths.iter().enumerate() {
                let (used, padding) =
                    gradient[row * width * 3..(row + 1) * width * 3].split_at(length * 3);
                assert!(padding.iter().all(|v| *v == 0.0));
                all.extend(used);
            }
        }
        (all, field.decode(&logits, &lengths).unwrap())
    };
    let narrow = run(3, 0.0, 0);
    assert_eq!(narrow, run(3, f32::NAN, i64::MAX));
    assert_eq!(narrow, run(8, f32::INFINITY, 77));
}

pub(crate) fn bad_input_names_its_place<F: Field>() {
    let field = F::new(&variables(3, 8, 1.0));
    let logits = Logits { values: numbers(1, 18, 1.0), shape: [2, 3, 3] };
    let labels = [0, 1, 2, 0, 3, 3];
    let message =
        |labels: &[i64], lengths: &[usize]| field.loss(&logits, labels, lengths).unwrap_err();
    assert!(message(&labels, &[3, 2]).contains("row 1, column 1: label 3"));
    assert!(message(&labels, &[3, 4]).contains("row 1: length 4"));
    assert!(message(&labels, &[3]).contains("[2, 3, 3]"));
    assert!(field.loss(&logits, &labels, &[3, 1]).is_ok(), "padding is not read");
    assert!(message(&[0, 1, -100, 0, 0, 0], &[3, 3]).contains("row 0, column 2: label -100"));
    let values = vec![0.0, 0.0, 0.0, 0.0, f32::NAN, 0.0];
    let nan = Logits { values, shape: [1, 2, 3] };
    let error = field.decode(&nan, &[2]).unwrap_err();
    assert!(error.contains("row 0, column 1"), "{error}");
    assert_eq!(field.decode(&nan, &[1]).unwrap()[0].len(), 1);
}
