//! What the allocator reads off one operator, decoded once (dump graphs chapter 8).
//!
//! Knows a single operator and its descriptors; links between operators are [`super::net`]'s.

use alloc::vec::Vec;

use crate::graph::model::{Attr, AttrValue, Op, Tensor};
use crate::intern::{Interner, Name};
use crate::replay::size;

/// Operator types that some rule names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Kind {
    #[default]
    Other,
    Data,
    RefData,
    AippData,
    AnnData,
    Variable,
    VariableV2,
    Const,
    Constant,
    ConstPlaceHolder,
    FileConstant,
    MultiShape,
    HorovodWait,
    NetOutput,
    End,
    While,
    StatelessWhile,
    Merge,
    StreamMerge,
    Reshape,
    PartitionedCall,
    PhonyConcat,
    Case,
    StatelessCase,
    If,
    StatelessIf,
    MemSet,
    HcomBroadcast,
    HvdCallbackBroadcast,
    StreamSwitch,
    LabelSwitchByIndex,
    NextIteration,
    FastrcnnPredictions,
    Input,
    Recv,
    Send,
    Assign,
    Copy,
    Identity,
}

impl Kind {
    fn of(op_type: &str) -> Kind {
        match op_type {
            "Data" => Kind::Data,
            "RefData" => Kind::RefData,
            "AippData" => Kind::AippData,
            "AnnData" => Kind::AnnData,
            "Variable" => Kind::Variable,
            "VariableV2" => Kind::VariableV2,
            "Const" => Kind::Const,
            "Constant" => Kind::Constant,
            "ConstPlaceHolder" => Kind::ConstPlaceHolder,
            "FileConstant" => Kind::FileConstant,
            "MultiShape" => Kind::MultiShape,
            "HorovodWait" => Kind::HorovodWait,
            "NetOutput" => Kind::NetOutput,
            "End" => Kind::End,
            "While" | "_While" => Kind::While,
            "StatelessWhile" => Kind::StatelessWhile,
            "Merge" => Kind::Merge,
            "StreamMerge" => Kind::StreamMerge,
            "Reshape" => Kind::Reshape,
            "PartitionedCall" => Kind::PartitionedCall,
            "PhonyConcat" => Kind::PhonyConcat,
            "Case" => Kind::Case,
            "StatelessCase" => Kind::StatelessCase,
            "If" => Kind::If,
            "StatelessIf" => Kind::StatelessIf,
            "AtomicAddrClean" | "MemSet" => Kind::MemSet,
            "HcomBroadcast" => Kind::HcomBroadcast,
            "HvdCallbackBroadcast" => Kind::HvdCallbackBroadcast,
            "StreamSwitch" => Kind::StreamSwitch,
            "LabelSwitchByIndex" => Kind::LabelSwitchByIndex,
            "NextIteration" | "RefNextIteration" => Kind::NextIteration,
            "FastrcnnPredictions" => Kind::FastrcnnPredictions,
            "Input" => Kind::Input,
            "Recv" => Kind::Recv,
            "Send" => Kind::Send,
            "Assign" | "AssignAdd" | "AssignSub" => Kind::Assign,
            "TransData" | "Cast" | "Transpose" | "Permute" => Kind::Copy,
            "Identity" | "MemcpyAsync" | "MemcpyAddrAsync" => Kind::Identity,
            _ => Kind::Other,
        }
    }

    /// Data, RefData, AippData, AnnData (S0.4).
    pub(crate) fn is_data_like(self) -> bool {
        matches!(self, Kind::Data | Kind::RefData | Kind::AippData | Kind::AnnData)
    }

    /// Variable, VariableV2 (S0.4).
    pub(crate) fn is_variable_like(self) -> bool {
        matches!(self, Kind::Variable | Kind::VariableV2)
    }

    /// Types whose outputs never get a block (S4.1 rule 1).
    pub(crate) fn never_placed(self) -> bool {
        matches!(
            self,
            Kind::Variable
                | Kind::Const
                | Kind::Constant
                | Kind::MultiShape
                | Kind::HorovodWait
                | Kind::FileConstant
                | Kind::ConstPlaceHolder
        )
    }

