//! Args tables of static models: which address the arguments of an operator hold, at load and in
//! every round (plog grammar chapters 6 and 11).
//!
//! Knows nothing of what the numbers add up to: that is for [`crate::resolve::args_table`].

use alloc::vec::Vec;

use crate::intern::Name;
use crate::span::Span;
use crate::time::Time;
use crate::units::{Address, Bytes};

/// Bytes of one slot: a 64-bit address.
pub const SLOT_SIZE: u64 = 8;

/// A table has fewer slots than this; a larger number is no slot (8 MiB of arguments).
pub const SLOT_LIMIT: u32 = 1 << 20;

/// What an allocation id stands for (`dfx.memalloc`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MemoryType {
    /// A model input of the user.
    Input,
    /// A model output of the user.
    Output,
    /// The feature map.
    FeatureMap,
    /// The fixed part of the feature map.
    FixedFeatureMap,
    /// Everything whose address does not change: weights, variables, constants.
    Absolute,
    /// Another word.
    Other,
}

impl MemoryType {
    /// The type for the word that GE prints.
    pub fn from_word(word: &[u8]) -> MemoryType {
        match word {
            b"INPUT" => MemoryType::Input,
            b"OUTPUT" => MemoryType::Output,
            b"FEATURE_MAP" => MemoryType::FeatureMap,
            b"FIXED_FEATURE_MAP" => MemoryType::FixedFeatureMap,
            b"ABSOLUTE" => MemoryType::Absolute,
            _ => MemoryType::Other,
        }
    }

    /// The word that GE prints.
    pub fn word(self) -> &'static str {
        match self {
            MemoryType::Input => "INPUT",
            MemoryType::Output => "OUTPUT",
            MemoryType::FeatureMap => "FEATURE_MAP",
            MemoryType::FixedFeatureMap => "FIXED_FEATURE_MAP",
            MemoryType::Absolute => "ABSOLUTE",
            MemoryType::Other => "?",
        }
    }

    /// Whether the user brings the memory in every round.
    pub fn is_user_memory(self) -> bool {
        matches!(self, MemoryType::Input | MemoryType::Output)
    }
}

/// One row of a model's table of allocations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Allocation {
    /// Allocation id.
    pub id: u32,
    /// What it stands for.
    pub kind: MemoryType,
    /// Which input, output or part.
    pub index: u64,
    /// Address computed at load. For user memory a placeholder.
    pub logical: Address,
    /// Size.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// An input, output or workspace of an operator, and the allocation it lies in (`dfx.args1`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogicalAddress {
    /// Operator.
    pub op: Name,
    /// Operator type.
    pub op_type: Name,
    /// Place among the operator's inputs, then outputs, then workspaces.
    pub index: u32,
    /// Address computed at load.
    pub address: Address,
    /// Allocation id.
    pub id: u32,
    /// Place in the allocation.
    pub offset: u64,
    /// Takes part in the refresh between rounds.
    pub refreshable: bool,
    /// The line.
    pub span: Span,
}

/// Which part of an address a slot holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    #[default]
    Whole,
    /// Its low 32 bits.
    Low,
    /// Its high 32 bits.
    High,
}

/// Where in the args table an address of an operator is kept (`dfx.args2`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlotPlace {
    /// Operator.
    pub op: Name,
    /// Operator type.
    pub op_type: Name,
    /// Place among the operator's inputs, then outputs, then workspaces.
    pub index: u32,
    /// Allocation id.
    pub id: u32,
    /// Place in the allocation.
    pub offset: u64,
    /// Device address of the slot.
    pub device: Address,
    /// Host address of the slot.
    pub host: Address,
    /// How much of the address it holds.
    pub part: Part,
    /// The line.
    pub span: Span,
}

/// Allocation and offset of a slot (`dfx.slot`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MapEntry {
    /// Slot number.
    pub slot: u32,
    /// Allocation id.
    pub id: u32,
    /// Place in the allocation.
    pub offset: u64,
    /// The line.
    pub span: Span,
}

/// An args table in device memory (`dfx.args_alloc`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Table {
    /// It lies in `hbm`, as the table with the slots does; others are for special engines.
    pub in_hbm: bool,
    /// First byte.
    pub base: Address,
    /// Size; `None` where only its address is printed.
    pub size: Option<Bytes>,
    /// The line.
    pub span: Span,
}

/// The user's memory for one input or output in one round (`dfx.io`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UserAddress {
    /// An input; otherwise an output.
    pub is_input: bool,
    /// Its index.
    pub index: u32,
    /// What the caller gave.
    pub user: Address,
    /// What the arguments use.
    pub base: Address,
    /// The caller's memory is on the host.
    pub on_host: bool,
    /// `is copy host:1`: copied to a temporary place on the device, so no zero copy.
    pub copy_host: bool,
    /// The line.
    pub span: Span,
}

/// The base of an allocation in one round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Base {
    /// Allocation id.
    pub id: u32,
    /// Address.
    pub base: Address,
    /// The line.
    pub span: Span,
}

