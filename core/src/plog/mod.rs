//! Plogs: from raw bytes to records with typed fields. Knows nothing of what the facts add up to.

pub mod kinds;
pub mod pattern;
pub mod value;