    /// Merge, StreamMerge.
    pub(crate) fn is_merge(self) -> bool {
        matches!(self, Kind::Merge | Kind::StreamMerge)
    }

    /// The two broadcasts that the offset passes leave alone (S11).
    pub(crate) fn is_broadcast(self) -> bool {
        matches!(self, Kind::HcomBroadcast | Kind::HvdCallbackBroadcast)
    }
}

/// The engine that owns a node, as far as a rule asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Engine {
    #[default]
    None,
    GeLocal,
    Runtime,
    Hccl,
    Dsa,
    Aicpu,
    Custom,
    Other,
}

impl Engine {
    fn of(library: &str) -> Engine {
        match library {
            "" => Engine::None,
            "DNN_VM_GE_LOCAL_OP_STORE" => Engine::GeLocal,
            "DNN_VM_RTS_OP_STORE" => Engine::Runtime,
            "ops_kernel_info_hccl" => Engine::Hccl,
            "DSAEngine" => Engine::Dsa,
            "aicpu_ascend_kernel" | "aicpu_tf_kernel" | "aicpu_kernel" => Engine::Aicpu,
            "CustomOpKernelInfoStore" | "custom_op_kernel_info" => Engine::Custom,
            _ => Engine::Other,
        }
    }
}

/// What is known of one output.
#[derive(Clone, Debug, Default)]
pub(crate) struct Output {
    /// Size as stored (S1.2).
    pub stored: u64,
    /// Size as requested (S1.3).
    pub requested: u64,
    /// Size of the data (S1.1).
    pub unpadded: u64,
    /// The input it shares memory with by the tensor's flag, if any.
    pub reuse_input: Option<u32>,
    /// The input of the same name, on a `reference` operator.
    pub named_input: Option<u32>,
    /// `_tensor_no_tiling_mem_type`.
    pub no_tiling: bool,
    /// `_tensor_memory_scope`.
    pub memory_scope: i64,
    /// `ref_var_src_var_name`.
    pub variable: Option<Name>,
    /// `_assign_var_name`.
    pub assigned_variable: Option<Name>,
    /// The data type is RESOURCE or VARIANT.
    pub is_handle: bool,
    /// `_ffts_sub_task_tensor_size`.
    pub sub_task_size: Option<u64>,
}

/// What is known of one operator.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    pub kind: Kind,
    pub engine: Engine,
    /// May not take memory that someone used earlier (S4.2 `NO_PRE`).
    pub no_pre: bool,
    /// May not hand its memory on (S4.2 `NO_POST`).
    pub no_post: bool,
    /// A collective whose batch branches share an offset (S5.2).
    pub same_offset: bool,
    pub sub_stream: Option<i64>,
    pub thread_scope: Option<i64>,
    pub continuous_input: bool,
    pub continuous_output: bool,
    pub nopadding_input: bool,
    pub nopadding_output: bool,
    pub output_reuse_input: bool,
    pub piece_dim: usize,
    pub input_offsets: Vec<i64>,
    pub output_offsets: Vec<i64>,
    pub fusion_offsets: Vec<i64>,
    pub custom_offsets: bool,
    pub reference: bool,
    pub no_reuse: bool,
    pub l2_fusion: bool,
    pub workspace_reuse: Vec<bool>,
    pub workspace_scope: Vec<i64>,
    pub workspace_type: Vec<i64>,
    pub tvm_workspace_type: Vec<i64>,
    pub input_memory_type: Vec<i64>,
    pub output_memory_type: Vec<i64>,
    pub batch: Name,
    pub multi_batch_shape: bool,
    /// `_parent_node_index` of a sub-graph's Data.
    pub parent_index: Option<u32>,
    /// `_parent_node_index` of each input descriptor.
    pub parent_outputs: Vec<Option<u32>>,
    pub pool: Option<(i64, u64)>,
    pub pool_place: Vec<i64>,
    pub is_atomic: bool,
    pub atomic_outputs: Vec<i64>,
    pub atomic_inputs: Option<Vec<i64>>,
    pub clean_in_task: bool,
    pub is_fusion: bool,
    /// The atomic workspace table: (index, bytes), ascending.
    pub atomic_workspaces: Vec<(u32, u64)>,
    pub clean_types: Vec<i64>,
    pub clean_ints: Vec<i64>,
    pub clean_floats: Vec<f64>,
    pub fixed_address: bool,
    pub inplace: Vec<(u32, u32)>,
    pub index: Option<i64>,
    pub iterator: bool,
    pub next_iteration: Option<Name>,
    /// Position of each `input` line among its producer's consumers.
    pub link_positions: Vec<i64>,
    pub outputs: Vec<Output>,
    /// Stored sizes of the input descriptors.
    pub input_sizes: Vec<u64>,
    /// Some input is of type RESOURCE or VARIANT.
    pub handle_input: bool,
}

