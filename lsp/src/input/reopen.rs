//! An input that can be opened any number of times and searched: a file on disk, or one that a browser
//! holds. Knows nothing of what is in it.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::PathBuf;

/// Bytes that can be read from any place.
pub trait Seekable: Read + Seek {}

impl<T: Read + Seek> Seekable for T {}

/// Opens the same bytes again and again.
pub trait Reopen {
    /// A reader at the first byte.
    fn open(&self) -> io::Result<Box<dyn Seekable + '_>>;
}

impl Reopen for PathBuf {
    fn open(&self) -> io::Result<Box<dyn Seekable + '_>> {
        Ok(Box::new(File::open(self)?))
    }
}

/// An input that does not come from a path.
pub struct Given<'a> {
    /// What messages call it; folders in front of it are part of it.
    pub name: String,
    /// Whether the user gave this very file, rather than a folder around it.
    pub named: bool,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// Its bytes.
    pub bytes: &'a dyn Reopen,
}
