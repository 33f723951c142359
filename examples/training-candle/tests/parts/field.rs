//! The CRF in candle: the tests that all such fields share.

use std::collections::BTreeMap;

use candle_core::{Device, Tensor, Var};
use training_candle::ModelError;
use training_candle::crf::Crf;
use training_candle::params::Params;

use crate::crf::{Field, Gradients, Logits, suite};
use crate::flat;

struct CandleField {
    params: Params,
    crf: Crf,
}

impl CandleField {
    fn run(
        &self,
        logits: &Tensor,
        labels: &[i64],
        lengths: &[usize],
    ) -> Result<Tensor, ModelError> {
        let (rows, width, _) = logits.dims3()?;
        let labels = Tensor::from_slice(labels, (rows, width), &Device::Cpu)?;
        self.crf.loss(logits, &labels, lengths)
    }
}

fn variable(logits: &Logits) -> Var {
    Var::from_slice(&logits.values, &logits.shape[..], &Device::Cpu).unwrap()
}

impl Field for CandleField {
    fn new(variables: &BTreeMap<&str, Vec<f32>>) -> Self {
        let mut params = Params::new(1);
        let crf = Crf::new(&mut params, "", variables["start"].len()).unwrap();
        for (name, var) in params.iter() {
            let values = Tensor::from_slice(&variables[name], var.shape(), &Device::Cpu).unwrap();
            var.set(&values).unwrap();
        }
        Self { params, crf }
    }

    fn loss(&self, logits: &Logits, labels: &[i64], lengths: &[usize]) -> Result<f32, String> {
        let loss = self.run(&variable(logits), labels, lengths).map_err(|e| e.to_string())?;
        Ok(loss.to_scalar().unwrap())
    }

    fn gradients(&self, logits: &Logits, labels: &[i64], lengths: &[usize]) -> Gradients {
        let logits = variable(logits);
        let gradients = self.run(&logits, labels, lengths).unwrap().backward().unwrap();
        let get = |tensor: &Tensor| flat(gradients.get(tensor).unwrap());
        let of = |name| get(self.params.iter().find(|(n, _)| *n == name).unwrap().1);
        let mut all =
            Gradients::from(["transitions", "start", "stop"].map(|name| (name, of(name))));
        all.insert("logits", get(&logits));
        all
    }

    fn decode(&self, logits: &Logits, lengths: &[usize]) -> Result<Vec<Vec<u32>>, String> {
        self.crf.decode(&variable(logits), lengths).map_err(|e| e.to_string())
    }
}

suite!(CandleField);
