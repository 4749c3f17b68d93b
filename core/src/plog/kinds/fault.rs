//! What failed, from GE down to the driver (plog grammar, chapter 7).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "fault.vapa",
        templates: &[
            "virtual and physical page mapping check failed, base: {base:addr}, page_size_: {page:bytes}, index_begin: {begin:u}, index_end: {end:u}, index: {index:u}",
            "virtual and physical page mapping check failed, page_size_: {page:bytes}, pa_list_size: {pa_list:u}, index: {index:u}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.pa_using",
        templates: &[
            "⟨{inter=va intersection}, pa_index[{pa2:u}]⟩⟨pa_index[{pa:u}] is using⟩. using va info: map_va: {va1:addr}, head_offset: {ho1:u}, using_size: {us1:bytes}, malloc_addr: {ma1:addr}, malloc_size: {ms1:bytes}, new va info: map_va: {va2:addr}, head_offset: {ho2:u}, using_size: {us2:bytes}, malloc_addr: {ma2:addr}, malloc_size: {ms2:bytes}",
        ],
        ..Kind::PLAIN
    },
    // `Failed to apply for memory` is a first try; the last form is the runtime's answer behind one
    // of the others.
    Kind {
        id: "fault.ge_oom",
        modules: &["GE"],
        templates: &[
            "[Malloc][Memory] failed, device_id = {device:u}, size= {size:bytes}",
            "[Malloc][Memory] failed, rt_ret:{ret:i}, device_id:{device:u}, size:{size:bytes}",
            "[Malloc][Memory] failed, memory_key[{key}], size = {size:bytes}, device_id:{device:u}.",
            "[Malloc][Memory] failed, no enough memory for size = {size:bytes}, device_id = {device:u}",
            "[Alloc][Memory] for {what=weight|feature map} failed. size:{size:i}⟨, fixed size:{fixed:bytes}⟩, model_id:{model_id:u}",
            "DeviceAllocator::Alloc failed device_id:{device:u}, size:{size:bytes}",
            "{key:word} Failed to apply for memory. We will try to free memory from memory pool, the above ⟨or this error log can ⟩⟨error log can ⟩⟨warning log can ⟩be ignored. Try to free cached memory...",
            "[{}][{kernel}]malloc failed, stream {stream:i}, tensor size={size:bytes}, index={index:u}",
            "Malloc feature map memory fail. malloced_memory_size[{got:i}] < mem_size[{size:bytes}], device_id[{device:u}]",
            "call rtMallocPhysical failed, size:{size:bytes}, pg_type: {pg:name}⟨, {what}⟩",
            "[Call][aclrtMallocWithCfg] failed, size: {size:bytes}, policy: {policy:u}, ret: {ret:i}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.limit",
        templates: &[
            "[Check] {=s|S}um of total_mem_offset:{total:bytes} and var_mem_size:{var:bytes} is greater than memory manager malloc max size {max:bytes}, graph_id:{graph_id:u}, graph_name:{graph}, reduce your batchsize or scale your model may solve problem",
            "[Check][TotalMemOffset] {total:bytes} is greater than memory manager malloc max size {max:bytes}, graph_id:{graph_id:u}, graph_name:{graph}, reduce your batchsize or scale your model may solve problem",
            "Current memoffset {total:bytes} is greater than memory manager malloc max size {max:bytes}",
        ],
        ..Kind::PLAIN
    },
    // `rest` is `key=value` pairs in an order that differs by call site.
    Kind {
        id: "fault.rt_oom",
        modules: &["RUNTIME"],
        failures_only: true,
        templates: &[
            "{hdr}Call driver api {api=halMemAlloc|halMemCreate|halMemMap|halMemAddressReserve} failed, drvRetCode={ret:i}{rest:rest}",
            "[drv api]⟨ ⟩{api=halMemAlloc}⟨ huge page⟩ failed{=:|,}⟨ ⟩{rest:rest}",
            "{api=DevMemAlloc huge page} failed: device_id={device:u}, type={type:u}, size={size:bytes}(bytes), drvRetCode={ret:i}!",
            "{api=DevMemAlloc} first try not successful, ret={ret:i}, trigger implicit mempool trim.",
            "{api=DevMemAlloc} retry after trim failed, ret={ret:i}.",
            "[drv api]⟨ ⟩{api=halMemAlloc|halMemCreate|halMemMap|halMemAddressReserve} failed. drvRetCode={ret:i}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.rt_code",
        modules: &["RUNTIME"],
        failures_only: true,
        templates: &[
            "{hdr}ErrCode={code:u}, desc=[{desc}], InnerCode={inner:addr}",
            "{hdr}{api:name} execution failed, reason={desc}",
            "halMapErrorCode ret:{mapped:i}, drvErrorCode:{drv:i}⟨, moduleId: {module_id:u}⟩",
            "{hdr}{api:name} execute failed, reason=[{desc}]",
            "{desc}. ErrorCode={error:name}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.acl",
        modules: &["ASCENDCL"],
        failures_only: true,
        templates: &["{what}, runtime result = {code:i}⟨.⟩"],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.drv",
        templates: &[
            "{what=Mem create is unsuccessful}. (ret={ret:i}; size={size:bytes}; side={side:u}; devid={dev:u}; module_id={module_id:u}; pg_type={pg:u}; mem_type={mem_type:u})",
            "{what=Out of virtual memory to alloc large memory}, please check memory usage. ({rest})",
            "{what=Can not alloc ptr|Can not alloc physical memory from base heap|Cache pool exhausted|Devmm alloc heap failed}. ({rest})",
            "{what=Process status occurs}. (devid={dev:u}; process_type={ptype:i}; status={status:i})",
            "⟨<errno:{:u}, {:u}> ⟩{what=Mem create failed}. (ret={ret:i}; size={size:bytes}; side={side:u}; devid={dev:u})",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.hccl",
        templates: &[
            "[Malloc][Mem]errNo[{errno:addr}] aclrtMallocWithCfg failed, return[{ret:i}], para: devPtr[{addr:addr}], size[{size:bytes} Byte].",
            "[DeviceMem][Alloc]rt_malloc error,⟨ ptr is nullptr,⟩ ret[{ret:i}], size[{size:bytes} Byte]",
            "[CCLBufferManager][CreateCCLbuffer]Create ccl buffer size[{size:bytes}] fail,please check environmental variable HCCL_BUFFSIZE.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "fault.aic",
        twice: true,
        templates: &[
            "[AIC_INFO] node_name:{name}, node_type:{optype}, stream_id:{stream:u}, task_id:{task:u}, context_id:{context:u}, thread_id:{thread:u}",
            "[AIC_INFO] {key=block_dim|workspace_bytes|workspace_addrs|dev_func|tvm_magic|kernel_info|tiling_key|all attrs}:{value}",
            "[AIC_INFO] {content}{=;|,}⟨ ⟩addr:{addr:addr}",
        ],
        ..Kind::PLAIN
    },
    // No fault by itself: it explains a need close to the total.
    Kind {
        id: "fault.reuse_off",
        twice: true,
        templates: &["Reuse memory {state=close|open}, memory_priority_mode is {priority=true|false}."],
        ..Kind::PLAIN
    },
];
