//! Reports of leak checkers of the host: LeakSanitizer and valgrind (analysis rules, R11).
//!
//! These ids are ours. A record is a first line and a line for each frame; what belongs together
//! is the model's matter.

use super::Kind;

/// No module prints these.
const NO_HEADER: &[&str] = &[""];

pub(super) const ALL: &[Kind] = &[
    Kind {
        id: "console.leak.begin",
        modules: NO_HEADER,
        templates: &["=={pid:i}==ERROR: LeakSanitizer: detected memory leaks"],
        ..Kind::PLAIN
    },
    Kind {
        id: "console.leak.asan",
        modules: NO_HEADER,
        templates: &[
            "{loss=Direct|Indirect} leak of {size:bytes} byte(s) in {blocks:u} object(s) allocated from:",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "console.leak.asan.frame",
        modules: NO_HEADER,
        templates: &[
            "#{n:u} {addr:addr} in {func} {place:word} (BuildId: {})",
            "#{n:u} {addr:addr} in {func} {place:word}",
            "#{n:u} {addr:addr} {~}({place})",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "console.leak.asan.sum",
        modules: NO_HEADER,
        templates: &[
            "SUMMARY: {=AddressSanitizer|LeakSanitizer}: {size:bytes} byte(s) leaked in {blocks:u} allocation(s).",
        ],
        ..Kind::PLAIN
    },
    // Numbers have a comma after every third digit.
    Kind {
        id: "console.leak.valgrind",
        modules: NO_HEADER,
        templates: &[
            "=={pid:i}== {size:word}⟨ ({} direct, {} indirect)⟩ bytes in {blocks:word} blocks are {loss=definitely lost|indirectly lost|possibly lost|still reachable} in loss record {record:word} of {records:word}",
        ],
        ..Kind::PLAIN
    },
    Kind {
        id: "console.leak.valgrind.frame",
        modules: NO_HEADER,
        templates: &["=={pid:i}==    {=at|by} {addr:addr}: {func} ({place})"],
        ..Kind::PLAIN
    },
    Kind {
        id: "console.leak.valgrind.sum",
        modules: NO_HEADER,
        templates: &["=={pid:i}==    {loss=definitely lost}: {size:word} bytes in {blocks:word} blocks"],
        ..Kind::PLAIN
    },
    Kind {
        id: "console.leak.valgrind.clean",
        modules: NO_HEADER,
        templates: &["=={pid:i}== All heap blocks were freed -- no leaks are possible"],
        ..Kind::PLAIN
    },
];
