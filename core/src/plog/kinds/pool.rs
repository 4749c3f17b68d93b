//! The memory pools of dynamic graphs, old and new (plog grammar, chapters 4 and 5).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "pool.v1",
        templates: &[
            "{op=Start malloc pool memory}, size = {size:bytes}, device id = {device:u}",
            "{op=Malloc} device id = {device:u}, size= {size:bytes}",
            "{op=Try to extend cache}. size = {size:bytes}, device id = {device:u}",
            "{op=Free} device id = {device:u}",
            "{op=Free block|Find block|Block} size = {size:bytes}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "pool.v1.stat",
        modules: &["GE"],
        templates: &[
            "{what:word} total[size:{~}{size:bytes} count:{~}{count:u}].",
            "|- {what=block}[size:{~}{size:bytes} count:{~}{count:u}].",
            "{what=Called counts}[malloc:{~}{mallocs:u} free:{~}{frees:u}].",
        ],
        ..Kind::PLAIN
    },
    // The last two forms carry no allocator id.
    Kind {
        id: "rt2.create",
        templates: &[
            "create caching memory allocator, {id:word}",
            "create l2 allocator:{id:word}",
            "set l1 allocator {l1:word} for l2 allocator {id:word}",
            "Create {class=PhysicalMemoryAllocator} success device id:{device:u}, memory_type: {mem_type:u}, page_size: {page:bytes}.",
            "Create {class=RtsCachingMemAllocator} device id:{device:u} memory type:{mem_type:u}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.block.malloc",
        templates: &[
            "Malloc block device_id:{device:u} size:{size:bytes} allocate_size:{alloc_size:bytes} mem_addr:{addr:addr}. span addr {span:addr}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.block.free",
        templates: &[
            "Free block device_id:{device:u} theory_size_:{theory:bytes} theory_min_size_:{theory_min:bytes} allock_size:{alloc_size:bytes} mem_addr:{addr:addr}.",
        ],
        ..Kind::PLAIN
    },
    // `Malloc` is a request as it enters the pool, before a block is found.
    Kind {
        id: "rt2.block.misc",
        templates: &[
            "{what=Free using block} device_id:{device:u} size:{size:bytes} {=allocate_size|alloc_size}:{alloc_size:bytes} mem_addr:{addr:addr}⟨ count:{count:u}⟩.",
            "{what=reuse new_va_span} try_count:{count:u} size:{size:bytes} span_size:{alloc_size:bytes} mem_addr_:{addr:addr}",
            "{what=Delay split block} device_id:{device:u} size:{size:bytes} allocate_size:{alloc_size:bytes}.",
            "{what=try_count}:{count:u} size:{size:bytes} block_size:{alloc_size:bytes}",
            "{what=OccupiedSize}:{occupied:bytes} add size:{size:bytes} exceed total_threshold:{threshold:bytes}.",
            "{what=Free ref span} device_id:{device:u} allocate_size:{alloc_size:bytes} mem_addr:{addr:addr}.",
            "{what=block} device_id:{device:u} size:{size:bytes} alloca_size:{alloc_size:bytes} mem_addr:{addr:addr}",
            "{what=Malloc} size:{size:bytes}.",
            "{what=free span} size:{size:bytes} real_size:{alloc_size:bytes} left_size:{left:bytes} next_size:{next:bytes}",
            "{what=using span} size:{size:bytes} real_size:{alloc_size:bytes} memaddr:{addr:addr} index:{index:u} offset:{offset:offset}",
            "{what=using span} size:{size:bytes} real_size:{real_size:bytes} alloc_size:{alloc_size:bytes}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.l1",
        templates: &[
            "{op=Malloc} from level_1 allocator addr:{block:addr} size:{size:bytes}.",
            "{op=Free} to level_1 allocator dddr:{block:addr} size:{size:bytes}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.dev",
        templates: &[
            "DeviceAllocator::{op=Alloc|free} device_id:{device:u}⟨ ⟩,⟨ ⟩size:{size:bytes}, block_addr:{block:addr}",
            "RtMemAllocator::{op=free} device_id:{device:u} ,size:{size:bytes}, mem_addr:{addr:addr}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.detail.dev",
        twice: true,
        templates: &[
            "Device memory   : [alloc count:{allocs:u} free count:{frees:u} total size:{total:bytes}⟨({})⟩ new_va_size:{new_va:bytes}⟨({})⟩ real_theory_min:{real_min:bytes}⟨({})⟩ theory_min:{theory_min:bytes}⟨({})⟩ reach theory rate:{rate}%]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.detail.alloc",
        twice: true,
        templates: &[
            "Allocator memory: [alloc count:{allocs:u} free count:{frees:u} recycle count:{recycles:u}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.detail.use",
        twice: true,
        templates: &[
            "{what=Using|Freed}: [{kind=span|new_va_span} count:{count:u} page count:{pages:u} total size:{total:bytes}]",
            "|-{kind=span|new_va_span}: [size:{size:bytes}{~}count:{count:u}{~}]",
            "Freed {kind=span|new_va_span} layers: [level:{level:u}, count:{count:u}]",
            "|-{kind=layer|new_va_layer}: [id:{id:u}{~}capacity:{capacity:u}{~}size:{size:bytes}{~}count:{count:u}{~}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "rt2.l2pool",
        templates: &[
            "[MEM]{op=Expand} memory pool at stream {stream:addr}, address {addr:addr}, size {size:bytes}, block {block:addr}. allocator addr {allocator:addr}",
            "[MEM]{op=Shrink} memory pool at stream {stream:addr}, address {addr:addr}, block {block:addr}",
        ],
        ..Kind::PLAIN
    },
];