impl Facts {
    /// Decodes an operator; `sizes_known` says whether the dump carries stored sizes at all.
    pub(crate) fn of(op: &Op, names: &Interner, sizes_known: bool) -> Facts {
        let op_type = names.get(op.op_type);
        let base = base_type(op_type);
        let mut facts = Facts {
            kind: Kind::of(op_type),
            no_pre: matches!(
                base,
                "Data"
                    | "AippData"
                    | "AnnData"
                    | "QueueData"
                    | "Proposal"
                    | "Const"
                    | "Constant"
                    | "GetNext"
                    | "DropOutGenMask"
                    | "RefData"
                    | "AdpGetNext"
                    | "DynamicGetNext"
            ),
            no_post: matches!(
                base,
                "Data"
                    | "AippData"
                    | "QueueData"
                    | "Enter"
                    | "RefEnter"
                    | "NextIteration"
                    | "RefNextIteration"
                    | "RefData"
                    | "GetNext"
                    | "AdpGetNext"
                    | "DynamicGetNext"
                    | "DropOutGenMask"
            ),
            same_offset: matches!(
                op_type,
                "HcomBroadcast"
                    | "HorovodBroadcast"
                    | "HcomAllReduce"
                    | "HorovodAllreduce"
                    | "HcomAllGather"
                    | "HorovodAllgather"
            ),
            ..Facts::default()
        };
        let mut io_names = IoNames::default();
        let mut sub_workspaces = None;
        let mut original_type = Name::EMPTY;
        let mut calc_types: &[i64] = &[];
        for attr in &op.attrs {
            let value = &attr.value;
            match names.get(attr.key) {
                "_sub_node_workspace_info" | "sub_node_workspace_info" => sub_workspaces = Some(value),
                "original_type" => original_type = value.text().unwrap_or_default(),
                "_memory_size_calc_type" => calc_types = value.ints(),
                key => {
                    facts.take(key, value, names);
                    io_names.take(key, value);
                }
            }
        }
        facts.iterator = op_type == "FrameworkOp" || op_type == "FunctionOp";
        facts.iterator &= names.get(original_type) == "IteratorV2";
        if let Some(AttrValue::Named(entries)) = sub_workspaces {
            for (_, table) in entries {
                facts.atomic_workspaces.extend(table.ints().chunks_exact(2).filter_map(|pair| match pair {
                    [index, bytes] => Some((u32::try_from(*index).ok()?, size::of_dump(*bytes))),
                    _ => None,
                }));
            }
            facts.atomic_workspaces.sort_by_key(|&(index, _)| index);
        }
        facts.outputs = op
            .output_desc
            .iter()
            .enumerate()
            .map(|(n, tensor)| facts.output(n, tensor, names, sizes_known))
            .collect();
        for (n, output) in facts.outputs.iter_mut().enumerate() {
            if calc_types.get(n) == Some(&1) {
                output.requested = 0;
            }
            if facts.reference {
                output.named_input = io_names.input_named_like_output(n);
            }
        }
        facts.input_sizes = op.input_desc.iter().map(|t| size::of_dump(t.size.unwrap_or(0))).collect();
        facts.handle_input = op.input_desc.iter().any(|t| is_handle(t, names));
        facts.parent_outputs = op
            .input_desc
            .iter()
            .map(|t| u32::try_from(tensor_attr(&t.attrs, names, "_parent_node_index")?.int()?).ok())
            .collect();
        facts
    }

