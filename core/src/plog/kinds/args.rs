//! Address refresh of static models: allocations, args table, zero copy (plog grammar, chapters 6 and 11).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "dfx.flag",
        templates: &[
            "Init davinci_model profiler flag:{prof:b}, get device model args table flag:{table:b}.",
        ],
        ..Kind::PLAIN
    },
    // Sizes and offsets are hexadecimal, so they are read as addresses are.
    Kind {
        id: "dfx.memalloc",
        templates: &[
            "[mem allocation]{tags} model_id {model_id:u}, ⟨{=input|output}_index {io_index:u}, op_name {name:word} op_type {optype}, ⟩id:{id:u}, logical_addr:{addr:addr}, data_size:{size:addr}, type:{type:name}, index_in_type:{index_in_type:hex}, mem_type:{mem_type:hex}, hit_count:{hit_count:hex}⟨.⟩⟨, tensor_size {tensor_size:bytes}⟩",
            "[mem allocation]{tags} model_id {model_id:u}, output_index {io_index:u}, logical_addr {addr:addr} ret {ret:u} id {id:u} offset {offset:addr}.",
            "[mem allocation]{tags} model_id {model_id:u}, output_index {io_index:u}, add output copy info, id:{id:u}, offset:{offset:addr}, data_size:{size:addr}.",
            "[mem allocation]{tags} model_id {model_id:u}, {=input|output}_index {io_index:u}, op_name {name:word} op_type {optype:word} {why=not support zero copy}, id:{id:u}, offset:{offset:addr}, data_size:{size:addr}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.args1",
        templates: &[
            "⟨[OM2]⟩[Args][Init] op_name:{name}, op_type:{optype}, logical_addrs size:{count:u}.",
            "⟨[OM2]⟩[Args][Init] op_name:{name}, op_type:{optype}, logical_addr[{index:u}]:{addr:addr}, id:{id:u}, offset:{offset:addr}, refreshable:{refreshable:u}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.args2",
        templates: &[
            "⟨[OM2]⟩[Args][Init] op_name:{name}, op_type:{optype}, pls:{pls:u}, pls host addr:{host:addr}, pls dev addr:{dev:addr}, task args refresh info:[id:{id:u}, offset:{offset:addr}, io_index:{io_index:hex}, args_offset:{args_offset:addr}, placement:{placement:name}, args_format_policy:{policy:hex}], after transfer, model args refresh info:[id:{id2:u}, offset:{offset2:addr}, host_args_addr:{host_slot:addr}, device_args_addr:{dev_slot:addr}⟨, {}⟩].",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.updater",
        templates: &[
            "[Args][Updater] op_name:{name}, op_type:{optype}, host_args:{host_args:addr}.",
            "[Args][Updater] op_name:{name}, op_type:{optype}, active_addr[{index:u}]:{addr:addr}, id:{id:u}, offset:{offset:addr}, active_base:{base:addr}",
            "[Args][Updater] update model args refresh info:⟨[⟩id:{id:u}, offset:{offset:addr}, host_args_addr:{host_slot:addr}, device_args_addr:{dev_slot:addr}⟨]⟩, active addr:{addr:addr}⟨.⟩",
            "[Args][Updater] update model args refresh info:⟨[⟩id:{id:u}, offset:{offset:addr}, host_args_addr:{host_slot:addr}, device_args_addr:{dev_slot:addr}, {}⟨]⟩, active addr:{addr:addr}⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.args_alloc",
        templates: &[
            "⟨[OM2] ⟩Alloc model args built_in={built_in:bytes}, reserved={reserved:bytes}, placement={placement:name}, addr={addr:addr} for ⟨model {model_id:u}({name})⟩⟨model_name={name2}⟩",
            "⟨[OM2] ⟩Alloc model args total_len {total:bytes}{}, placement={placement:name}, addr={addr:addr} for ⟨model {model_id:u}({name})⟩⟨model_name={name2}⟩",
        ],
        ..Kind::PLAIN
    },
    // The forms behind the first describe the refresh kernel, not memory.
    Kind {
        id: "dfx.launch",
        templates: &[
            "Print kernelLaunch Op args is: model_offset_args_device_addr is:{offset_tbl:addr}, model_index_args_device_addr is:{index_tbl:addr}, active_mem_base_device_addr: {active_tbl:addr}, model_args_table_addr:{args_tbl:addr}, workspace_addr:{ws:addr}, tiling_addr:{tiling:addr}",
            "Print device Tiling Data. {tiling_data:rest}",
            "LaunchKernelParam info: block_dim = {block_dim:u}, args_size = {args_size:bytes}, is_host_args = {host_args:u}",
            "LaunchKernelConfig info: {config:rest}",
            "kernel launch is ⟨not ⟩pcie bar copy, {sizes:rest}",
        ],
        ..Kind::PLAIN
    },
    // `host_slot` is a host address whatever the text says (trap 16).
    Kind {
        id: "dfx.table",
        templates: &[
            "Print model args host table, model args index is:{index:u}, model args host tensor data addr is:{value:addr},model device_args_addr is {host_slot:addr}.",
        ],
        ..Kind::PLAIN
    },
    // Slot of the args table to allocation and offset (chapter 11, item 7); `entry` is eight times the id.
    Kind {
        id: "dfx.slot",
        templates: &[
            "Print GenAddrRefreshIndexAndOffset result, model args table Index is:{index:u}, active mem base index is:{id:u}, addr offset is:{offset:addr}",
            "Print device offset table. index:{index:u}, offset is:{offset:u}, index is {entry:u}, {:u}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.diff",
        templates: &[
            "Print different args. Index: {index:i}, device addr is: {dev:addr10}, host addr is: {host:addr10}",
        ],
        ..Kind::PLAIN
    },
    // Values beyond the last id are the contents of host inputs, not addresses (chapter 11, item 4).
    Kind {
        id: "dfx.active",
        templates: &[
            "Print Kernel Launch Args, host active mem base Index is:{id:i}, active mem base addr is:{base:addr}",
            "Print active mem base. index:{id:i}, value is:{value:addr10}.",
            "[ActiveMemBase]⟨{fixed=[FIXED]}⟩⟨{refreshable=[FM]}⟩, model_id:{model_id:u}, id:{id:i}, active mem base:{base:addr}⟨, fm_idx:{fm_idx:u}.⟩",
            "[ActiveMemBase], host input index:{input:u}, model_id:{model_id:u}, id:{id:i}, active mem base:{base:addr}, host mem base:{host:addr}, len:{len:bytes}",
            "host input mem from {source=model args table|active mem base}, model_id:{model_id:u}, host addr:{host:addr}, device addr:{base:addr}, len:{len:bytes}⟨, update_version:{update_version:u}, is_pcie_bar_copy:{pcie_bar:name}⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.io",
        templates: &[
            "[{io=Input|Output}] index:{index:u}, user_addr:{user:addr}, active_base_addr:{base:addr}, pls:{pls=device|host}, is copy host:{copy_host:u}.",
        ],
        ..Kind::PLAIN
    },
    // `num` is the number of the refresh before (chapter 11, item 2).
    Kind {
        id: "dfx.policy",
        templates: &[
            "Begin to update model args, policy {policy}, fm_hit_count {fm:addr}, ⟨zero_copy_⟩model_io_hit_count:{io:addr}⟨, update_addr_num:{num:u}⟩⟨, va_2_pa:{va2pa:b}⟩.",
            "update_version:{update_version:u}, {how:rest}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.argsupdate",
        twice: true,
        templates: &[
            "[ArgsUpdate] graph_name:{name}, graph_id:{graph_id:u}, model_id:{model_id:u}, fm_refreshable:{fm_refreshable:b}, known:{known:b}, update_policy:{policy}, fm_hit_cnt:{fm:u}, mdl_io_hit_cnt:{io:u}, {rest:rest}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.zcpy",
        templates: &[
            "[ZCPY][disable zero copy] addrs {addr:word} of ⟨data ⟩{name}⟨ input {input:u}⟩, model_id:{model_id:u}.",
            "[ZCPY][disable zero copy] addrs {addr}, {why=no task feed this output}, model_id:{model_id:u}.",
            "[ZCPY][disable zero copy] addrs {addr}, model_id:{model_id:u}.",
            "[ZCPY] Start to InitInputDataInfo of {name}, total data size is {size:i}, virtual addr is {addr:addr}",
            "[ZCPY] {why}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "dfx.cpu_zcpy",
        templates: &["Set CpuKernel model zero_copy task {what=enter|success}."],
        ..Kind::PLAIN
    },
];
