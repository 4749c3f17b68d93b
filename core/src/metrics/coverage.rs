//! Which questions the lines of a process can answer (analysis rules, R0.2). No text, no verdict.

use crate::model::process::Process;

/// A question that needs its own lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Question {
    /// Who holds the device memory.
    Components,
    /// GE's own allocations by class.
    Classes,
    /// Figures of static graphs.
    Graphs,
    /// Blocks of static graphs.
    Blocks,
    /// Addresses at load.
    Addresses,
    /// Args tables of static models.
    ArgsTables,
    /// Launches of dynamic graphs.
    Launches,
    /// Pools of dynamic graphs.
    Pools,
    /// Pages under two virtual ranges.
    Pages,
    /// What failed first.
    FirstCause,
    /// Leaks of host memory.
    HostLeaks,
}

impl Question {
    /// All questions.
    pub const ALL: &[Question] = &[
        Question::Components,
        Question::Classes,
        Question::Graphs,
        Question::Blocks,
        Question::Addresses,
        Question::ArgsTables,
        Question::Launches,
        Question::Pools,
        Question::Pages,
        Question::FirstCause,
        Question::HostLeaks,
    ];

    /// Text of a line that the question needs.
    pub fn needs(self) -> &'static str {
        match self {
            Question::Components => "svm_mem_stats_show",
            Question::Classes => "MallocMemory",
            Question::Graphs => "AfterAssignMemory",
            Question::Blocks => "[IMAS]Set",
            Question::Addresses => "InitFeatureMapAndP2PMem",
            Question::ArgsTables => "get device model args table flag:1",
            Question::Launches => "[KernelTrace]",
            Question::Pools => "[allocator_",
            Question::Pages => "pa_index[",
            Question::FirstCause => "[ERROR]",
            Question::HostLeaks => "LeakSanitizer",
        }
    }
}

/// Whether the lines of a process can answer a question.
pub fn answers(process: &Process, question: Question) -> bool {
    match question {
        Question::Components => !process.components.statistics.is_empty(),
        Question::Classes => !process.allocations.events.is_empty(),
        Question::Graphs => !process.graphs.is_empty(),
        Question::Blocks => process.graphs.iter().any(|graph| !graph.blocks.is_empty()),
        Question::Addresses => process.regions.regions.iter().any(|region| region.base.0 != 0),
        Question::ArgsTables => process.args.models.iter().any(|model| !model.rounds.is_empty()),
        Question::Launches => !process.launches.launches.is_empty(),
        Question::Pools => !process.pools.allocators.is_empty(),
        // The check runs at INFO only: its silence there is an answer.
        Question::Pages => process.lines.ge_info > 0,
        Question::FirstCause => !process.faults.faults.is_empty(),
        Question::HostLeaks => !process.host_leaks.is_empty(),
    }
}
