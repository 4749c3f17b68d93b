//! Driver memory statistics (plog grammar, chapter 2).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "devmm.stat",
        modules: &["DRV", "DEVMM"],
        // The first form is found by its beginning: without a header and wrapped, there is no more.
        templates: &[
            "{mem_kind=SVM_MEM|HOST_MEM|MEM_HOST|DEV_MEM|DVPP_MEM|MEM_DEV_SMALL_HBM|MEM_DEV_HUGE_HBM|MEM_DEV_SMALL_DDR|MEM_DEV_HUGE_DDR|MEM_DEV_SMALL_P2P_HBM|MEM_DEV_HUGE_P2P_HBM|MEM_DEV_SMALL_P2P_DDR|MEM_DEV_HUGE_P2P_DDR}⟨ dev{dev:i}⟩ Mem stats (Bytes). (module_name={module_name}; module_id={module_id:u}; current_alloced_size={current:bytes}; {=alloced|allocated}_peak_size={peak:bytes}; alloc_cnt={alloc_cnt:u}; free_cnt={free_cnt:u})",
            "{mem_kind:name}⟨ dev{dev:i}⟩ Mem stats (Bytes). (module_name={module_name}; module_id={module_id:u}; current_alloced_size={current:bytes}; {=alloced|allocated}_peak_size={peak:bytes}; alloc_cnt={alloc_cnt:u}; free_cnt={free_cnt:u})",
            "{mem_kind:name}⟨ dev{dev:i}⟩ mem stats(Bytes): module_name={module_name}, module_id={module_id:u} current_alloced_size={current:bytes}, {=alloced|allocated}_peak_size={peak:bytes}⟨.⟩",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "devmm.cached",
        modules: &["DRV", "DEVMM"],
        templates: &["{mem_kind:name}⟨ dev{dev:i}⟩ Cached_size:{cached:bytes}Bytes"],
        ..Kind::PLAIN
    },
    Kind {
        id: "devmm.proc",
        templates: &[
            "DEV_PROC_MEM dev{dev:u} Mem stats (Bytes). (module_name={module_name}; module_id={module_id:u}; total_size={total:bytes})",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "devmm.stat.kernel",
        templates: &[
            "hostpid={hostpid:u} logic_id=dev{dev:u} mem_type={mem_kind:word} module_name={module_name:word} module_id={module_id:u} current_alloced_size={current:bytes} alloced_peak_size={peak:bytes} alloc_cnt={alloc_cnt:u} free_cnt={free_cnt:u}",
        ],
        ..Kind::PLAIN
    },
    Kind { id: "devmm.close", templates: &["DrvMemDeviceClose. (devid={dev:u})"], ..Kind::PLAIN },
    Kind {
        id: "devmm.op",
        templates: &[
            "{op=Alloc|Free}. (devid={dev:u}; module_id={module_id:u}; allocated_size={current:bytes}; peak_size={peak:bytes}; size={size:bytes}; mem_val={mem_val:u}; page_type={page_type:u}; phy_memtype={phy_memtype:u}; alloc_cnt={alloc_cnt:u}; free_cnt={free_cnt:u})",
        ],
        ..Kind::PLAIN
    },
];