    fn take(&mut self, key: &str, value: &AttrValue, names: &Interner) {
        let ints = || value.ints().to_vec();
        let flag = || value.bool().unwrap_or(false);
        match key {
            "_ge_attr_op_kernel_lib_name" => {
                self.engine = Engine::of(value.text().map_or("", |name| names.get(name)))
            }
            "_sub_stream_id" => self.sub_stream = value.int(),
            "_thread_scope_id" => self.thread_scope = value.int(),
            "continuous_input" => self.continuous_input = flag(),
            "continuous_output" => self.continuous_output = flag(),
            "_no_padding_continuous_input" => self.nopadding_input = flag(),
            "_no_padding_continuous_output" => self.nopadding_output = flag(),
            "_output_reuse_input" => self.output_reuse_input = flag(),
            "_reuse_input_on_dim_index" => {
                self.piece_dim = usize::try_from(value.int().unwrap_or(0)).unwrap_or(0)
            }
            "_input_offset_list_for_continuous" => self.input_offsets = ints(),
            "_output_offset_list_for_continuous" => self.output_offsets = ints(),
            "_output_offset_for_buffer_fusion" => self.fusion_offsets = ints(),
            "_custom_input_output_offset" => self.custom_offsets = flag(),
            "reference" => self.reference = flag(),
            "no_reuse_mem_flag" => self.no_reuse = flag(),
            "l2fusion_dynamic_converge_op" => self.l2_fusion = true,
            "workspace_reuse_flag" => match value {
                AttrValue::Bools(flags) => self.workspace_reuse = flags.clone(),
                other => self.workspace_reuse = other.ints().iter().map(|&n| n != 0).collect(),
            },
            "_workspace_memory_no_reuse_scope" => self.workspace_scope = ints(),
            "_workspace_type" => self.workspace_type = ints(),
            "tvm_workspace_type" => self.tvm_workspace_type = ints(),
            "_input_memory_type" => self.input_memory_type = ints(),
            "_output_memory_type" => self.output_memory_type = ints(),
            "_batch_label" => self.batch = value.text().unwrap_or_default(),
            "_is_multi_batch_shape_data" => self.multi_batch_shape = flag(),
            "_parent_node_index" => self.parent_index = value.int().and_then(|n| u32::try_from(n).ok()),
            "_buffer_pool_id" => {
                self.pool = Some((value.int().unwrap_or(0), self.pool.map_or(0, |(_, size)| size)))
            }
            "_buffer_pool_size" => {
                let size = size::of_dump(value.int().unwrap_or(0));
                self.pool = Some((self.pool.map_or(0, |(id, _)| id), size));
            }
            "_buffer_pool_node_size_and_offset" => self.pool_place = ints(),
            "is_atomic_node" => self.is_atomic = flag(),
            "atomic_output_index" => self.atomic_outputs = ints(),
            "atomic_input_index" => self.atomic_inputs = Some(ints()),
            "need_gentask_atomic" => self.clean_in_task = flag(),
            "is_fusion_node" => self.is_fusion = flag(),
            "tbe_op_atomic_dtypes" => self.clean_types = ints(),
            "tbe_op_atomic_int64_values" => self.clean_ints = ints(),
            "tbe_op_atomic_float_values" => {
                if let AttrValue::Floats(values) = value {
                    self.clean_floats = values.clone();
                }
            }
            "_is_fixed_addr_prior" => self.fixed_address = flag(),
            "_output_inplace_ability" => {
                if let AttrValue::IntLists(lists) = value {
                    self.inplace = lists.iter().filter_map(|pair| pair_of(pair)).collect();
                }
            }
            "index" => self.index = value.int(),
            "_next_iteration_node" => self.next_iteration = value.text(),
            "_src_out_peer_index_for_ge_txt_load" => self.link_positions = ints(),
            _ => {}
        }
    }

