//! The CRF against enumeration of all paths, and its gradients against finite differences.

use crate::common::{check_gradients, flat, numbers, variable};
use bigru_crf_candle::model::crf::Crf;
use bigru_crf_candle::model::params::Params;
use candle_core::{Device, Tensor, Var};

/// A CRF with transition scores of some size.
fn crf(tags: usize, seed: u64, size: f64) -> (Params, Crf) {
    let mut params = Params::new(seed);
    let crf = Crf::new(&mut params, "", tags).unwrap();
    for (i, (_, var)) in params.iter().enumerate() {
        let values = numbers(seed + i as u64, var.elem_count());
        let values = Tensor::from_vec(values, var.shape(), &Device::Cpu).unwrap();
        var.set(&(values * size).unwrap()).unwrap();
    }
    (params, crf)
}

fn get(params: &Params, name: &str) -> Vec<f32> {
    flat(params.iter().find(|(n, _)| *n == name).unwrap().1)
}

/// Every path of `length` tags with its score, in lexicographic order.
fn paths(params: &Params, logits: &[f32], length: usize) -> Vec<(Vec<u32>, f64)> {
    let (start, stop) = (get(params, "start"), get(params, "stop"));
    let transitions = get(params, "transitions");
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
                    score += f64::from(transitions[from * tags + tag as usize]);
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

const LENGTHS: [usize; 5] = [1, 4, 0, 5, 2];
const WIDTH: usize = 6;

#[test]
fn loss_and_best_path_equal_enumeration() {
    for (tags, size) in [(1, 1.0), (2, 3.0), (3, 0.5), (4, 40.0)] {
        let (params, crf) = crf(tags, tags as u64, size);
        let values = numbers(99, LENGTHS.len() * WIDTH * tags);
        let logits = Tensor::from_vec(values, (LENGTHS.len(), WIDTH, tags), &Device::Cpu);
        let logits = (logits.unwrap() * 3.0).unwrap();
        let labels: Vec<u32> = (0..LENGTHS.len() * WIDTH).map(|i| (i * 7 % tags) as u32).collect();
        let label_tensor =
            Tensor::from_slice(&labels, (LENGTHS.len(), WIDTH), &Device::Cpu).unwrap();
        let loss = crf.loss(&logits, &label_tensor, &LENGTHS).unwrap();
        let decoded = crf.decode(&logits, &LENGTHS).unwrap();
        let mut want = 0.0;
        for (row, &length) in LENGTHS.iter().enumerate() {
            if length == 0 {
                assert!(decoded[row].is_empty());
                continue;
            }
            let all = paths(&params, &flat(&logits.get(row).unwrap()), length);
            let gold = &labels[row * WIDTH..][..length];
            let gold = all.iter().find(|(path, _)| path == gold).unwrap();
            want += (log_sum(&all) - gold.1) / LENGTHS.len() as f64;
            let best = all.iter().map(|p| p.1).fold(f64::MIN, f64::max);
            let got = all.iter().find(|(path, _)| *path == decoded[row]).unwrap();
            assert!(best - got.1 < 1e-4, "{tags} tags, row {row}");
        }
        let loss = f64::from(loss.to_scalar::<f32>().unwrap());
        assert!((loss - want).abs() < 1e-5 * (1.0 + want), "{tags} tags: {loss}, not {want}");
    }
}

#[test]
fn gradients_equal_finite_differences() {
    for tags in [2, 3, 9] {
        let (params, crf) = crf(tags, 40, 1.0);
        let logits = variable(41, &[LENGTHS.len(), WIDTH, tags]);
        let labels: Vec<u32> = (0..LENGTHS.len() * WIDTH).map(|i| (i * 5 % tags) as u32).collect();
        let labels = Tensor::from_vec(labels, (LENGTHS.len(), WIDTH), &Device::Cpu).unwrap();
        let mut vars: Vec<(&str, &Var)> = params.iter().collect();
        vars.push(("logits", &logits));
        check_gradients(&vars, || crf.loss(&logits, &labels, &LENGTHS));
    }
}

#[test]
fn scores_far_apart_stay_finite() {
    // The likely path goes through a transition of -1000, which beats every other by the logits.
    let (params, crf) = crf(2, 1, 0.0);
    let transitions = &[[0f32, -1000.0], [0.0, 0.0]];
    let (_, var) = params.iter().find(|(n, _)| *n == "transitions").unwrap();
    var.set(&Tensor::new(transitions, &Device::Cpu).unwrap()).unwrap();
    let logits = Tensor::new(&[[[5000f32, 0.0], [0.0, 3000.0], [0.0, 0.0]]], &Device::Cpu).unwrap();
    let labels = Tensor::new(&[[0u32, 1, 1]], &Device::Cpu).unwrap();
    let loss = crf.loss(&logits, &labels, &[3]).unwrap();
    // Two paths are equally likely: 0 1 0 and 0 1 1.
    let loss = f64::from(loss.to_scalar::<f32>().unwrap());
    assert!((loss - 2f64.ln()).abs() < 1e-4, "{loss}");
    assert_eq!(crf.decode(&logits, &[3]).unwrap(), [[0, 1, 0]]);
}

#[test]
fn ties_go_to_the_lowest_tag() {
    let (_, crf) = crf(3, 1, 0.0);
    let logits = Tensor::zeros((2, 3, 3), candle_core::DType::F32, &Device::Cpu).unwrap();
    assert_eq!(crf.decode(&logits, &[3, 1]).unwrap(), [vec![0, 0, 0], vec![0]]);
    let logits = Tensor::new(&[[[0f32, 1.0, 1.0], [2.0, 2.0, 0.0]]], &Device::Cpu).unwrap();
    assert_eq!(crf.decode(&logits, &[2]).unwrap(), [[1, 0]]);
}

#[test]
fn padding_changes_nothing() {
    let (params, crf) = crf(3, 8, 1.0);
    let lengths = [2, 3];
    let run = |width: usize, filler: f32, label: u32| {
        let mut logits = vec![filler; 2 * width * 3];
        let mut labels = vec![label; 2 * width];
        for (row, &length) in lengths.iter().enumerate() {
            let known = numbers(row as u64, length * 3);
            logits[row * width * 3..][..known.len()].copy_from_slice(&known);
            labels[row * width..][..length].fill(1);
        }
        let logits = Var::from_vec(logits, (2, width, 3), &Device::Cpu).unwrap();
        let labels = Tensor::from_vec(labels, (2, width), &Device::Cpu).unwrap();
        let loss = crf.loss(&logits, &labels, &lengths).unwrap();
        let gradients = loss.backward().unwrap();
        let mut all = vec![loss.to_scalar::<f32>().unwrap()];
        for (_, var) in params.iter() {
            all.extend(flat(gradients.get(var).unwrap()));
        }
        let to_logits = gradients.get(&logits).unwrap();
        for (row, &length) in lengths.iter().enumerate() {
            let row = to_logits.get(row).unwrap();
            all.extend(flat(&row.narrow(0, 0, length).unwrap()));
            let padding = flat(&row.narrow(0, length, width - length).unwrap());
            assert!(padding.iter().all(|v| *v == 0.0));
        }
        (all, crf.decode(&logits, &lengths).unwrap())
    };
    let narrow = run(3, 0.0, 0);
    assert_eq!(narrow, run(3, f32::NAN, u32::MAX));
    assert_eq!(narrow, run(8, f32::INFINITY, 77));
}

#[test]
fn bad_input_names_its_place() {
    let (_, crf) = crf(3, 8, 1.0);
    let logits = variable(1, &[2, 3, 3]);
    let labels = Tensor::new(&[[0u32, 1, 2], [0, 3, 3]], &Device::Cpu).unwrap();
    let message = |labels: &Tensor, lengths: &[usize]| {
        crf.loss(&logits, labels, lengths).unwrap_err().to_string()
    };
    assert!(message(&labels, &[3, 2]).contains("row 1, column 1: label 3"));
    assert!(message(&labels, &[3, 4]).contains("row 1: length 4"));
    assert!(message(&labels, &[3]).contains("[2, 3, 3]"));
    assert!(crf.loss(&logits, &labels, &[3, 1]).is_ok(), "padding is not read");
    let signed = Tensor::new(&[[0i64, 1, -100], [0, 0, 0]], &Device::Cpu).unwrap();
    assert!(message(&signed, &[3, 3]).contains("row 0, column 2: label -100"));
    let nan = Tensor::new(&[[[0f32, 0.0, 0.0], [0.0, f32::NAN, 0.0]]], &Device::Cpu).unwrap();
    let error = crf.decode(&nan, &[2]).unwrap_err().to_string();
    assert!(error.contains("row 0, column 1"), "{error}");
    assert_eq!(crf.decode(&nan, &[1]).unwrap()[0].len(), 1);
}
