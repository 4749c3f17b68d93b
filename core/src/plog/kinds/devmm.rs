//! Driver memory statistics (plog grammar, chapter 2).

use super::Kind;

const STAT: Kind = Kind {
    id: "devmm.stat",
    modules: &["DRV", "DEVMM"],
    templates: &[
        "{mem_kind:name}⟨ dev{dev:i}⟩ Mem stats (Bytes). (module_name={module_name}; module_id={module_id:u}; current_alloced_size={current:bytes}; {=alloced|allocated}_peak_size={peak:bytes}; alloc_cnt={alloc_cnt:u}; free_cnt={free_cnt:u})",
        "{mem_kind:name}⟨ dev{dev:i}⟩ mem stats(Bytes): module_name={module_name}, module_id={module_id:u} current_alloced_size={current:bytes}, {=alloced|allocated}_peak_size={peak:bytes}⟨.⟩",
    ],
    ..Kind::PLAIN
};

pub(super) const ALL: &[Kind] = &[STAT];
