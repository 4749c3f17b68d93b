//! Variables: their place in the session's variable space (plog grammar, chapter 3).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    // A host variable's address stands between the brackets of `output` (trap 15).
    Kind {
        id: "imas.var",
        templates: &[
            "[IMAS]AssignVarMem Set session_{session:u} name[{name}] output[{index:u}]⟨ ⟩offset to [{offset:offset}]⟨ size[{size:bytes}]⟨ ⟩realsize[{realsize:bytes}]⟩⟨⟨ ⟩, reuse address of node: {reuse_of}⟩.",
            "[IMAS]AssignVarMem Set session_{session:u} name[{name}] output[{index:u}] addr to [{addr:addr}] size[{size:bytes}].",
            "[IMAS]AssignVarMem Set session_{session:u} name[{name}] output[{host_addr:addr10}] size[{size:bytes}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "session.scope",
        templates: &[
            "{op=Start malloc} memory, size:{size:bytes}, session id:{session:u} device id:{device:u}",
            "{op=Free session}:{session:u} memory, device id:{device:u}.",
            "{op=Free memory} size:{size:bytes}.",
        ],
        ..Kind::PLAIN
    },
];
