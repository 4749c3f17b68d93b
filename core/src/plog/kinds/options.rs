//! Who is who and what was set: sessions, graphs, models, options, time costs (plog grammar, chapter 8).

use super::Kind;

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "id.graph_model",
        templates: &[
            "Set graph id to model map, graph id: {graph_id:u}, model id: {model_id:u}.",
            "Set graph id to model map, model_id: {model_id:u}, runtime session_id: {session:u}.",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "id.load",
        templates: &[
            "{op=Load model online success|Load model begin|Load model success|Load model with queue success|Load model without queue success}, model_id:⟨ ⟩{model_id:u}.",
            "{op=UnLoad model begin|UnLoad model success}, model id: {model_id:u}.",
            "{op=Load model of graph}: {graph}, session: {session:u}, device: {device:u}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "id.unload",
        twice: true,
        templates: &[
            "UnloadGraph[{graph_id:u}], model[{model_id:u}] {how=success}.",
            "Unload graph[{graph_id:u}], model[{model_id:u}] {how=finished}.",
            "graph id[{graph_id:u}] {how=need to unload other models}, if have any, release_all[{release_all:b}], is_enough[{is_enough:b}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "id.session",
        templates: &[
            "[InnerSession:{session:u}]⟨ ⟩{op}⟨,⟩ ⟨session_id:{:u}, ⟩graph_id{==|:}{graph_id:u}⟨, inputs size:{:u}⟩.",
            "{op=VarManager::Init}, session id = {session:u} device id = {device:u}.",
            "{op=VarManager::Destroy}, session id = {session:u}.",
            "{op=Execute graph with stream begin|Run graph with stream begin}, session id = {session:u}, graph id = {graph_id:u}{rest:rest}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "opt.smp",
        templates: &[
            "Final StaticMemoryPolicy is set to {policy:u}.",
            "{env=GE_USE_STATIC_MEMORY} is set to {value}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "opt.kv",
        templates: &[
            "Get option key[{key}] value[{value}].",
            "option[{key}] value[{value}]",
            "Option {key:word} = [{value}]",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "opt.perf",
        twice: true,
        templates: &["[GEPERFTRACE] The time cost of {what} is [{us:u}] micro second⟨s⟩{rest:rest}"],
        ..Kind::PLAIN
    },
];
