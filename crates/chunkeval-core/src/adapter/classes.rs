//! Logits of a device: the classes are found there, then little is copied.

use std::ops::Range;

use super::{Grid, Predict, TensorLibrary};
use crate::{Error, ErrorKind, Result, argmax};

/// Up to here every whole number is an `f32`.
const MOST_CLASSES: usize = 1 << 24;

/// The classes of the highest logits, found on the device.
pub(super) struct DeviceClasses<'t, L: TensorLibrary> {
    logits: &'t L::Tensor,
    /// `[rows, width]`: the class; whole numbers.
    classes: Vec<f32>,
    /// `[rows, width]`: NaN where a logit may be.
    doubts: Vec<f32>,
    shape: [usize; 3],
}

impl<'t, L: TensorLibrary> DeviceClasses<'t, L> {
    pub(super) fn find(logits: &'t L::Tensor, shape: [usize; 3]) -> Result<Self> {
        let [rows, width, classes] = shape;
        let positions = rows * width;
        if classes == 0 && positions > 0 {
            return Err(Error::config("logits", "the last dimension, the classes, is 0"));
        }
        if classes > MOST_CLASSES {
            let what = "classes of logits outside the CPU's memory, at most";
            let (expected, found) = (MOST_CLASSES, classes);
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let mut classes = if positions == 0 { Vec::new() } else { L::classes_and_doubts(logits)? };
        if classes.len() != 2 * positions {
            let what = "classes and doubts from the device";
            let (expected, found) = (2 * positions, classes.len());
            return Err(ErrorKind::Length { what, row: None, expected, found }.into());
        }
        let doubts = classes.split_off(positions);
        Ok(Self { logits, classes, doubts, shape })
    }

    /// The class at a position in doubt, from the logits themselves.
    fn look_closer(&self, row: usize, column: usize) -> Result<usize> {
        let logits = L::logits_at(self.logits, row, column)?;
        argmax(&logits).ok_or_else(|| ErrorKind::NanLogit { row, column }.into())
    }
}

impl<L: TensorLibrary> Predict for DeviceClasses<'_, L> {
    fn shape(&self) -> [usize; 2] {
        [self.shape[0], self.shape[1]]
    }

    fn classes(&self) -> Option<usize> {
        Some(self.shape[2])
    }

    fn predict(&self, row: usize, columns: Range<usize>, to: &mut Vec<i32>) -> Result<()> {
        let classes = Grid::new("classes", &self.classes, self.shape())?;
        let doubts = Grid::new("doubts", &self.doubts, self.shape())?;
        for column in columns {
            to.push(match doubts.get(row, column).is_nan() {
                true => self.look_closer(row, column)? as i32,
                false => classes.get(row, column) as i32,
            });
        }
        Ok(())
    }
}
