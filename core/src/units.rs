//! Numbers that must not be mixed up: byte counts, places inside a memory area, device addresses.
//!
//! Knows nothing of where a number was printed or how it is shown to a user.

use core::fmt;
use core::iter::Sum;
use core::ops::{Add, AddAssign, Sub};

/// A count of bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(pub u64);

/// A place inside one memory area (feature map, variable space …) in bytes from its start.
///
/// GE prints -1 for "not placed" (plog grammar, `imas.set`), so the number is signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Offset(pub i64);

/// An address as the device or the host sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Address(pub u64);

impl Bytes {
    /// No bytes.
    pub const ZERO: Bytes = Bytes(0);

    /// The difference, or zero where `other` is larger.
    pub fn saturating_sub(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_sub(other.0))
    }
}

impl Add for Bytes {
    type Output = Bytes;
    fn add(self, other: Bytes) -> Bytes {
        Bytes(self.0.saturating_add(other.0))
    }
}

impl AddAssign for Bytes {
    fn add_assign(&mut self, other: Bytes) {
        *self = *self + other;
    }
}

impl Sum for Bytes {
    fn sum<I: Iterator<Item = Bytes>>(sizes: I) -> Bytes {
        sizes.fold(Bytes::ZERO, Add::add)
    }
}

impl Offset {
    /// Whether GE gave the item a place at all (it prints -1 when it did not).
    pub fn is_placed(self) -> bool {
        self.0 >= 0
    }

    /// The first byte behind an item of `size` that starts here.
    pub fn end(self, size: Bytes) -> Offset {
        Offset(self.0.saturating_add_unsigned(size.0))
    }
}

impl Address {
    /// The address `distance` bytes further on.
    pub fn plus(self, distance: Bytes) -> Address {
        Address(self.0.saturating_add(distance.0))
    }
}

impl Sub for Address {
    type Output = Offset;
    /// The place of this address in an area that starts at `base`; negative when it lies before.
    fn sub(self, base: Address) -> Offset {
        Offset(self.0.wrapping_sub(base.0) as i64)
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#x}", self.0)
    }
}
