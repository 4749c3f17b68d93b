//! Memory types as the compile-time allocator numbers them (static allocator S0.2).

/// Device memory.
pub(crate) const HBM: u64 = 2;
/// Peer-to-peer memory.
pub(crate) const P2P_DDR: u64 = 17;
/// Host memory.
pub(crate) const HOST: u64 = 129;
/// Shared virtual memory of the host.
pub(crate) const HOST_SVM: u64 = 144;
/// Unified buffer on the core, as an entry of a type list.
pub(crate) const UB: i64 = 32768;
/// Level 1 buffer on the core, as an entry of a type list.
pub(crate) const L1: i64 = 65536;
/// Device memory kept for the session.
pub(crate) const SESSION: u64 = 0x1_0000_0000 | HBM;

/// Where offsets of a type start when its first block is an ordinary one.
pub(crate) fn logical_base(memory_type: u64) -> u64 {
    match memory_type {
        HOST => 68_719_476_736,
        HOST_SVM => 137_438_953_472,
        _ => 0,
    }
}

/// The type itself when it is one that a symbol can be given (S4.4), otherwise HBM.
pub(crate) fn symbol_type(wanted: u64) -> u64 {
    match wanted {
        P2P_DDR | HOST | HOST_SVM => wanted,
        _ => HBM,
    }
}
