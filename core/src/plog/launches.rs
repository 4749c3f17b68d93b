//! Puts the lines of one kernel launch together, and the launches of one step.
//!
//! A thread prints the lines of a launch one behind the other, each with the kernel's name (plog
//! grammar chapter 5). Knows nothing of memory.

use hashbrown::{HashMap, HashSet};

use super::facts::launch::{Line, Says};
use crate::intern::Name;
use crate::model::launch::{Launch, Launches, Pointer, Split, Step};
use crate::units::Bytes;

/// Launches being put together.
#[derive(Default)]
pub(super) struct Building {
    launches: Launches,
    threads: HashMap<i64, Thread>,
}

#[derive(Default)]
struct Thread {
    /// Place of the launch whose lines are being read.
    launch: Option<usize>,
    /// Place of the step.
    step: Option<u32>,
    steps: u32,
    /// Marks were seen on this thread: they alone start steps.
    marked: bool,
    /// Kernels of this step, where no marks start the next.
    seen: HashSet<Name>,
}

impl Building {
    /// Takes a line. `pool_events` is the number of hand-outs and returns of pools so far.
    pub(super) fn line(&mut self, line: Line, pool_events: u32) {
        if let Says::Mark(starts) = line.says {
            let thread = self.threads.entry(line.tid).or_default();
            thread.launch = None;
            thread.marked = true;
            thread.step = None;
            if starts {
                self.begin_step(&line, true);
            }
            return;
        }
        let place = self.launch(&line);
        let Some(launch) = self.launches.launches.get_mut(place) else { return };
        launch.failed |= line.failed;
        match line.says {
            Says::Call(block_dim) => launch.block_dim = Some(block_dim),
            Says::Task(stream, task) => launch.task = Some((stream, task)),
            Says::Split { inputs, outputs, args_size } => {
                launch.split = Some(Split { inputs, outputs, args_size, span: line.span });
            }
            Says::Pointers { addresses, sizes, on_aicpu } => {
                let is_whole = sizes.len() == addresses.len();
                let size = |n: usize| sizes.get(n).filter(|_| is_whole).map(|&size| Bytes(size));
                let pointer = |(n, address)| Pointer { address, size: size(n) };
                launch.pointers = Some(addresses.into_iter().enumerate().map(pointer).collect());
                launch.pointers_span = Some(line.span);
                launch.pool_events = pool_events;
                launch.on_aicpu = on_aicpu;
            }
            Says::Workspaces(workspaces) => launch.workspaces = Some(workspaces),
            Says::Tiling(size) => launch.tiling = Some(size),
            Says::Mark(_) => {}
        }
    }

    /// The launches.
    pub(super) fn finish(self) -> Launches {
        self.launches
    }

    /// The launch that a line belongs to; a new one where the line can't be part of the last.
    fn launch(&mut self, line: &Line) -> usize {
        let open = self.threads.get(&line.tid).and_then(|thread| thread.launch);
        if let Some(place) = open
            && let Some(launch) = self.launches.launches.get(place)
            && launch.kernel == line.kernel
            && !has(launch, &line.says)
        {
            return place;
        }
        let step = self.step(line);
        self.launches.launches.push(Launch {
            kernel: line.kernel,
            tid: line.tid,
            step,
            block_dim: None,
            task: None,
            pointers: None,
            split: None,
            workspaces: None,
            tiling: None,
            on_aicpu: false,
            failed: false,
            pool_events: 0,
            time: line.time,
            span: line.span,
            pointers_span: None,
        });
        let place = self.launches.launches.len() - 1;
        self.threads.entry(line.tid).or_default().launch = Some(place);
        place
    }

    /// The step of a new launch. Without marks, an operator that is seen again starts the next one
    /// (analysis rules, R9).
    fn step(&mut self, line: &Line) -> u32 {
        let thread = self.threads.entry(line.tid).or_default();
        let is_again = !thread.marked && !thread.seen.insert(line.kernel);
        match thread.step {
            Some(step) if !is_again => step,
            _ => self.begin_step(line, false),
        }
    }

    fn begin_step(&mut self, line: &Line, marked: bool) -> u32 {
        let thread = self.threads.entry(line.tid).or_default();
        let place = self.launches.steps.len() as u32;
        self.launches.steps.push(Step {
            tid: line.tid,
            number: thread.steps,
            marked,
            time: line.time,
            span: line.span,
        });
        thread.steps += 1;
        thread.step = Some(place);
        thread.seen.clear();
        thread.seen.insert(line.kernel);
        place
    }
}

/// Whether the launch already has what the line says: then the line opens another launch.
fn has(launch: &Launch, says: &Says) -> bool {
    match says {
        // The call is the first line of a launch.
        Says::Call(_) => true,
        Says::Task(..) => launch.task.is_some(),
        Says::Split { .. } => launch.split.is_some(),
        Says::Pointers { .. } => launch.pointers.is_some(),
        Says::Workspaces(_) => launch.workspaces.is_some(),
        Says::Tiling(_) => launch.tiling.is_some(),
        Says::Mark(_) => true,
    }
}
