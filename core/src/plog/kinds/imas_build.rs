//! `[IMAS]` lines of graph compilation (plog grammar, chapter 3).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "imas.set",
        templates: &[
            "[IMAS]Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ {io=output|workspace|output_desc|input|unknown}[{index:i}] offset to [{offset:offset}] streamid[⟨{stream:i}⟩⟨--{stream_orig:i}⟩]⟨ memtype[{memtype:i}]⟩ size[{size:bytes}] realsize[{realsize:bytes}]⟨ noalignsize[{noalignsize:bytes}] life time begin[⟨{life_begin:u}⟩⟨{=--|-}{life_begin_node:u}⟩] life time end[{life_end}] child[{child:u}⟨:{reuse:u}:{continuous:u}:{flag4:u}⟨:{same_stream:u}⟩⟩] isref[{isref:u}]⟨ batch[{batch}]⟩⟨ scope[{scope:i}]⟩⟨, block_type[{block_type}]⟩⟩⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.after",
        twice: true,
        templates: &[
            "[IMAS]AfterAssignMemory : {graph:word}⟨ memoffset[{memoffset:bytes}]⟨, mem⟨ory ⟩type[{memtype:i}]⟨, theory_min[{theory_min:bytes}], zero_copy[{zero_copy:bytes}], total_size[{total_size:bytes}], no_reuse[{no_reuse:bytes}], streams[{streams:u}]⟨,⟩ topo_mode[{topo_mode}], mop[{mop}], io_reuse[{in_reuse:u}:{out_reuse:u}]⟨, alloc_mode[{alloc_mode}]⟩, smp[{smp}]⟩⟩⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.cont_in",
        templates: &[
            "⟨[ContinuousMem]⟩[IMAS]⟨{check=Check }⟩Continuous input : Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ output[{index:i}] offset to [{offset:offset}] stream_id[{stream:i}]⟨ memtype[{memtype:i}]⟩ size[{size:bytes}] real⟨_⟩size[{realsize:i}]⟨ nopadding⟨ size⟩[{nopadding:u}]⟩⟨, block_type[{block_type}]⟩⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.cont_out",
        templates: &[
            "[IMAS]Continuous output : Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ output[{index:i}] offset to [{offset:offset}] stream_id[{stream:i}]⟨ memtype[{memtype:i}]⟩ size[{size:bytes}] real⟨_⟩size[{realsize:i}]⟨ nopadding⟨ size⟩[{nopadding:u}]⟩⟨, block_type[{block_type}]⟩⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.atomic_out",
        templates: &[
            "[IMAS]Atomic output : Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ {=output|workspace}[{index:i}] offset to [{offset:offset}] stream_id[{stream:i}]⟨ memtype[{memtype:u}]⟩ ⟨s⟩size[{size:i}] real_size[{realsize:i}]⟨ batch[{batch}]⟩.",
        ],
        ..Kind::PLAIN
    },
    // The offset is the end of the area since 2025, the start before (plog grammar, trap 3).
    Kind {
        id: "imas.atomic_ws",
        templates: &[
            "[IMAS]Atomic ordinary workspace : Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ {=output|workspace}[{index:i}] offset to [{offset:offset}] stream_id[{stream:i}]⟨ memtype[{memtype:u}]⟩ ⟨s⟩size[{size:i}] real_size[{realsize:i}]⟨ batch[{batch}]⟩.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.atomic_fws",
        templates: &[
            "⟨[AtomicClean]⟩[IMAS]Atomic fusion workspace : Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ {=output|workspace}[{index:i}] offset to [{offset:offset}] stream_id[{stream:i}]⟨ memtype[{memtype:u}]⟩ ⟨s⟩size[{size:i}] real_size[{realsize:i}]⟨ batch[{batch}]⟩.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.memset",
        templates: &[
            "⟨[AtomicClean]⟩[IMAS]{=AppendAttrsToMemSetOp|SetAtomicCleanAttr} : Set {graph:word} atomic_node name[{name}]⟨ optype[{optype}]⟩ {=workspace|output}[0] offset to [{offsets}] streamid[{stream:i}]⟨ memtype[{memtype:i}]⟩ size[{sizes}]",
            "[IMAS]SetAtomicCleanAttr : Set graph[{graph}] atomic_node[{name}] output offset [{offsets}] size[{sizes}] streamid[{stream:i}]⟨.⟩",
            "[IMAS]SetAtomicCleanAttr : Set {graph:word} name[{name}] output[0] offset to [{offsets}] streamid[{stream:i}] size[{sizes}] realsize[{realsizes}]⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.old_misc",
        templates: &[
            "[IMAS]{what=Virtual node optimize |Virtual node optimize|ReAssignMergeMemory }: {=s|S}et {graph:word} name[{name}] output[{index:i}] offset to [{offset:offset}]⟨,⟩⟨ stream_id[{stream:i}]⟩ size[{size:i}]⟨,⟩ real_size[{realsize:i}].",
            "[IMAS]{what=Atomic no assign} {graph:word} name[{name}] output[{index:i}] streamid[{stream:i}].",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.append_ws",
        templates: &[
            "[IMAS]after append ws, node {name:word} refresh {what=ws|input offset|output offset} from {from} to {to}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "imas.preload",
        templates: &[
            "[IMAS]GetInputConstAddrOffset type[C] size[{size:i}]",
            "[IMAS]GetInputConstAddrOffset type {global=global memory}",
            "[IMAS]GetInputDataAddrs type[C] name[{name}] input[{index:u}] data_offset[{offset:offset}]",
        ],
        ..Kind::PLAIN
    },
];
