//! Which anchors must not share memory: the role table of static allocator S2.4.

use alloc::vec::Vec;

use crate::replay::Options;
use crate::replay::facts::{Engine, Kind};
use crate::replay::feed::source;
use crate::replay::inplace::is_immutable;
use crate::replay::memory;
use crate::replay::net::{Net, NodeId};
use crate::replay::symbol::{Anchor, Symbols};

/// What an anchor is to memory. The first five are of inputs, the next eight of outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// UO: input of the model's own NetOutput.
    UserOutput,
    /// XI: input of a node whose addresses cannot be refreshed.
    FixedIn,
    /// NI: piece of a no-padding input.
    NoPaddingIn,
    /// CI: piece of a padding input.
    PaddingIn,
    /// SI: input in special memory.
    SpecialIn,
    /// An input without a role.
    PlainIn,
    /// UI: output of a model input.
    UserInput,
    /// IM: constant or variable.
    Immutable,
    /// XO: output of a node whose addresses cannot be refreshed.
    FixedOut,
    /// NO: piece of a no-padding output.
    NoPaddingOut,
    /// CO: piece of a padding output.
    PaddingOut,
    /// SO: output in special memory.
    SpecialOut,
    /// REF: reference to an input.
    Reference,
    /// An output without a role.
    PlainOut,
}

/// The anchors of a list with their roles.
pub(crate) struct Roles<'a, 'm> {
    net: &'a Net<'m>,
    options: &'a Options,
    symbols: &'a Symbols,
    anchors: Vec<(Anchor, NodeId, Vec<Role>)>,
}

impl<'a, 'm> Roles<'a, 'm> {
    /// Finds the roles.
    pub(crate) fn new(
        net: &'a Net<'m>,
        options: &'a Options,
        symbols: &'a Symbols,
        list: &[Anchor],
    ) -> Roles<'a, 'm> {
        let mut roles = Roles { net, options, symbols, anchors: Vec::new() };
        roles.anchors = list
            .iter()
            .map(|&anchor| match anchor {
                Anchor::In(input) => (anchor, net.input(input).0, roles.of_input(input)),
                Anchor::Out(out) => (anchor, net.output(out).0, roles.of_output(out)),
            })
            .collect();
        roles
    }

    /// Whether any two anchors of different nodes exclude each other.
    pub(crate) fn conflict(&self) -> bool {
        let mut met_nopadding = false;
        for (at, a) in self.anchors.iter().enumerate() {
            for b in self.anchors.iter().skip(at + 1).filter(|b| b.1 != a.1) {
                for &x in &a.2 {
                    for &y in &b.2 {
                        let (first, second) =
                            if x <= y { ((a.0, x), (b.0, y)) } else { ((b.0, y), (a.0, x)) };
                        if (x, y) == (Role::NoPaddingIn, Role::NoPaddingIn)
                            && core::mem::replace(&mut met_nopadding, true)
                        {
                            continue;
                        }
                        if self.excludes(first, second) {
                            return true;
                        }
                    }
                }
            }
        }
        false
    }

    fn of_input(&self, input: usize) -> Vec<Role> {
        let (node, _) = self.net.input(input);
        let facts = &self.net.nodes[node].facts;
        let many = self.net.nodes[node].ins > 1;
        let mut roles = Vec::new();
        if facts.kind == Kind::NetOutput && self.net.is_direct(node) {
            roles.push(Role::UserOutput);
        }
        if self.is_fixed(node) {
            roles.push(Role::FixedIn);
        }
        if facts.nopadding_input && many {
            roles.push(Role::NoPaddingIn);
        }
        if facts.continuous_input && many {
            roles.push(Role::PaddingIn);
        }
        if self.special(Anchor::In(input)).is_some() {
            roles.push(Role::SpecialIn);
        }
        if roles.is_empty() {
            roles.push(Role::PlainIn);
        }
        roles
    }

    fn of_output(&self, out: usize) -> Vec<Role> {
        let (node, _) = self.net.output(out);
        let facts = &self.net.nodes[node].facts;
        let many = self.net.nodes[node].outs > 1;
        let is_user_input = facts.kind.is_data_like() && self.net.is_direct(node);
        let mut roles = Vec::new();
        if is_user_input {
            roles.push(Role::UserInput);
        }
        if is_immutable(facts.kind) {
            roles.push(Role::Immutable);
        }
        if self.is_fixed(node) {
            roles.push(Role::FixedOut);
        }
        if facts.nopadding_output && many {
            roles.push(Role::NoPaddingOut);
        }
        if facts.continuous_output && many {
            roles.push(Role::PaddingOut);
        }
        if self.special(Anchor::Out(out)).is_some() {
            roles.push(Role::SpecialOut);
        }
        let refers = self.symbols.ref_input(self.net, out).is_some() || self.refers_to_ref_data(out);
        if !is_user_input && refers {
            roles.push(Role::Reference);
        }
        if roles.is_empty() {
            roles.push(Role::PlainOut);
        }
        roles
    }

