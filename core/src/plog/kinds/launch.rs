//! `[KernelTrace]` lines: kernels of dynamic graphs, their memory and their launches (plog grammar, chapter 5).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "kt.alloc",
        templates: &[
            "[KernelTrace][{kernel}][MEM]Alloc memory at stream {stream:i}, block {block:addr}, address {addr:addr}, size {size:bytes}⟨, tensor size {tensor_size:bytes}⟩⟨, index {index:u}⟩",
            "[KernelTrace][{kernel}][MEM]Alloc memory at stream {stream:i}, block {block:addr}, address {addr:addr}, size {size:bytes}⟨, tensor size {tensor_size:bytes}⟩⟨, index {index:u}⟩{tail:rest}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "kt.free",
        templates: &[
            "[KernelTrace][{kernel}][MEM]Free memory at stream {stream:i}, address {addr:addr}⟨, index {index:u}⟩⟨, tensor {tensor:addr}⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "kt.recycle",
        templates: &[
            "[KernelTrace][{kernel}][MEM]{op=Recycle|Borrow-recycle|Local-recycle} memory at stream {stream:i}, address {addr:addr}⟨, birth stream {birth:i}⟩",
            "[KernelTrace][{kernel}][MEM]{op=Memory wandering} from stream {stream:i} to {to:i}, address {addr:addr}",
            "[KernelTrace][{kernel}][MEM]{op=Send|Wait} memory {what=recycling|migration} event {=from|at} stream {stream:i}, event id {event:i}, address {addr:addr}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "kt.launch.io",
        templates: &[
            "[KernelTrace][{kernel}]Input/Output addresses: {addrs:list}, Input/Output sizes: {sizes:list}",
            "[KernelTrace][{kernel}]{none=No inputs/outputs}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "kt.launch.args",
        templates: &[
            "[KernelTrace][{kernel}]Launch args-args addresses info(Will not pass to the launch func): args-args address base {base:addr}, args-args-size {args_size:bytes} {parts:rest}",
        ],
        ..Kind::PLAIN
    },
    // The last form is the dump of the arguments, and every later piece of a list that GE cut (1.3).
    Kind {
        id: "kt.launch.other",
        templates: &[
            "[KernelTrace][{kernel}]Launch function arguments: Handle {handle:addr}, block dim {block_dim:hex}, args {args:addr}, stream {stream:addr}, schedule mode: {sched:u}, local mem size: {local_mem:bytes}",
            "[KernelTrace][{kernel}]stream_id={stream_id:u}, task_id={task_id:u}, flip_num={flip_num:u}, flip_task_id={flip_task_id:u}",
            "[KernelTrace][{kernel}]Workspace addresses: {workspaces:list}",
            "[KernelTrace][{kernel}]{none=No workspaces|No compiled args|No tiling data}",
            "[KernelTrace][{kernel}]Compiled Args({compiled_size:bytes}): {compiled_args:list}",
            "[KernelTrace][{kernel}]Tiling address offset {tiling_offset:offset}, Tiling data({tiling_size:bytes} bytes): {tiling_data:list}",
            "[KernelTrace][{kernel}]Host input data: {host_input_data:list}",
            "[KernelTrace][{kernel}]Host input info: {host_input_info:list}",
            "[KernelTrace][{kernel}]{~}{args_data:list}",
        ],
        ..Kind::PLAIN
    },
    // The sizes are hexadecimal (trap 11).
    Kind {
        id: "kt.aicpu.io",
        templates: &[
            "[KernelTrace][{kernel}] Launch aicpu inputs/outputs addresses: {addrs:list}⟨{none= No inputs/outputs}⟩⟨, Launch aicpu inputs/outputs sizes: {sizes:list}⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "kt.model",
        templates: &[
            "[KernelTrace][{kernel}]davinci model init finish. runtime_model_id: {rt_model:u}, rt stream num: {streams:u}, list: [{list}]⟨, weight_base: {weight_base:addr10}, weight_size: {weight_size:bytes}⟩.",
            "[KernelTrace][{kernel}]davinci model update workspaces address, size: {count:u}. {items:rest}",
            "[KernelTrace][{kernel}][MEM] fixed_feature_memory hbm_addr {hbm:addr}, hbm_size {hbm_size:bytes}, p2p_addr {p2p:addr}, p2p_size {p2p_size:bytes}",
        ],
        ..Kind::PLAIN
    },
    Kind { id: "kt.mark", templates: &["[KernelTrace] {what=Start|End} model tracing."], ..Kind::PLAIN },
];
