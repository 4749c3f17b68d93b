//! Running figures per memory type: what would be needed without packing loss (static allocator S8).

use alloc::collections::BTreeMap;

use crate::replay::size::align;

/// The figures of one memory type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stat {
    pub theory: u64,
    pub theory_min: u64,
    pub no_reuse: u64,
    pub total: u64,
}

impl Stat {
    /// A buffer was asked for (S8.1).
    pub(crate) fn count(&mut self, real: u64, reuse: bool) {
        let size = align(real);
        self.total += size;
        if reuse {
            self.theory += size;
        } else {
            self.no_reuse += size;
        }
        self.theory_min = self.theory_min.max(self.theory);
    }

    /// A buffer was given back; a theory value too small for it stays (S8.3, S18.21).
    pub(crate) fn release(&mut self, size: u64) {
        if let Some(less) = self.theory.checked_sub(align(size)) {
            self.theory = less;
        }
    }
}

/// The figures of all memory types.
pub(crate) type Stats = BTreeMap<u64, Stat>;
