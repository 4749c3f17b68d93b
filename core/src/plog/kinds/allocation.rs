//! Memory that GE, the runtime and HCCL really take and give back (plog grammar, chapter 4).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "malloc.dyn",
        templates: &[
            "MallocMemory, func={func_name:name}, size={size:bytes}, purpose={purpose}, ptr={addr:addr}, device_id={device:u}, module_id={module_id:u}",
            "MallocMemory, func={func_name:name}, size={size:bytes}, purpose={purpose}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "malloc.alloc",
        templates: &["MemoryAllocator::MallocMemory device_id = {device:u}, size= {size:bytes}⟨.⟩"],
        ..Kind::PLAIN
    },
    Kind {
        id: "free.alloc",
        templates: &["MemoryAllocator::FreeMemory device_id = {device:u}⟨.⟩"],
        ..Kind::PLAIN
    },
    Kind {
        id: "active.logical",
        templates: &[
            "LogicalMemoryBlock logical_addr:{logical:u}{~}memory_size:{size:i}{~}active_addr:{addr:addr}{~}memory_type:{mem_type:u}, alloc:{alloc:b}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "active.block",
        templates: &[
            "ActiveMemoryBlock active_addr_begin:{begin:addr}{~}active_addr_end:{end:addr}{~}total_size:{total:bytes}{~}used_size:{used:bytes}{~}new_add:{new_add:b}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "active.total",
        templates: &[
            "Total active memory alloc_size:{alloc:bytes}, used_size:{used:bytes}, peak_size:{peak:bytes}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "active.op",
        templates: &[
            "ActiveMemoryAllocator::{op=MallocMemory} device_id = {device:u}, size = {size:bytes} used_count = {used_count:u}.",
            "ActiveMemoryAllocator::{op=FreeMemory} used_count = {used_count:u} device_id = {device:u}⟨ memory_type = {mem_type:u}⟩",
            "ActiveMemoryAllocator::{op=MallocPhysicalMemory|Recycle} memory_size:{size:bytes} device_id = {device:u} memory_type = {mem_type:u}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "expand.reserve",
        twice: true,
        templates: &[
            "virtual_active_addr_base:{addr:addr} virtual_memory_size:{size:bytes}⟨({size_h})⟩ device_id:{device:u}, memory_type:{mem_type:u}, share_phy_allocator:{share:b}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "expand.release",
        twice: true,
        templates: &[
            "virtual_{=active_addr_base|memory_addr}:{addr:addr} virtual_memory_size:{size:bytes} device_id:{device:u}⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "expand.total",
        templates: &[
            "[{purpose}] Total[virtual_memory_addr:{addr:addr} virtual_memory_size:{vsize:bytes}, used_memory_size:{used:bytes}], current[memory_addr:{cur_addr:addr} memory_size:{size:i} incremental:{incremental:b}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fixedbase",
        templates: &[
            "[fixed_base_expandable_memory] {op=malloc|free}, block: {block:addr}, addr: {addr:addr}, size: {size:bytes}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "pa.malloc",
        templates: &[
            "rtMallocPhysical success pa_index:{pa:u}, current physical memory size:{total:bytes} reuse:{reuse:b}, memory_type:{mem_type:u}, pg_type:{pg_type:name}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "pa.free",
        templates: &[
            "aclrtFreePhysical success pa_index:{pa:u}, current physical memory size:{total:bytes}, pg_type:{pg_type:name}",
        ],
        ..Kind::PLAIN
    },
    // `aclrtUnmapMem` without `success` is a delayed unmapping carried out when its range is released.
    Kind {
        id: "pa.map",
        templates: &[
            "{op=aclrtMapMem} success pa_index:{pa:u} addr:{va:addr}.",
            "{op=aclrtUnmapMem} success pa_index:{pa:u} {=va|addr}:{va:addr}.",
            "{op=reuse self|get from pool|put to pool success} pa_index:{pa:u}.",
            "pa_index:{pa:u} addr:{va:addr} {op=has been mapped|will be delay unmapped}.",
            "Unmap and free addr:{va:addr} size:{size:bytes} success, total {op=physical_memory_size}:{total:bytes} index:{pa:u} physical_map_count:{map_count:u}.",
            "{op=aclrtUnmapMem} pa_index:{pa:u} addr:{va:addr}.",
            "{op=aclrtReserveMemAddress|aclrtReleaseMemAddress} success va:{va:addr} size:{size:bytes}, device:{device:u}, memory_type:{mem_type:u}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "pa.recycle",
        templates: &[
            "Current physical_memory_size:{phys:bytes} theory_size:{theory:bytes} page_size:{page:bytes} reach theory rate:{rate:f}% recycle:{recycle:b} new_va_count:{new_va:u} recycle_count:{recycled:u}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "pa.va_done",
        templates: &[
            "virtual_memory_addr:{addr:addr} virtual_memory_size:{size:bytes} success, total physical_memory_size:{total:bytes}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "mem.device_total",
        twice: true,
        templates: &[
            "Total memory size is {total:bytes}",
            "The graph_mem_max_size is {graph_max:bytes} and the var_mem_max_size is {var_max:bytes}",
            "device total max size: {total:bytes}, page_mem_size_total_threshold: {pool_threshold:bytes}, uncacheable_size_threshold: {uncacheable:bytes}",
            "GetMemoryInfo free[{free:bytes}], total[{total:bytes}], limited_max_size[{limit:bytes}], return free[{ret_free:bytes}]",
            "{source=Get from PlatformInfo|Final} platform {~}memory size is {total:bytes}.",
            "page_mem_size_total_threshold is set to {pool_threshold:bytes}, as option[{option}]={}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt.malloc",
        templates: &[
            "device malloc, size={size:bytes}(bytes)⟨, type={type:i}, moduleId={module_id:u}⟩, start ptr=0x{start:addr16}, end ptr=0x{end:addr16}",
            "device malloc Succ, size={size:bytes}, start ptr=⟨0x⟩{start:addr16}, end ptr=⟨0x⟩{end:addr16}",
        ],
        ..Kind::PLAIN
    },
    Kind { id: "rt.free", templates: &["device free mem=⟨0x⟩{addr:addr16}"], ..Kind::PLAIN },
    Kind {
        id: "rt.host",
        templates: &[
            "Host memory {op=malloc} succeed,⟨ ⟩size={size:bytes}⟨(bytes)⟩, moduleId={module_id:u}⟨, vaFlag={va_flag:u}⟩, host addr={addr:addr}.",
            "{op=Free} host memory succeed, host addr={addr:addr}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt.physical",
        templates: &["Start to {op=MallocPhysical}, size={size:bytes}", "Start to {op=FreePhysical}"],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt.meminfo",
        templates: &[
            "curMemInfoType={type}, drvMemType={drv_type:u}, free={free:bytes}, hug_free={huge_free:bytes}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "acl.malloc",
        templates: &[
            "start to execute {api:name}, size = {size:bytes}",
            "start to execute {api=aclrtFree|aclrtFreeHost|aclrtFreePhysical|aclrtFreeWithDevSync|aclrtFreeHostWithDevSync}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "hccl.buf",
        templates: &[
            "[HCCL_TRACE][CreateCCLbuffer]{op=Create} ccl buffer success. buffer ptr[{addr:addr}], size[{size:bytes}]",
            "[HCCL_TRACE][ReleaseCCLbuffer]{op=Release} {which}cclBuffer. buffer ptr[{addr:addr}], size[{size:bytes}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "hccl.buffsize",
        templates: &["HCCL_BUFFSIZE set by {by=default|environment} to [{mb:u}]M"],
        ..Kind::PLAIN
    },
];
