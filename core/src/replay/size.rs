//! Sizes: unpadded, stored and aligned (static allocator S1).
//!
//! Knows tensors, not who shares them.

use crate::graph::model::Tensor;
use crate::intern::Interner;

/// Every block is a multiple of this (S0.2 `ALIGN`).
pub(crate) const ALIGN: u64 = 512;
/// Tensors are rounded up to this and padded by as much again (S0.2).
const TENSOR_ALIGN: u64 = 32;
/// Size of the descriptor buffer of an output (S1.3).
pub(crate) const DESCRIPTOR_BYTES: u64 = 1024;

/// No size in a dump counts as more than 8 TiB, so that sums over any graph stay in range.
const LARGEST: u64 = 1 << 43;

/// A size out of a dump; negative ones count as 0.
pub(crate) fn of_dump(size: i64) -> u64 {
    u64::try_from(size).unwrap_or(0).min(LARGEST)
}

/// `size` rounded up to whole blocks.
pub(crate) fn align(size: u64) -> u64 {
    size.checked_next_multiple_of(ALIGN).unwrap_or(size)
}

/// The size that engines store for `bytes` of data: `ceil(bytes/32)*32 + 32` (S1.2).
pub(crate) fn pad32(bytes: u64) -> u64 {
    bytes.div_ceil(TENSOR_ALIGN).saturating_mul(TENSOR_ALIGN).saturating_add(TENSOR_ALIGN)
}

/// Bits of one element of a data type, by the name the dump uses; `None` for strings and undefined types.
pub(crate) fn bits_of(dtype: &str) -> Option<u64> {
    Some(match dtype.strip_prefix("DT_")? {
        "FLOAT4_E2M1" | "FLOAT4_E1M2" | "INT4" | "HIFLOAT4" => 4,
        "FLOAT6_E3M2" | "FLOAT6_E2M3" => 6,
        "INT2" | "UINT2" => 2,
        "UINT1" => 1,
        "INT8" | "UINT8" | "BOOL" | "QINT8" | "QUINT8" | "HIFLOAT8" | "FLOAT8_E5M2" | "FLOAT8_E4M3FN"
        | "FLOAT8_E8M0" | "DUAL_SUB_INT8" | "DUAL_SUB_UINT8" => 8,
        "FLOAT16" | "BF16" | "BFLOAT16" | "INT16" | "UINT16" | "QINT16" | "QUINT16" => 16,
        "FLOAT" | "INT32" | "UINT32" | "QINT32" | "COMPLEX32" => 32,
        "DUAL" => 40,
        "DOUBLE" | "INT64" | "UINT64" | "COMPLEX64" | "RESOURCE" | "VARIANT" | "STRING_REF" => 64,
        "COMPLEX128" | "STRING" => 128,
        _ => return None,
    })
}

/// Number of elements; a negative dimension met before any zero makes it unknown (S1.1).
fn elements(dims: impl Iterator<Item = i64>) -> Option<u64> {
    let mut count: u64 = 1;
    for dim in dims {
        match u64::try_from(dim) {
            Ok(0) => return Some(0),
            Ok(dim) => count = count.saturating_mul(dim),
            Err(_) => return None,
        }
    }
    Some(count)
}

/// Bytes of `count` elements of a type.
fn bytes(count: u64, bits: u64) -> u64 {
    count.saturating_mul(bits).div_ceil(8).min(LARGEST)
}

/// The size of the data itself; `None` when the shape is unknown.
pub(crate) fn unpadded(tensor: &Tensor, names: &Interner) -> Option<u64> {
    let count = elements(tensor.dims.iter().copied())?;
    Some(bytes(count, bits_of(names.get(tensor.dtype)).unwrap_or(0)))
}

/// The size of one slice: every dimension before `dim` counts as 1 (S11.1 `piece`).
pub(crate) fn piece(tensor: &Tensor, names: &Interner, dim: usize) -> u64 {
    let dims = tensor.dims.iter().enumerate().map(|(n, &d)| if n < dim { 1 } else { d });
    bytes(elements(dims).unwrap_or(0), bits_of(names.get(tensor.dtype)).unwrap_or(0))
}

/// The stored size of a tensor whose dump carries none (S1.2), by who owns the node.
pub(crate) fn derived(tensor: &Tensor, names: &Interner, plain: bool) -> Option<u64> {
    let bits = bits_of(names.get(tensor.dtype)).unwrap_or(0);
    let count = elements(tensor.dims.iter().copied())?;
    Some(if plain { bytes(count, bits) } else { pad32(bytes(count.max(1), bits)) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::model::Tensor;

    fn unpadded_of(dtype: &str, dims: &[i64]) -> Option<u64> {
        let mut names = Interner::new();
        let tensor = Tensor { dtype: names.intern(dtype), dims: dims.to_vec(), ..Tensor::default() };
        unpadded(&tensor, &names)
    }

    /// S16 E16.
    #[test]
    fn arithmetic_of_the_worked_examples() {
        assert_eq!(pad32(512), 544);
        assert_eq!(pad32(0), 32);
        assert_eq!(unpadded_of("DT_FLOAT", &[1, 3, 224, 224]), Some(602_112));
        assert_eq!(pad32(602_112), 602_144);
        assert_eq!(align(602_144), 602_624);
        assert_eq!(align(0), 0);
    }

    #[test]
    fn shapes_at_the_edge() {
        assert_eq!(unpadded_of("DT_INT4", &[3]), Some(2));
        assert_eq!(unpadded_of("DT_FLOAT", &[]), Some(4));
        assert_eq!(unpadded_of("DT_FLOAT", &[0, -1]), Some(0));
        assert_eq!(unpadded_of("DT_FLOAT", &[-1, 0]), None);
    }
}