    fn refers_to_ref_data(&self, out: usize) -> bool {
        let source = self.net.out_facts(out).variable.and_then(|name| self.net.named(name));
        source.is_some_and(|node| self.net.nodes[node].facts.kind == Kind::RefData)
    }

    fn is_fixed(&self, node: NodeId) -> bool {
        let facts = &self.net.nodes[node].facts;
        matches!(facts.kind, Kind::StreamSwitch | Kind::LabelSwitchByIndex)
            || facts.engine == Engine::Custom
            || (facts.engine == Engine::Hccl && !self.options.feature_base_refreshable)
    }

    /// The special memory type that an anchor's own entry names.
    fn special(&self, anchor: Anchor) -> Option<u64> {
        let entry = match anchor {
            Anchor::In(input) => {
                let (node, index) = self.net.input(input);
                self.net.nodes[node].facts.input_memory_type.get(index)
            }
            Anchor::Out(out) => {
                let (node, index) = self.net.output(out);
                self.net.nodes[node].facts.output_memory_type.get(index)
            }
        };
        let wanted = u64::try_from(*entry?).ok()?;
        (memory::symbol_type(wanted) == wanted && wanted != memory::HBM).then_some(wanted)
    }

    /// The table, with the smaller role first.
    fn excludes(&self, (a, x): (Anchor, Role), (b, y): (Anchor, Role)) -> bool {
        use Role::*;
        match (x, y) {
            (_, Reference)
            | (Reference, _)
            | (UserOutput, UserOutput)
            | (UserOutput, UserInput)
            | (SpecialIn, PlainOut) => false,
            (FixedIn | SpecialIn | PaddingIn, UserInput)
            | (UserInput, PaddingOut | SpecialOut | FixedOut)
            | (UserOutput, SpecialIn | SpecialOut | PaddingOut | NoPaddingOut | FixedIn | FixedOut)
            | (SpecialIn | PaddingIn, Immutable)
            | (Immutable, SpecialOut | PaddingOut | NoPaddingOut)
            | (PaddingIn, NoPaddingOut)
            | (NoPaddingIn, PaddingOut) => true,
            (NoPaddingIn | PaddingIn, SpecialIn | SpecialOut) => self.special(a).is_none(),
            (SpecialIn, NoPaddingOut | PaddingOut) => self.special(b).is_none(),
            (NoPaddingOut | PaddingOut, SpecialOut) => self.special(a).is_none(),
            (SpecialIn, SpecialIn | SpecialOut) | (SpecialOut, SpecialOut) => {
                self.special(a) != self.special(b)
            }
            (FixedIn, _) | (_, FixedIn) | (FixedOut, _) | (_, FixedOut) => {
                self.options.feature_base_refreshable
            }
            (PaddingIn, PaddingIn) | (NoPaddingIn, PaddingIn) => self.wholes_meet(),
            (NoPaddingOut | PaddingOut, PaddingOut) => self.rows_meet(false),
            (NoPaddingOut, NoPaddingOut) => self.rows_meet(true),
            (PaddingIn, PaddingOut) => !self.is_aligned(a, b),
            (NoPaddingIn, NoPaddingIn) => self.pieces_cross(a, b),
            (NoPaddingIn, NoPaddingOut) => !self.feeds_directly(a, b),
            (NoPaddingIn, UserInput | Immutable) => !self.has_one_source(a),
            (UserInput, NoPaddingOut) => !self.options.offline_build,
            (UserOutput, PaddingIn | NoPaddingIn) => !self.is_output_of(a, b),
            (UserOutput, Immutable) => {
                let kind = self.kind(b);
                !self.net.unknown_root && !kind.is_variable_like() && kind != Kind::RefData
            }
            _ => false,
        }
    }

    fn node(&self, anchor: Anchor) -> NodeId {
        match anchor {
            Anchor::In(input) => self.net.input(input).0,
            Anchor::Out(out) => self.net.output(out).0,
        }
    }

    fn kind(&self, anchor: Anchor) -> Kind {
        self.net.nodes[self.node(anchor)].facts.kind
    }

    fn is_whole(&self, node: NodeId) -> bool {
        let of = &self.net.nodes[node];
        (of.facts.continuous_input || of.facts.nopadding_input) && of.ins > 1
    }

