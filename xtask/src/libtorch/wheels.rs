//! Which files of which wheels make a libtorch.

use crate::wheel::Wheel;

/// The version that crate tch wants.
pub(super) const VERSION: &str = "2.13.0";

/// So many bytes are kept of all wheels.
pub(super) const KEPT: u64 = 490_000_000;

/// The small ones first: what is wrong with the network shows soon.
///
/// libtorch_cpu.so needs the two libraries of NVIDIA even where there is no GPU. It looks for them
/// beside the folder `torch`, as they lie in Python's folder of packages.
pub(super) const WHEELS: [Wheel; 3] = [
    Wheel {
        name: "nvidia-cuda-runtime",
        version: "13.0.96",
        sha256: "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
        size: 2_243_632,
        parts: &["nvidia/cu13/lib/libcudart.so.13"],
    },
    Wheel {
        name: "nvidia-cuda-cupti",
        version: "13.0.85",
        sha256: "4eb01c08e859bf924d222250d2e8f8b8ff6d3db4721288cf35d14252a4d933c8",
        size: 10_715_597,
        parts: &["nvidia/cu13/lib/libcupti.so.13"],
    },
    Wheel {
        name: "torch",
        version: VERSION,
        sha256: "60fcdcb2f3876e21146cb4524ef06397d727ca9ad5f020818547e25075fe3cb7",
        size: 526_574_961,
        parts: &[
            "torch/include/",
            "torch/lib/libtorch_cpu.so",
            "torch/lib/libc10.so",
            "torch/lib/libgomp.so.1",
        ],
    },
];
