//! Leaks of host memory, from the reports of leak checkers (analysis rules, R11).

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::{Evidence, Finding, Rule, Severity, Subject};
use crate::intern::Interner;
use crate::model::host_leak::{Frame, Leak, Loss};
use crate::say::host_leak::HostLeak;
use crate::units::Bytes;

const LOST: Rule = Rule::new("GEM1101", "host-leak", Severity::Error);
const INDIRECT: Rule = Rule::new("GEM1102", "host-leak-indirect", Severity::Info);
const DOUBTFUL: Rule = Rule::new("GEM1103", "host-leak-doubtful", Severity::Info);
const CLEAN: Rule = Rule::new("GEM1104", "host-clean", Severity::Info);

pub(super) const RULES: &[Rule] = &[LOST, INDIRECT, DOUBTFUL, CLEAN];

/// Stacks shown; the rest is summed up.
const STACKS: usize = 10;

/// All records with one stack.
struct Stack<'a> {
    first: &'a Leak,
    size: Bytes,
    blocks: u64,
    lines: Vec<Evidence>,
}

pub(super) fn check(subject: &Subject<'_>, findings: &mut Vec<Finding>) {
    let leaks = &subject.process.host_leaks;
    let of = |losses: &[Loss]| stacks(leaks.leaks.iter().filter(|leak| losses.contains(&leak.loss)));
    let lost = of(&[Loss::Definite]);
    let all: Bytes = lost.iter().map(|stack| stack.size).sum();
    for stack in lost.iter().take(STACKS) {
        let message = HostLeak::Stack {
            tool: stack.first.tool,
            size: stack.size,
            blocks: stack.blocks,
            all,
            frames: own_frames(&stack.first.frames, subject.names),
        };
        findings.push(subject.finding(&LOST, Severity::Error, message, stack.lines.iter().cloned()));
    }
    if lost.len() > STACKS {
        let rest = lost.get(STACKS..).unwrap_or_default();
        let message = HostLeak::Rest { stacks: rest.len(), size: rest.iter().map(|stack| stack.size).sum() };
        let lines = rest.iter().flat_map(|stack| stack.lines.iter().take(1).cloned());
        findings.push(subject.finding(&LOST, Severity::Warning, message, lines));
    }
    for (rule, loss) in [(&INDIRECT, Loss::Indirect), (&DOUBTFUL, Loss::Possible)] {
        let stacks = of(&[loss]);
        if stacks.is_empty() {
            continue;
        }
        let size = stacks.iter().map(|stack| stack.size).sum();
        let message = HostLeak::Lesser { loss, stacks: stacks.len(), size };
        let lines = stacks.iter().flat_map(|stack| stack.lines.iter().take(1).cloned());
        findings.push(subject.finding(rule, Severity::Info, message, lines));
    }
    if let (true, Some(&(tool, span))) = (leaks.leaks.is_empty(), leaks.clean.first()) {
        let message = HostLeak::Clean { tool };
        findings.push(subject.finding(&CLEAN, Severity::Info, message, [Evidence::Line(span)]));
    }
}

/// Records merged by their stack, the largest first.
fn stacks<'a>(leaks: impl Iterator<Item = &'a Leak>) -> Vec<Stack<'a>> {
    let mut places: HashMap<&[Frame], usize> = HashMap::new();
    let mut stacks: Vec<Stack<'a>> = Vec::new();
    for leak in leaks {
        // Records whose stack is missing have nothing in common.
        let known = if leak.frames.is_empty() { None } else { places.get(leak.frames.as_slice()).copied() };
        match known.and_then(|place| stacks.get_mut(place)) {
            Some(stack) => {
                stack.size += leak.size;
                stack.blocks = stack.blocks.saturating_add(leak.blocks);
                stack.lines.push(Evidence::Line(leak.span));
            }
            None => {
                places.insert(&leak.frames, stacks.len());
                let lines = Vec::from([Evidence::Line(leak.span)]);
                stacks.push(Stack { first: leak, size: leak.size, blocks: leak.blocks, lines });
            }
        }
    }
    stacks.sort_by_key(|stack| (core::cmp::Reverse(stack.size), stack.first.span));
    stacks
}

/// The frames above the allocator itself: those tell where the memory comes from.
fn own_frames(frames: &[Frame], names: &Interner) -> Vec<Frame> {
    let is_allocator = |frame: &&Frame| {
        let function = names.get(frame.function);
        let name = function.trim_start_matches("__interceptor_");
        matches!(
            name.split(['(', '[']).next().unwrap_or_default().trim_end(),
            "malloc" | "calloc" | "realloc" | "posix_memalign" | "aligned_alloc" | "memalign" | "strdup"
        ) || name.starts_with("operator new")
    };
    frames.iter().skip_while(is_allocator).copied().collect()
}
