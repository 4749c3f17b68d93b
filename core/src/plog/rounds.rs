//! Puts the lines of args tables together: which model and which round each belongs to.
//!
//! In a round GE prints the user's memory, then the bases, then the policy, then the table it
//! launched with; only some of the lines name the model, so the thread joins them (plog grammar
//! chapters 6 and 11). Knows nothing of what an address means.

use alloc::vec::Vec;

use hashbrown::HashMap;

use super::facts::args::{Entry, Line, Says};
use crate::intern::Name;
use crate::model::args_table::{
    ArgsTables, Base, Difference, GraphModel, MapEntry, ModelArgs, Round, SLOT_LIMIT, Table, TooSmall, Value,
};
use crate::units::Address;

/// Args tables being put together.
#[derive(Default)]
pub(super) struct Building {
    tables: ArgsTables,
    /// What the latest printed table of each model held.
    printed: Vec<Vec<Option<Address>>>,
    places: HashMap<Option<u64>, usize>,
    threads: HashMap<u32, Thread>,
}

/// What a thread is at.
#[derive(Default)]
struct Thread {
    /// Place of the model that it worked on last.
    model: Option<usize>,
    /// A round whose policy is still to come.
    open: Option<Round>,
    /// Place of the last round of that model that this thread made.
    round: Option<usize>,
    /// Slots that the host wrote; the table's address is known by the policy line at the latest.
    written: Vec<(Address, Value)>,
}

impl Building {
    pub(super) fn graph(&mut self, pair: GraphModel) {
        self.tables.graphs.push(pair);
    }

    pub(super) fn too_small(&mut self, buffer: TooSmall) {
        self.tables.too_small.push(buffer);
    }

    /// Takes a line.
    pub(super) fn line(&mut self, line: Line) {
        let key = line.tid as u32;
        match line.says {
            Says::Allocation(model, allocation) => {
                let place = self.at(key, Some(model));
                let known = &mut self.tables.models[place].allocations;
                // Printed when it is made and again in the whole table at the end.
                match known.binary_search_by_key(&allocation.id, |a| a.id) {
                    Ok(found) => known[found] = allocation,
                    Err(free) => known.insert(free, allocation),
                }
            }
            Says::Copied(model, output) => {
                let place = self.at(key, Some(model));
                self.tables.models[place].copied_outputs.push(output);
            }
            Says::NoZeroCopy(model, said) => {
                let place = self.at(key, model);
                self.tables.models[place].no_zero_copy.push(said);
            }
            Says::Address(address) => {
                let place = self.here(key);
                self.tables.models[place].addresses.push(address);
            }
            Says::Place(slot) => {
                let place = self.here(key);
                self.tables.models[place].places.push(slot);
            }
            Says::Table(model, name, table) => {
                let place = match model {
                    Some(model) => self.at(key, Some(model)),
                    None => self.here(key),
                };
                let model = &mut self.tables.models[place];
                model.name = name;
                model.tables.push(table);
            }
            Says::Launch(table) => self.launched(&line, table),
            Says::Base { model, id, base, at_load } => {
                self.base(&line, model, Base { id, base, span: line.span }, at_load)
            }
            Says::User(user) => {
                let round = self.open_execution(&line);
                round.users.push(user);
            }
            Says::Written { slot, value } => self.written(&line, slot, value),
            Says::Policy(policy) => self.policy(&line, policy),
            Says::Difference { slot, device, host } => {
                if let Some(round) = self.current(key) {
                    round.differences.push(Difference { slot, device, host, span: line.span });
                }
            }
            Says::Loaded(model) => {
                let place = self.at(key, Some(model));
                self.close_load(key, place);
            }
        }
    }

    /// Takes a slot of a printed table.
    pub(super) fn value(&mut self, entry: Entry) {
        if entry.slot >= SLOT_LIMIT {
            return;
        }
        let Some(place) = self.threads.get(&entry.tid).and_then(|thread| thread.model) else { return };
        let known = &mut self.printed[place];
        let slot = entry.slot as usize;
        if known.len() <= slot {
            known.resize(slot + 1, None);
        }
        let value = Address(entry.number);
        let is_new = known[slot] != Some(value);
        known[slot] = Some(value);
        let Some(round) = self.current(entry.tid) else { return };
        round.printed = round.printed.max(entry.slot + 1);
        round.table_span.get_or_insert(entry.span);
        if is_new {
            round.values.push(Value { slot: entry.slot, value, span: entry.span });
        }
    }

    /// Takes what a slot is made of.
    pub(super) fn map(&mut self, entry: Entry) {
        if entry.slot >= SLOT_LIMIT {
            return;
        }
        let place = self.here(entry.tid);
        let map = &mut self.tables.models[place].map;
        let row = MapEntry { slot: entry.slot, id: entry.id, offset: entry.number, span: entry.span };
        match map.binary_search_by_key(&row.slot, |known| known.slot) {
            Ok(_) => {}
            Err(free) => map.insert(free, row),
        }
    }

    /// The tables; rounds whose policy never came are kept without one.
    pub(super) fn finish(mut self) -> ArgsTables {
        let mut threads: Vec<u32> = self.threads.keys().copied().collect();
        threads.sort_unstable();
        for key in threads {
            self.close(key, Name::EMPTY, None);
        }
        self.tables
    }

    /// The place of a model, on which the thread works from now on.
    fn at(&mut self, key: u32, model: Option<u64>) -> usize {
        let place = match self.places.get(&model) {
            Some(&place) => place,
            None => {
                self.tables.models.push(ModelArgs { model, ..ModelArgs::default() });
                self.printed.push(Vec::new());
                let place = self.tables.models.len() - 1;
                self.places.insert(model, place);
                place
            }
        };
        let thread = self.threads.entry(key).or_default();
        if thread.model != Some(place) {
            thread.model = Some(place);
            thread.round = None;
        }
        place
    }

