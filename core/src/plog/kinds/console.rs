//! Lines without a plog header that users paste: exception texts of Python, torch_npu and CANN.
//!
//! These ids are ours. Wrapped lines must have been joined, and framework prefixes taken off, before.

use super::Kind;

/// No module prints these: with a header they are only looked for by a fixed start.
const NO_HEADER: &[&str] = &[""];

pub(super) const ALL: &[Kind] = &[
    // What `fault.acl` is in a plog: the result of a failed AscendCL call, 207001 for no memory.
    Kind {
        id: "console.acl",
        modules: NO_HEADER,
        templates: &[
            "{what=alloc device memory failed|alloc device memory with cache failed|alloc host memory failed|malloc physical memory failed}, runtime result = {code:i}[FUNC:{func}][FILE:{file}][LINE:{line:u}]",
            "{what}, runtime result = {code:i}[FUNC:{func}][FILE:{file}][LINE:{line:u}]",
        ],
        ..Kind::PLAIN
    },
    // The head of an error report: a CANN error code and its sentence. EL0004 is a failed
    // allocation, E19025 an invalid input or output, EE1023 a lack of streams (no memory fault).
    Kind {
        id: "console.code",
        modules: NO_HEADER,
        templates: &[
            "{code=EL0004|EL0018|EL0019|E19022|E19025|EE1001|EE1023}: ⟨[PID: {pid:u}] {time:word} ⟩{text}",
            "{code=EL0003|EL0005|EE1013|EE1017|EH0010|EI0007|EI0011|E13025}: ⟨[PID: {pid:u}] {time:word} ⟩{text}",
            "{code=E19999|EZ9999}: ⟨[PID: {pid:u}] {time:word} ⟩{text}",
            "{code:name}: [PID: {pid:u}] {time:word} {text}",
            "[PID: {pid:u}] {time:word} {class:name}({code:name}): {text}",
            "{class=Memory_Allocation_Failure}({code:name}): {text}",
        ],
        ..Kind::PLAIN
    },
    // The caller's buffer for a zero-copy io is smaller than the model needs, even with the 64 bytes
    // that are added to `user` first.
    Kind {
        id: "console.output_size",
        templates: &[
            "Check {io=input|output} size failed, index {index:u}, user size {user:bytes}, op size {op:bytes}.⟨[FUNC:{func}][FILE:{file}][LINE:{line:u}]⟩",
        ],
        ..Kind::PLAIN
    },
    // torch_npu's own line: process, device, rank and its code (ERR00100: a call of AscendCL failed).
    Kind {
        id: "console.pta",
        templates: &[
            "[{level=ERROR|WARN|WARNING|INFO}] {time:word} (PID:{pid:i}, Device:{device:i}, RankID:{rank:i}) {code:word} {text}",
        ],
        ..Kind::PLAIN
    },
    // torch_npu's caching allocator gave up. Sizes are rounded to two digits.
    Kind {
        id: "console.torch_oom",
        templates: &[
            "⟨RuntimeError: ⟩⟨torch.OutOfMemoryError: ⟩NPU out of memory. Tried to allocate {size:rounded} (NPU {device:u}; {total:rounded} total capacity; {allocated:rounded} already allocated; {active:rounded} current active; {free:rounded} free; {reserved:rounded} reserved in total by PyTorch)⟨ {advice}⟩",
        ],
        ..Kind::PLAIN
    },
];