    fn output(&self, n: usize, tensor: &Tensor, names: &Interner, sizes_known: bool) -> Output {
        let unpadded = size::unpadded(tensor, names).unwrap_or(0);
        let stored = match tensor.size {
            Some(size) => size::of_dump(size),
            None if sizes_known => 0,
            None => size::derived(tensor, names, self.engine == Engine::Aicpu).unwrap_or(0),
        };
        let find = |key| tensor_attr(&tensor.attrs, names, key);
        let no_tiling = find("_tensor_no_tiling_mem_type").and_then(AttrValue::bool).unwrap_or(false);
        let fast_memory =
            matches!(self.output_memory_type.get(n), Some(&(super::memory::UB | super::memory::L1)));
        Output {
            stored,
            requested: match stored {
                _ if fast_memory => 0,
                0 if no_tiling => unpadded,
                stored => stored,
            },
            unpadded,
            reuse_input: (tensor.reuse_input).then(|| u32::try_from(tensor.reuse_input_index).ok()).flatten(),
            named_input: None,
            no_tiling,
            memory_scope: find("_tensor_memory_scope").and_then(AttrValue::int).unwrap_or(0),
            variable: find("ref_var_src_var_name").and_then(AttrValue::text),
            assigned_variable: find("_assign_var_name")
                .and_then(AttrValue::text)
                .filter(|&name| name != Name::EMPTY),
            is_handle: is_handle(tensor, names),
            sub_task_size: find("_ffts_sub_task_tensor_size")
                .and_then(AttrValue::int)
                .filter(|&size| size != -1)
                .map(size::of_dump),
        }
    }

    /// `need_gentask_atomic` is not set and the first cleared input is "all of them" (S5.8).
    pub(crate) fn cleans_all_inputs(&self) -> bool {
        self.atomic_inputs.as_ref().is_some_and(|inputs| inputs.first() == Some(&-1))
    }

    /// Whether output `o` is cleared before the node runs.
    pub(crate) fn is_atomic_output(&self, o: usize) -> bool {
        self.atomic_outputs.iter().any(|&n| usize::try_from(n) == Ok(o))
    }
}

/// The type without a trailing `V1` to `V4`.
fn base_type(op_type: &str) -> &str {
    match op_type.as_bytes() {
        [.., b'V', b'1'..=b'4'] => op_type.get(..op_type.len() - 2).unwrap_or(op_type),
        _ => op_type,
    }
}

fn is_handle(tensor: &Tensor, names: &Interner) -> bool {
    matches!(names.get(tensor.dtype), "DT_RESOURCE" | "DT_VARIANT")
}

fn pair_of(pair: &[i64]) -> Option<(u32, u32)> {
    match pair {
        [output, input] => Some((u32::try_from(*output).ok()?, u32::try_from(*input).ok()?)),
        _ => None,
    }
}

fn tensor_attr<'a>(attrs: &'a [Attr], names: &Interner, key: &str) -> Option<&'a AttrValue> {
    crate::graph::model::attr(attrs, names, key)
}

/// The names of inputs and outputs, which only `reference` operators need.
#[derive(Default)]
struct IoNames<'a> {
    input_keys: &'a [Name],
    input_values: &'a [i64],
    output_keys: &'a [Name],
    output_values: &'a [i64],
}

impl<'a> IoNames<'a> {
    fn take(&mut self, key: &str, value: &'a AttrValue) {
        match (key, value) {
            ("_input_name_key", AttrValue::Texts(names)) => self.input_keys = names,
            ("_input_name_value", AttrValue::Ints(values)) => self.input_values = values,
            ("_output_name_key", AttrValue::Texts(names)) => self.output_keys = names,
            ("_output_name_value", AttrValue::Ints(values)) => self.output_values = values,
            _ => {}
        }
    }

    fn input_named_like_output(&self, output: usize) -> Option<u32> {
        let at = self.output_values.iter().position(|&n| usize::try_from(n) == Ok(output))?;
        let name = *self.output_keys.get(at)?;
        if name == Name::EMPTY {
            return None;
        }
        let at = self.input_keys.iter().position(|&key| key == name)?;
        u32::try_from(*self.input_values.get(at)?).ok()
    }
}
