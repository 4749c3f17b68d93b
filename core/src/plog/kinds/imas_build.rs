//! `[IMAS]` lines of graph compilation (plog grammar, chapter 3).

use super::Kind;

const SET: Kind = Kind {
    id: "imas.set",
    templates: &[
        "[IMAS]Set {graph:word} name[{name}]⟨ optype[{optype}]⟩ {io=output|workspace|output_desc|input|unknown}[{index:i}] offset to [{offset:offset}] streamid[⟨{stream:i}⟩⟨--{stream_orig:i}⟩]⟨ memtype[{memtype:i}]⟩ size[{size:bytes}] realsize[{realsize:bytes}]⟨ noalignsize[{noalignsize:bytes}] life time begin[⟨{life_begin:u}⟩⟨{=--|-}{life_begin_node:u}⟩] life time end[{life_end}] child[{child:u}⟨:{reuse:u}:{continuous:u}:{flag4:u}⟨:{same_stream:u}⟩⟩] isref[{isref:u}]⟨ batch[{batch}]⟩⟨ scope[{scope:i}]⟩⟨, block_type[{block_type}]⟩⟩⟨.⟩",
    ],
    ..Kind::PLAIN
};

pub(super) const ALL: &[Kind] = &[SET];
