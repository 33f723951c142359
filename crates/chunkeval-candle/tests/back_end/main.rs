//! What must hold for the tensors of every library (`tests/back_ends`), run on candle's.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it cannot use")]

#[path = "../../../../tests/back_ends/mod.rs"]
mod back_ends;

use back_ends::{BackEnd, suite};
use candle_core::{DType, Device, Tensor};
use chunkeval_candle::{CandleTags, CandleWords};

struct Candle;

fn element_type(name: &str) -> DType {
    name.parse().unwrap()
}

impl BackEnd for Candle {
    back_ends::tags!(CandleTags and CandleWords of Tensor);

    const FLOATS: &'static [&'static str] = &["f16", "bf16", "f32", "f64"];
    const INTEGERS: &'static [&'static str] = &["u8", "u32", "i16", "i32", "i64"];

    fn floats(values: &[f64], shape: &[usize], name: &str) -> Tensor {
        let tensor = Tensor::from_slice(values, shape, &Device::Cpu).unwrap();
        tensor.to_dtype(element_type(name)).unwrap()
    }

    fn integers(values: &[i64], shape: &[usize], name: &str) -> Tensor {
        let tensor = Tensor::from_slice(values, shape, &Device::Cpu).unwrap();
        tensor.to_dtype(element_type(name)).unwrap()
    }

    fn permute(tensor: &Tensor, order: &[usize]) -> Tensor {
        tensor.permute(order).unwrap()
    }

    fn narrow(tensor: &Tensor, dim: usize, start: usize, length: usize) -> Tensor {
        tensor.narrow(dim, start, length).unwrap()
    }

    fn broadcast(tensor: &Tensor, shape: &[usize]) -> Tensor {
        tensor.broadcast_as(shape).unwrap()
    }
}

suite!(Candle);
