//! [`TchTags`]: which tensors make a batch, and which of their positions count.

use chunkeval_core::adapter::tensor_tags;
use tch::Tensor;

use crate::library::Tch;

tensor_tags! {
    /// The tensors of one batch: predictions, gold labels, and what says which positions count.
    ///
    /// See the [crate's page](crate) for shapes, element types and an example. Nothing is read
    /// before [`load`](chunkeval_core::Source::load), and no tensor is changed.
    pub struct TchTags(Tch) of Tensor;
}
