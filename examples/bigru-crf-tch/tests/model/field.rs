//! The CRF in tch: the tests that all such fields share.

use std::collections::BTreeMap;

use bigru_crf_tch::model::crf::Crf;
use bigru_crf_tch::model::params::Params;
use bigru_crf_tch::model::{Ids, ModelError, scalar};
use tch::{Tensor, no_grad};

use crate::crf::{Field, Gradients, Logits, suite};

struct TchField {
    params: Params,
    crf: Crf,
}

fn tensor(logits: &Logits) -> Tensor {
    Tensor::from_slice(&logits.values).view(logits.shape.map(|n| n as i64))
}

fn flat(tensor: &Tensor) -> Vec<f32> {
    Vec::try_from(tensor.reshape(-1)).unwrap()
}

impl TchField {
    fn run(
        &self,
        logits: &Tensor,
        labels: &[i64],
        lengths: &[usize],
    ) -> Result<Tensor, ModelError> {
        let labels = Ids { values: labels.to_vec(), width: logits.size()[1] as usize };
        self.crf.loss(logits, &labels, lengths)
    }
}

impl Field for TchField {
    fn new(variables: &BTreeMap<&str, Vec<f32>>) -> Self {
        let mut params = Params::new(1);
        let crf = Crf::new(&mut params, "", variables["start"].len()).unwrap();
        no_grad(|| {
            for (name, var) in params.iter() {
                let mut handle = var.shallow_clone();
                handle.copy_(&Tensor::from_slice(&variables[name]).view_as(var));
            }
        });
        Self { params, crf }
    }

    fn loss(&self, logits: &Logits, labels: &[i64], lengths: &[usize]) -> Result<f32, String> {
        let loss = no_grad(|| self.run(&tensor(logits), labels, lengths));
        loss.and_then(|loss| scalar(&loss)).map(|loss| loss as f32).map_err(|e| e.to_string())
    }

    fn gradients(&self, logits: &Logits, labels: &[i64], lengths: &[usize]) -> Gradients {
        let logits = tensor(logits).set_requires_grad(true);
        let loss = self.run(&logits, labels, lengths).unwrap();
        let (mut names, mut vars) = (vec!["logits"], vec![&logits]);
        for (name, var) in self.params.iter() {
            names.extend(["start", "stop", "transitions"].iter().find(|known| **known == name));
            vars.push(var);
        }
        let gradients = Tensor::f_run_backward(&[&loss], &vars, false, false).unwrap();
        names.into_iter().zip(gradients.iter().map(flat)).collect()
    }

    fn decode(&self, logits: &Logits, lengths: &[usize]) -> Result<Vec<Vec<u32>>, String> {
        self.crf.decode(&tensor(logits), lengths).map_err(|e| e.to_string())
    }
}

suite!(TchField);