    /// An output of the list is read by two continuous inputs, or one of them reads another of the list.
    fn wholes_meet(&self) -> bool {
        let in_list = |node: NodeId| {
            self.anchors.iter().any(|&(anchor, of, _)| of == node && matches!(anchor, Anchor::In(_)))
        };
        self.anchors.iter().any(|&(anchor, node, _)| match anchor {
            Anchor::Out(out) => self.edges_into(out, &|reader| self.is_whole(reader)) > 1,
            Anchor::In(_) => {
                self.is_whole(node)
                    && self.net.outs(node).flat_map(|out| &self.net.consumers[out]).any(|&input| {
                        let reader = self.net.in_node[input as usize] as usize;
                        self.is_whole(reader) && in_list(reader)
                    })
            }
        })
    }

    fn edges_into(&self, out: usize, test: &dyn Fn(NodeId) -> bool) -> usize {
        self.net.consumers[out]
            .iter()
            .filter(|&&input| test(self.net.in_node[input as usize] as usize))
            .count()
    }

    /// A continuous output of the list reads another of the list.
    fn rows_meet(&self, nopadding_only: bool) -> bool {
        let is_row = |node: NodeId| {
            let of = &self.net.nodes[node];
            of.outs > 1
                && (of.facts.nopadding_output || (!nopadding_only && of.facts.continuous_output))
                && self.anchors.iter().any(|&(anchor, at, _)| at == node && matches!(anchor, Anchor::Out(_)))
        };
        self.anchors.iter().any(|&(_, node, _)| {
            is_row(node)
                && self.net.ins(node).filter_map(|input| self.net.producer_of(input)).any(|out| {
                    let (producer, _) = self.net.output(out);
                    producer != node && is_row(producer)
                })
        })
    }

    fn sources(&self, node: NodeId) -> Vec<usize> {
        self.net.ins(node).filter_map(|input| source(self.net, self.symbols, input)).collect()
    }

    /// The pieces that a continuous input reads are the outputs of a continuous output, in a row.
    fn is_aligned(&self, whole: Anchor, row: Anchor) -> bool {
        let outs: Vec<usize> = self.net.outs(self.node(row)).collect();
        let pieces = self.sources(self.node(whole));
        let first = outs
            .iter()
            .enumerate()
            .find_map(|(i, out)| pieces.iter().position(|piece| piece == out).map(|j| (i, j)));
        let Some((i, j)) = first else { return true };
        if i > 0 && j > 0 {
            return false;
        }
        let length = (outs.len() - i).min(pieces.len() - j);
        let (run, behind) = (&outs[i..i + length], &outs[i + length..]);
        run == &pieces[j..j + length] && !behind.iter().any(|out| pieces[j + length..].contains(out))
    }

    /// Two no-padding inputs share a piece, neither contains the other, and some output feeds two.
    fn pieces_cross(&self, a: Anchor, b: Anchor) -> bool {
        let (a, b) = (self.sources(self.node(a)), self.sources(self.node(b)));
        let first =
            a.iter().enumerate().find_map(|(i, piece)| b.iter().position(|p| p == piece).map(|j| (i, j)));
        let Some((i, j)) = first else { return false };
        let contains = |outer: &[usize], at: usize, inner: &[usize], from: usize| {
            from == 0 && outer.get(at..at + inner.len()) == Some(inner)
        };
        if contains(&a, i, &b, j) || contains(&b, j, &a, i) {
            return false;
        }
        self.anchors.iter().any(|&(anchor, ..)| match anchor {
            Anchor::Out(out) => {
                self.edges_into(out, &|reader| {
                    self.net.nodes[reader].facts.nopadding_input && self.net.nodes[reader].ins > 1
                }) > 1
            }
            Anchor::In(_) => false,
        })
    }

    /// The no-padding output's input 0 is output 0 of the no-padding input's node.
    fn feeds_directly(&self, whole: Anchor, row: Anchor) -> bool {
        let input = self.net.ins(self.node(row)).next();
        let out = self.net.outs(self.node(whole)).next();
        input.and_then(|input| self.net.producer_of(input)) == out && out.is_some()
    }

    fn has_one_source(&self, whole: Anchor) -> bool {
        let sources = self.sources(self.node(whole));
        sources.iter().all(|out| Some(out) == sources.first())
    }

    /// The NetOutput reads the continuous node itself.
    fn is_output_of(&self, output: Anchor, whole: Anchor) -> bool {
        let Anchor::In(input) = output else { return false };
        self.net.producer_of(input).is_some_and(|out| self.net.output(out).0 == self.node(whole))
    }
}
