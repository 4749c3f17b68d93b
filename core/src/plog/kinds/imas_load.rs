//! Lines of model load: where the areas of a model lie, and its `[IMAS]` addresses (plog grammar, chapters 3 and 4).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "imas.fixed",
        templates: &[
            "[IMAS]model_name:{model:word} {area=hbm|p2p} fixed_feature_memory size:{size:bytes}, {=hbm|p2p} max size:{max:bytes}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.load.base",
        twice: true,
        templates: &[
            "⟨[IMAS]⟩{fn=InitFeatureMapAndP2PMem|InitWeightMem|InitModelMem|InitVariableMem} graph_{graph_id:u} MallocMemory type[{type=F|W|V}] ⟨mem_type[{mem_type:i}] ⟩mem⟨_⟩addr[{addr:addr}] mem_size[{size:bytes}]⟨Bytes⟩",
        ],
        ..Kind::PLAIN
    },
    // A row of `imas_mem_addr.csv` pasted among the lines (analysis rules, report files). This id is ours.
    Kind {
        id: "console.imas_base",
        templates: &[
            "Process_{pid:i},{graph_id:u},baseaddr,memaddr,{addr:addr},mem_size,{size:bytes},type,{type:name},valid memaddr range[{from:addr}~{to:addr}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.load.ex",
        twice: true,
        templates: &[
            "[IMAS]InitFeatureMap graph_{graph_id:u} MallocMemory type[F] mem_type[{mem_type:u}] mem_type_origin[{origin:u}] mem_addr[{addr:addr}] size[{size:bytes}].",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.const",
        templates: &[
            "[IMAS]{fn=InitConstant|Init FileConstant} memcpy graph_{graph_id:u} type[V] name[{name}] output[{index:i}] memaddr[{addr:addr}]⟨ ⟩mem_size[{mem_size:i}]⟨ datasize[{data_size:bytes}]⟩⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.addr",
        templates: &[
            "⟨[OM2]⟩[IMAS]graph_{graph_id:u} type[{type=F|H|S|P|V}] name[{name}] ⟨{aicpu=aicpu }⟩{io=input|output|workspace}[{index:u}]⟨ offset[{offset:offset}] {=size|bytes}[{size:i}]⟩ memaddr[{addr:addr}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.addr.in",
        templates: &[
            "⟨[OM2]⟩[IMAS]Get{fn=Input|Output|Workspace}DataAddrs graph_{graph_id:u} type[{type=C|V|F|P|L1}] name[{name}] ⟨{pre=aicpu |p2p }⟩{io=input|output|workspace}[{index:u}]⟨ size[{size:i}]⟩⟨ ⟨ ⟩offset[{offset:offset}] bytes[{bytes:i}]⟩ memaddr[{addr:addr}]",
            "⟨[OM2]⟩[IMAS]Get{fn=Input|Output|Workspace}DataAddrs graph_{graph_id:u} type[{type=C|V|F|P|L1}] name[{name}] ⟨{pre=aicpu |p2p }⟩{io=input|output|workspace}[{index:u}]⟨ size[{size:i}]⟩⟨ ⟨ ⟩offset[{offset:offset}] bytes[{bytes:i}]⟩ {null=Null addr}",
            "⟨[OM2]⟩[IMAS]Get{fn=Input|Output|Workspace}DataAddrs graph_{graph_id:u} type[{type=C|V|F|P|L1}] name[{name}], mem_addr[{}index {l1_index:u}]:{l1_addr:addr}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.addr.fail",
        templates: &[
            "⟨[OM2]⟩[IMAS]get failed for graph_{graph_id:u} type[{type=F|H|S|P}] name[{name}] {io=input|output|workspace}[{index:u}] offset[{offset:offset}] size[{size:i}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.copy",
        templates: &[
            "⟨[IMAS]⟩CopyPlainData memcpy ⟨{mode=async|sync} ⟩graph_{graph_id:u} type[{type=F|V}] ⟨name[{name}] ⟩{io=input|output}[{io_id}]⟨ rank[{rank:u}]⟩⟨ dst[{dst:addr}]⟩⟨ src[{src:addr}]⟩⟨ memaddr[{addr:addr}]⟩ mem_size[{mem_size:bytes}] datasize[{data_size:bytes}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.ffts",
        templates: &[
            "[IMAS] {name:word} {optype:word} get real {io=input data|workspace|output data} addr {addr:addr10}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "model.need",
        templates: &[
            "Model {model_id:u} need {need:bytes}/{total:bytes} for feature-map without zero-copyable memory",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "model.metrics",
        twice: true,
        templates: &[
            "model_metrics:name={name}, alloc_dev_mem={alloc_dev:bytes} B, shared_dev_mem={shared_dev:bytes} B, device_id={device:u}, rts_model_id={rts_model:u}",
            "model_metrics:name={name}, alloc_var_mem={alloc_var:bytes} B, shared_var_mem={shared_var:bytes} B",
            "model_metrics:name={name}, max_alloc_dev_mem={max_alloc:bytes} B, device_id={device:u}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "mem.graph_need",
        templates: &[
            "Graph[{graph_id:u}] need memory_size[{memory:i}], weight_size[{weight:i}], var_size[{var:i}], Device[{device:u}] free_memory_size[{free:bytes}]",
            "Graph[{graph_id:u}] non_zero_copy_mem_size[{non_zc:i}], memory_size[{memory:i}], zero_copy_size[{zc:i}], is_reuse_zero_copy_memory[{reuse_zc:b}], weight_size[{weight:i}], Device[{device:u}]",
            "Graph[{graph_id:u}] reuse[{reuse:b}], total_non_zero_copy_mem_size[{non_zc:i}], malloced_feature_mem_size[{malloced:i}], sum_size[{sum:i}], total_weight_size[{weight:i}], Device[{device:u}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fixed.feature",
        templates: &[
            "{op=malloc} fixed_feature_memory success, type: {type}, addr: {addr:addr}, size: {size:bytes}",
            "{op=get} fixed_feature_memory success, type: {type}, addr: {addr:addr}, size: {size:bytes}, session_id: {session:u}, using session allocator",
            "{op=free} fixed_feature_memory by external allocator success, addr: {addr:addr}, size: {size:bytes}",
        ],
        ..Kind::PLAIN
    },
    // `malloc success` is the model's own line behind either of the first two: the same bytes again.
    Kind {
        id: "block.load",
        templates: &[
            "{op=malloc memory} success, ptr: {addr:addr}, size: {size:bytes}, aligned size: {aligned:bytes}, block_size: {block_size:bytes}, memory type: {mem_type:u}",
            "{op=find free memory}, ptr: {addr:addr}, aligned_size: {aligned:bytes}, block info[base: {base:addr}, size: {block_size:bytes}, used_size: {used:bytes}].",
            "{op=free memory} success, ptr: {addr:addr}, size: {block_size:bytes}, memory type: {mem_type:u}",
            "{op=malloc success}, ptr: {addr:addr}, size: {size:bytes}, mem_type: {mem_type:u}, block_size: {block_size:bytes}",
        ],
        ..Kind::PLAIN
    },
];
