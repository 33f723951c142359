//! Training steps a second of an encoder of MiniLM's shape with random weights:
//! `cargo run --release -p ernie-candle --example step_speed -- [ROWS] [TOKENS] [FROZEN LAYERS]`

use std::error::Error;
use std::time::{Duration, Instant};

use ernie_candle::encoder::{Batch, EncoderConfig, TokenClassifier};
use training_candle::adam::Adam;
use training_candle::cross_entropy::cross_entropy;
use training_candle::params::Params;
use training_loop::model::{AdamConfig, Mode};

const STEPS: u32 = 10;
const LABELS: usize = 9;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<usize> =
        std::env::args().skip(1).map(|argument| argument.parse()).collect::<Result<_, _>>()?;
    let argument = |place: usize, default| arguments.get(place).copied().unwrap_or(default);
    let (rows, width, frozen) = (argument(0, 16), argument(1, 64), argument(2, 0));
    let config = EncoderConfig {
        hidden_size: 384,
        num_hidden_layers: 6,
        num_attention_heads: 12,
        intermediate_size: 1536,
        ..EncoderConfig::small(30_522)
    };
    let mut params = Params::new(1);
    if frozen > 0 {
        let layers = (0..frozen).map(|layer| format!("encoder.layer.{layer}."));
        params = params.freeze(layers.chain(["embeddings.".to_owned()]));
    }
    let model = TokenClassifier::new(&mut params, &config, LABELS)?;
    let mut adam = Adam::new(AdamConfig::default(), &params);
    let mut batch = Batch::default();
    for row in 0..rows {
        let ids: Vec<u32> =
            (0..width).map(|i| ((row * 7919 + i * 104_729) % 30_522) as u32).collect();
        batch.push(&ids);
    }
    let labels: Vec<i64> = (0..rows * width).map(|i| (i % LABELS) as i64).collect();

    let mut times = [Duration::ZERO; 3];
    for step in 0..=STEPS {
        let mode = Mode::Train { seed: 1, step: step.into() };
        let start = Instant::now();
        let loss = cross_entropy(&model.logits(&batch, mode)?, &labels, -100)?;
        let forward = Instant::now();
        let gradients = loss.backward()?;
        let backward = Instant::now();
        adam.step(&params, &gradients, 1e-5)?;
        // The first step touches all memory for the first time.
        if step > 0 {
            times[0] += forward - start;
            times[1] += backward - forward;
            times[2] += backward.elapsed();
        }
    }
    let [forward, backward, optimiser] = times.map(|time| time.as_secs_f64() / f64::from(STEPS));
    let step = forward + backward + optimiser;
    println!(
        "{rows} x {width} tokens: {:.2} steps/s (forward {forward:.3} s, backward {backward:.3} s, \
         optimiser {optimiser:.3} s)",
        1.0 / step
    );
    Ok(())
}