    /// The place of the model that the thread works on.
    fn here(&mut self, key: u32) -> usize {
        match self.threads.get(&key).and_then(|thread| thread.model) {
            Some(place) => place,
            None => self.at(key, None),
        }
    }

    /// The round that lines behind the policy belong to.
    fn current(&mut self, key: u32) -> Option<&mut Round> {
        let thread = self.threads.get(&key)?;
        self.tables.models.get_mut(thread.model?)?.rounds.get_mut(thread.round?)
    }

    fn base(&mut self, line: &Line, model: Option<u64>, base: Base, at_load: bool) {
        let key = line.tid as u32;
        let Some(model) = model else {
            // Behind the policy; entries beyond the last id are no bases.
            let place = self.here(key);
            let is_id = self.tables.models[place].allocations.iter().any(|a| a.id == base.id);
            if let (true, Some(round)) = (is_id, self.current(key)) {
                round.bases.push(base);
            }
            return;
        };
        let place = self.at(key, Some(model));
        let is_loading = at_load && self.tables.models[place].rounds.iter().all(|round| round.at_load);
        if is_loading {
            let thread = self.threads.entry(key).or_default();
            let has_user = thread.open.as_ref().is_some_and(|round| !round.users.is_empty());
            if !has_user {
                let round = thread.open.get_or_insert_with(|| begin(line));
                round.at_load = true;
                round.bases.push(base);
                return;
            }
        }
        self.open_execution(line).bases.push(base);
    }

    /// The round of an execution whose policy is still to come.
    fn open_execution(&mut self, line: &Line) -> &mut Round {
        let key = line.tid as u32;
        let is_load = |thread: &Thread| thread.open.as_ref().is_some_and(|round| round.at_load);
        if self.threads.get(&key).is_some_and(is_load) {
            // With a refreshable feature map, the update at load has no policy line.
            self.close(key, Name::EMPTY, None);
        }
        let thread = self.threads.entry(key).or_default();
        thread.open.get_or_insert_with(|| begin(line))
    }

    /// With the refresh kernel the host writes behind the policy line, without it before.
    fn written(&mut self, line: &Line, device: Address, value: Address) {
        let key = line.tid as u32;
        let thread = self.threads.entry(key).or_default();
        let value = Value { slot: 0, value, span: line.span };
        if thread.open.is_some() || thread.round.is_none() {
            thread.open.get_or_insert_with(|| begin(line));
            thread.written.push((device, value));
            return;
        }
        let place = self.here(key);
        let slot = self.tables.models[place].slot_at(device);
        if let (Some(slot), Some(round)) = (slot, self.current(key)) {
            round.written.push(Value { slot, ..value });
        }
    }

    fn policy(&mut self, line: &Line, policy: Name) {
        let key = line.tid as u32;
        self.threads.entry(key).or_default().open.get_or_insert_with(|| begin(line));
        self.close(key, policy, Some(line));
    }

    /// Gives the open round to its model.
    fn close(&mut self, key: u32, policy: Name, line: Option<&Line>) {
        let Some(mut round) = self.threads.get_mut(&key).and_then(|thread| thread.open.take()) else {
            return;
        };
        let place = self.here(key);
        round.policy = policy;
        round.policy_span = line.map(|line| line.span);
        let thread = self.threads.entry(key).or_default();
        let written = core::mem::take(&mut thread.written);
        let model = &mut self.tables.models[place];
        for (device, value) in written {
            if let Some(slot) = model.slot_at(device) {
                round.written.push(Value { slot, ..value });
            }
        }
        model.rounds.push(round);
        thread.round = Some(model.rounds.len() - 1);
    }

    fn close_load(&mut self, key: u32, place: usize) {
        let is_load = |thread: &Thread| {
            thread.model == Some(place) && thread.open.as_ref().is_some_and(|round| round.at_load)
        };
        if self.threads.get(&key).is_some_and(is_load) {
            self.close(key, Name::EMPTY, None);
        }
    }

    /// The table that the refresh kernel works on tells whose round it is, where the thread does not.
    fn launched(&mut self, line: &Line, table: Address) {
        let key = line.tid as u32;
        let holds = |model: &ModelArgs| model.tables.iter().any(|known| known.base == table);
        let Some(owner) = self.tables.models.iter().position(holds) else {
            // The load lines are lost: this is the only line with the table's address.
            let place = self.here(key);
            let model = &mut self.tables.models[place];
            if model.tables.is_empty() {
                model.tables.push(Table { in_hbm: true, base: table, size: None, span: line.span });
            }
            return;
        };
        let Some(thread) = self.threads.get_mut(&key) else { return };
        if thread.model == Some(owner) {
            return;
        }
        let round = match (thread.model, thread.round) {
            // Only the last round can still be without its model.
            (Some(place), Some(round)) => self
                .tables
                .models
                .get_mut(place)
                .filter(|model| model.rounds.len() == round + 1)
                .and_then(|model| model.rounds.pop()),
            _ => None,
        };
        thread.model = Some(owner);
        thread.round = None;
        if let Some(round) = round {
            let rounds = &mut self.tables.models[owner].rounds;
            rounds.push(round);
            thread.round = Some(rounds.len() - 1);
        }
    }
}

fn begin(line: &Line) -> Round {
    Round { tid: line.tid, time: line.time, span: line.span, ..Round::default() }
}
