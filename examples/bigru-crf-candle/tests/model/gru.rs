//! The GRU against a scalar reference, and its gradients against finite differences.

use crate::gradients::{check_gradients, flat, numbers, variable};
use bigru_crf_candle::model::gru::BiGru;
use candle_core::{Device, Tensor, Var};
use training_candle::params::Params;

const INPUT: usize = 3;
const HIDDEN: usize = 5;

fn layer() -> (Params, BiGru) {
    let mut params = Params::new(3);
    let layer = BiGru::new(&mut params, "", 0, INPUT, HIDDEN).unwrap();
    (params, layer)
}

fn weights(params: &Params, name: &str) -> Vec<f64> {
    let (_, var) = params.iter().find(|(n, _)| *n == name).unwrap();
    flat(var).into_iter().map(f64::from).collect()
}

/// `matrix[rows from, rows from + HIDDEN] * x + bias`, one gate's share.
fn affine(matrix: &[f64], bias: &[f64], gate: usize, x: &[f64]) -> Vec<f64> {
    (gate * HIDDEN..(gate + 1) * HIDDEN)
        .map(|row| {
            let products = matrix[row * x.len()..].iter().zip(x).map(|(w, x)| w * x);
            bias[row] + products.sum::<f64>()
        })
        .collect()
}

/// PyTorch's formulas, one row, one direction, in double precision, tokens in visiting order.
fn reference(params: &Params, suffix: &str, tokens: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let get = |kind: &str| weights(params, &format!("{kind}_l0{suffix}"));
    let (w_ih, w_hh) = (get("weight_ih"), get("weight_hh"));
    let (b_ih, b_hh) = (get("bias_ih"), get("bias_hh"));
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let mut h = vec![0.0; HIDDEN];
    tokens
        .iter()
        .map(|x| {
            let [xr, xz, xn] = [0, 1, 2].map(|gate| affine(&w_ih, &b_ih, gate, x));
            let [hr, hz, hn] = [0, 1, 2].map(|gate| affine(&w_hh, &b_hh, gate, &h));
            for k in 0..HIDDEN {
                let r = sigmoid(xr[k] + hr[k]);
                let z = sigmoid(xz[k] + hz[k]);
                let n = (xn[k] + r * hn[k]).tanh();
                h[k] = (1.0 - z) * n + z * h[k];
            }
            h.clone()
        })
        .collect()
}

#[test]
fn equals_the_scalar_reference() {
    let (params, layer) = layer();
    for lengths in [&[4, 1, 7, 0, 4][..], &[1], &[7, 7], &[0]] {
        let inputs = variable(11, &[lengths.len(), 7, INPUT]);
        let outputs = layer.forward(&inputs, lengths).unwrap();
        let (inputs, outputs) =
            (inputs.to_vec3::<f32>().unwrap(), outputs.to_vec3::<f32>().unwrap());
        for (row, &length) in lengths.iter().enumerate() {
            let mut tokens: Vec<Vec<f64>> = inputs[row][..length]
                .iter()
                .map(|x| x.iter().copied().map(f64::from).collect())
                .collect();
            let forward = reference(&params, "", &tokens);
            tokens.reverse();
            let mut backward = reference(&params, "_reverse", &tokens);
            backward.reverse();
            for t in 0..7 {
                let want: Vec<f64> = match t < length {
                    true => [forward[t].clone(), backward[t].clone()].concat(),
                    false => vec![0.0; 2 * HIDDEN],
                };
                for (got, want) in outputs[row][t].iter().zip(want) {
                    assert!((f64::from(*got) - want).abs() < 1e-5, "row {row}, token {t}");
                }
            }
        }
    }
}

#[test]
fn gradients_equal_finite_differences() {
    let (params, layer) = layer();
    let inputs = variable(5, &[3, 4, INPUT]);
    let lengths = [2, 4, 1];
    let mix = Tensor::from_vec(numbers(6, 3 * 4 * 2 * HIDDEN), (3, 4, 2 * HIDDEN), &Device::Cpu);
    let mix = mix.unwrap();
    let mut vars: Vec<(&str, &Var)> = params.iter().collect();
    vars.push(("inputs", &inputs));
    assert_eq!(vars.len(), 9);
    check_gradients(&vars, || Ok((layer.forward(&inputs, &lengths)? * &mix)?.sum_all()?));
}

#[test]
fn padding_changes_nothing() {
    let (params, layer) = layer();
    let lengths = [3, 2];
    let run = |width: usize, seed: u64| {
        let mut values = numbers(seed, 2 * width * INPUT);
        for (row, &length) in lengths.iter().enumerate() {
            let known = numbers(row as u64, length * INPUT);
            values[row * width * INPUT..][..known.len()].copy_from_slice(&known);
        }
        let inputs = Var::from_vec(values, (2, width, INPUT), &Device::Cpu).unwrap();
        let outputs = layer.forward(&inputs, &lengths).unwrap();
        let gradients = outputs.sqr().unwrap().sum_all().unwrap().backward().unwrap();
        let to_inputs = gradients.get(&inputs).unwrap().clone();
        let cut = |tensor: &Tensor| -> Vec<f32> {
            let rows = lengths.iter().enumerate();
            rows.flat_map(|(row, &length)| {
                let (used, padding) = (
                    tensor.get(row).unwrap().narrow(0, 0, length).unwrap(),
                    tensor.get(row).unwrap().narrow(0, length, width - length).unwrap(),
                );
                assert!(flat(&padding).iter().all(|v| *v == 0.0));
                flat(&used)
            })
            .collect()
        };
        let mut all = cut(&outputs);
        all.extend(cut(&to_inputs));
        for (_, var) in params.iter() {
            all.extend(flat(gradients.get(var).unwrap()));
        }
        all
    };
    let close = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-5);
    let narrow = run(3, 21);
    assert_eq!(narrow, run(3, 22), "other numbers in the padding");
    assert!(close(&narrow, &run(9, 23)), "more padding");
}

#[test]
fn lengths_that_do_not_fit_are_errors() {
    let (_, layer) = layer();
    let inputs = variable(5, &[2, 4, INPUT]);
    let error = layer.forward(&inputs, &[4]).unwrap_err().to_string();
    assert!(error.contains("2 rows but 1 lengths"), "{error}");
    let error = layer.forward(&inputs, &[4, 5]).unwrap_err().to_string();
    assert!(error.contains("row 1") && error.contains('5'), "{error}");
}
