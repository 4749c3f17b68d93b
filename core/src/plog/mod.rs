//! Plogs: from raw bytes to records with typed fields. Knows nothing of what the facts add up to.

pub mod assemble;
pub mod facts;
pub mod header;
pub mod kinds;
mod launches;
pub mod pattern;
mod pieces;
mod pools;
mod rounds;
pub mod scan;
pub mod skim;
pub mod stitch;
pub mod value;
