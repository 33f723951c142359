//! Table lookup as one candle operation, with a backward that scatters into one new table.
//!
//! candle's `index_select` copies the whole gradient table several times per backward pass, which
//! for large tables costs more than the rest of the step.

use candle_core::{CpuStorage, CustomOp1, Device, Layout, Result, Shape, Tensor, bail};

use crate::slices;

/// A table `[V, D]` to its rows `ids`, as `[rows, width, D]`.
#[derive(Debug)]
pub struct Lookup {
    ids: Vec<u32>,
    rows: usize,
    width: usize,
}

impl Lookup {
    /// Looks up `rows * width` ids, given row by row.
    pub fn new(ids: Vec<u32>, rows: usize, width: usize) -> Self {
        Self { ids, rows, width }
    }
}

impl CustomOp1 for Lookup {
    fn name(&self) -> &'static str {
        "lookup"
    }

    fn cpu_fwd(&self, table: &CpuStorage, layout: &Layout) -> Result<(CpuStorage, Shape)> {
        let (size, dim) = layout.shape().dims2()?;
        let table = slices::of_storage(self.name(), table, layout)?;
        let mut out = Vec::with_capacity(self.ids.len() * dim);
        for (place, &id) in self.ids.iter().enumerate() {
            let id = id as usize;
            if id >= size {
                bail!(
                    "row {}, column {}: id {id} is not below {size}",
                    place / self.width,
                    place % self.width
                );
            }
            out.extend_from_slice(&table[id * dim..(id + 1) * dim]);
        }
        let shape = (self.rows, self.width, dim).into();
        Ok((CpuStorage::F32(out), shape))
    }

    fn bwd(&self, table: &Tensor, _out: &Tensor, grad: &Tensor) -> Result<Option<Tensor>> {
        let dim = table.dim(1)?;
        let mut to_table = vec![0.0f32; table.elem_count()];
        slices::with(grad, |grad| {
            for (id, grad) in self.ids.iter().zip(grad.chunks_exact(dim)) {
                let row = &mut to_table[*id as usize * dim..][..dim];
                for (to, grad) in row.iter_mut().zip(grad) {
                    *to += grad;
                }
            }
            Ok(())
        })?;
        Ok(Some(Tensor::from_vec(to_table, table.shape(), &Device::Cpu)?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Var;

    #[test]
    fn rows_and_their_gradients() {
        let table = Var::new(&[[0f32, 1.0], [2.0, 3.0], [4.0, 5.0]], &Device::Cpu).unwrap();
        let out = table.apply_op1(Lookup::new(vec![2, 0, 2, 1], 2, 2)).unwrap();
        assert_eq!(
            out.to_vec3::<f32>().unwrap(),
            [[[4.0, 5.0], [0.0, 1.0]], [[4.0, 5.0], [2.0, 3.0]]]
        );
        let weights = Tensor::arange(0f32, 8.0, &Device::Cpu).unwrap();
        let loss = (out.flatten_all().unwrap() * weights).unwrap();
        let grads = loss.sum_all().unwrap().backward().unwrap();
        assert_eq!(
            grads.get(&table).unwrap().to_vec2::<f32>().unwrap(),
            [[2.0, 3.0], [6.0, 7.0], [4.0, 6.0]]
        );
    }

    #[test]
    fn an_id_outside_the_table_names_its_place() {
        let table = Var::zeros((3, 2), candle_core::DType::F32, &Device::Cpu).unwrap();
        let error = table.apply_op1(Lookup::new(vec![0, 0, 0, 3], 2, 2)).unwrap_err();
        assert!(error.to_string().contains("row 1, column 1: id 3"));
    }
}