/// A value of a slot that is not the one of the round before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// Slot number.
    pub slot: u32,
    /// What it holds.
    pub value: Address,
    /// The line.
    pub span: Span,
}

/// A slot whose value on the device is not the one on the host (`dfx.diff`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Difference {
    /// Slot number.
    pub slot: u32,
    /// Read back from the device: what operators use.
    pub device: Address,
    /// In the host's table.
    pub host: Address,
    /// The line.
    pub span: Span,
}

/// One update of the args, and the execution behind it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Round {
    /// The update at load, before the first execution.
    pub at_load: bool,
    /// Thread.
    pub tid: i64,
    /// Time of the first line.
    pub time: Option<Time>,
    /// The first line.
    pub span: Span,
    /// Update policy, as printed; empty where no line gives it.
    pub policy: Name,
    /// The line with the policy.
    pub policy_span: Option<Span>,
    /// The user's memory.
    pub users: Vec<UserAddress>,
    /// Bases that the lines of this round give, in their order.
    pub bases: Vec<Base>,
    /// Slots below this were printed in this round; 0 = no table was.
    pub printed: u32,
    /// First line of the printed table.
    pub table_span: Option<Span>,
    /// Printed values that changed since the table before.
    pub values: Vec<Value>,
    /// Values that the host wrote in this round (`dfx.updater`); the rest keep theirs.
    pub written: Vec<Value>,
    /// Differences between device and host.
    pub differences: Vec<Difference>,
}

/// Zero copy that GE gave up, and why (`dfx.zcpy`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoZeroCopy {
    /// Node, where printed.
    pub node: Name,
    /// Logical address, where printed.
    pub address: Option<Address>,
    /// Reason, where printed.
    pub why: Name,
    /// The line.
    pub span: Span,
}

/// A model output that is copied to the user's memory after each run: no zero copy.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CopiedOutput {
    /// Which output.
    pub index: u64,
    /// Allocation that it is copied from.
    pub id: u32,
    /// Place in it.
    pub offset: u64,
    /// Bytes.
    pub size: Bytes,
    /// The line.
    pub span: Span,
}

/// The args of one loaded model.
#[derive(Clone, Debug, Default)]
pub struct ModelArgs {
    /// Model id; `None` where the lines that give it are not there.
    pub model: Option<u64>,
    /// Model name, where printed.
    pub name: Name,
    /// Allocations, by id.
    pub allocations: Vec<Allocation>,
    /// Addresses of operators, in the order of their lines.
    pub addresses: Vec<LogicalAddress>,
    /// Slots of operators, in the order of their lines.
    pub places: Vec<SlotPlace>,
    /// Allocation and offset of every slot, by slot.
    pub map: Vec<MapEntry>,
    /// Tables; the one in `hbm` holds the slots.
    pub tables: Vec<Table>,
    /// Rounds, in the order of their lines.
    pub rounds: Vec<Round>,
    /// Zero copy that GE gave up.
    pub no_zero_copy: Vec<NoZeroCopy>,
    /// Outputs that are copied.
    pub copied_outputs: Vec<CopiedOutput>,
}

impl ModelArgs {
    /// The table that holds the slots.
    pub fn table(&self) -> Option<&Table> {
        self.tables.iter().find(|table| table.in_hbm)
    }

    /// The slot at a device address.
    pub fn slot_at(&self, device: Address) -> Option<u32> {
        let table = self.table()?;
        let distance = device.0.checked_sub(table.base.0)?;
        let is_inside = table.size.is_none_or(|size| distance < size.0);
        let slot = u32::try_from(distance / SLOT_SIZE).ok()?;
        (is_inside && distance.is_multiple_of(SLOT_SIZE) && slot < SLOT_LIMIT).then_some(slot)
    }
}

/// A buffer of the user that is smaller than the model needs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TooSmall {
    /// An input; otherwise an output.
    pub is_input: bool,
    /// Its index.
    pub index: u64,
    /// The user's size, 64 bytes of tolerance added.
    pub user: Bytes,
    /// The operator's size.
    pub needed: Bytes,
    /// The line.
    pub span: Span,
}

/// Graph id and model id that belong together (`id.graph_model`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GraphModel {
    /// Graph id.
    pub graph: u64,
    /// Model id.
    pub model: u64,
    /// The line.
    pub span: Span,
}

/// Everything of this kind in one process.
#[derive(Clone, Debug, Default)]
pub struct ArgsTables {
    /// Loaded models, in the order of their first line.
    pub models: Vec<ModelArgs>,
    /// Which graph a model was loaded from.
    pub graphs: Vec<GraphModel>,
    /// Buffers that are too small.
    pub too_small: Vec<TooSmall>,
}

impl ArgsTables {
    /// The graph that a model was loaded from, where a line says so.
    pub fn graph_of(&self, model: u64) -> Option<u64> {
        self.graphs.iter().rev().find(|pair| pair.model == model).map(|pair| pair.graph)
    }
}
