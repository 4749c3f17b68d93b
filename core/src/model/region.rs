//! Where a loaded model's areas and operators really lie (plog grammar 3, load lines).

use alloc::vec::Vec;

use super::static_graph::Io;
use crate::intern::Name;
use crate::span::Span;
use crate::units::{Address, Bytes, Offset};

/// The areas of a model, by the letter GE prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Area {
    /// `F`: feature map.
    FeatureMap,
    /// `W`: weights.
    Weight,
    /// `V`: variables.
    Variable,
    /// `C`: constants (they lie in the weight area).
    Constant,
    /// `P`: peer-to-peer memory.
    PeerToPeer,
    /// `H`: host memory.
    Host,
    /// `S`: session scope.
    Session,
    /// Another letter.
    Other,
}

impl Area {
    /// The area for the letter that GE prints.
    pub fn from_letter(letter: &[u8]) -> Area {
        match letter {
            b"F" => Area::FeatureMap,
            b"W" => Area::Weight,
            b"V" => Area::Variable,
            b"C" => Area::Constant,
            b"P" => Area::PeerToPeer,
            b"H" => Area::Host,
            b"S" => Area::Session,
            _ => Area::Other,
        }
    }

    /// The letter that GE prints.
    pub fn letter(self) -> &'static str {
        match self {
            Area::FeatureMap => "F",
            Area::Weight => "W",
            Area::Variable => "V",
            Area::Constant => "C",
            Area::PeerToPeer => "P",
            Area::Host => "H",
            Area::Session => "S",
            Area::Other => "?",
        }
    }
}

/// One area of a loaded model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// Graph id.
    pub graph: u64,
    /// Which area.
    pub area: Area,
    /// Runtime memory type, where the line carries it.
    pub memory_type: Option<u64>,
    /// First byte; 0 where nothing was allocated.
    pub base: Address,
    /// Size.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// The address one input, output or workspace got at load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OperatorAddress {
    /// Graph id.
    pub graph: u64,
    /// Area the address lies in.
    pub area: Area,
    /// Node.
    pub node: Name,
    /// Input, output or workspace.
    pub io: Io,
    /// Its index.
    pub index: u64,
    /// Place in the area, where the line carries it.
    pub offset: Option<Offset>,
    /// Size, where the line carries it.
    pub size: Option<Bytes>,
    /// Device address.
    pub address: Address,
    /// The line.
    pub span: Span,
}

/// An address that GE could not resolve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unresolved {
    /// Graph id.
    pub graph: u64,
    /// Area asked for.
    pub area: Area,
    /// Node.
    pub node: Name,
    /// Input, output or workspace.
    pub io: Io,
    /// Its index.
    pub index: u64,
    /// Place asked for.
    pub offset: Offset,
    /// Size asked for.
    pub size: i64,
    /// The line.
    pub span: Span,
}

/// How much of a feature map was really allocated: `need N/M … without zero-copyable memory`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FeatureMapNeed {
    /// Model id.
    pub model: u64,
    /// Bytes allocated.
    pub allocated: Bytes,
    /// Bytes of the whole layout.
    pub layout: Bytes,
    /// The line.
    pub span: Span,
}

/// All load lines of one process.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Areas, in the order of their lines.
    pub regions: Vec<Region>,
    /// Operator addresses; a repeated line (GE prints one per query) is kept once.
    pub addresses: Vec<OperatorAddress>,
    /// Failed look-ups.
    pub unresolved: Vec<Unresolved>,
    /// Feature-map needs.
    pub needs: Vec<FeatureMapNeed>,
}
