//! What must hold for the tensors of every library (`tests/back_ends`), and what only tch has.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what it cannot use")]

#[path = "../../../../tests/back_ends/mod.rs"]
mod back_ends;
mod others;

use back_ends::{BackEnd, suite};
use chunkeval_tch::{TchTags, TchWords};
use tch::{Kind, Tensor};

struct Tch;

fn kind(name: &str) -> Kind {
    match name {
        "u8" => Kind::Uint8,
        "i16" => Kind::Int16,
        "i32" => Kind::Int,
        "i64" => Kind::Int64,
        "f16" => Kind::Half,
        "bf16" => Kind::BFloat16,
        "f32" => Kind::Float,
        "f64" => Kind::Double,
        other => panic!("{other}"),
    }
}

fn dims(shape: &[usize]) -> Vec<i64> {
    shape.iter().map(|&n| n as i64).collect()
}

impl BackEnd for Tch {
    back_ends::tags!(TchTags and TchWords of Tensor);

    const FLOATS: &'static [&'static str] = &["f16", "bf16", "f32", "f64"];
    const INTEGERS: &'static [&'static str] = &["u8", "i16", "i32", "i64"];

    fn floats(values: &[f64], shape: &[usize], element_type: &str) -> Tensor {
        Tensor::from_slice(values).view(&dims(shape)[..]).to_kind(kind(element_type))
    }

    fn integers(values: &[i64], shape: &[usize], element_type: &str) -> Tensor {
        Tensor::from_slice(values).view(&dims(shape)[..]).to_kind(kind(element_type))
    }

    fn permute(tensor: &Tensor, order: &[usize]) -> Tensor {
        tensor.permute(&dims(order)[..])
    }

    fn narrow(tensor: &Tensor, dim: usize, start: usize, length: usize) -> Tensor {
        tensor.narrow(dim as i64, start as i64, length as i64)
    }

    fn broadcast(tensor: &Tensor, shape: &[usize]) -> Tensor {
        tensor.expand(&dims(shape)[..], false)
    }
}

suite!(Tch);
