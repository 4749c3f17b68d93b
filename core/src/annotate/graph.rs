//! What an editor shows beside a dump graph. Knows which operator stands where.

use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hashbrown::HashMap;

use super::{Action, Hint, Hover, Lens, Sort, Symbol, Token, graph_text};
use crate::graph::model::{Attr, Form, Graph, Link, Op, Tensor};
use crate::graph::text::Problem;
use crate::graph::{self, Lookalike, Model};
use crate::intern::Name;
use crate::replay::{Options, Refusal, Replayed, Replayer};
use crate::say::{Lang, dump, editor};
use crate::span::{SourceId, Span};

/// A dump graph, read, with who reads whom.
#[derive(Debug)]
pub struct Dump {
    /// What was read.
    pub model: Model,
    /// Operators by graph and name.
    by_name: HashMap<(usize, Name), usize>,
}

/// An operator by its graph and its place there.
pub type OpId = (usize, usize);

/// The smallest part of an operator that stands at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Part<'m> {
    Input(&'m Link),
    Tensor(&'m Tensor),
    Attr(&'m Attr),
    Name,
    Op,
}

impl Dump {
    /// Reads a text.
    ///
    /// # Errors
    /// The text is no dump graph; the answer says what it looks like.
    pub fn read(text: &[u8]) -> Result<Dump, Lookalike> {
        let model = graph::read(text, SourceId(0))?;
        let mut by_name = HashMap::new();
        for (g, graph) in model.graphs.iter().enumerate() {
            for (o, op) in graph.ops.iter().enumerate() {
                by_name.insert((g, op.name), o);
            }
        }
        Ok(Dump { model, by_name })
    }

    /// Lays the graph out as GE does without options.
    ///
    /// # Errors
    /// The dump can't be laid out; the refusal says why.
    pub fn replay(&self) -> Result<Replayed, Refusal> {
        Ok(Replayer::new(&self.model)?.run(&Options::default()))
    }

    /// Damage, with what was expected.
    pub fn problems(&self) -> &[Problem] {
        &self.model.problems
    }

    /// All operators.
    pub fn ops(&self) -> impl Iterator<Item = (OpId, &Op)> {
        let graphs = self.model.graphs.iter().enumerate();
        graphs.flat_map(|(g, graph)| graph.ops.iter().enumerate().map(move |(o, op)| ((g, o), op)))
    }

    /// An operator.
    pub fn op(&self, (graph, op): OpId) -> Option<&Op> {
        self.model.graphs.get(graph)?.ops.get(op)
    }

    /// The name of an operator.
    pub fn name(&self, op: &Op) -> &str {
        self.model.names.get(op.name)
    }

    /// The type of an operator.
    pub fn op_type(&self, op: &Op) -> &str {
        self.model.names.get(op.op_type)
    }

    /// The operator around a place.
    pub fn op_at(&self, at: usize) -> Option<OpId> {
        let at = at as u64;
        let around = self.ops().filter(|(_, op)| op.span.start <= at && at < op.span.end());
        // Sub-graphs may stand inside of an operator's attributes: the smallest counts.
        around.min_by_key(|(_, op)| op.span.len).map(|(id, _)| id)
    }

    fn part_at(&self, at: usize) -> Option<(OpId, Part<'_>)> {
        let id = self.op_at(at)?;
        let op = self.op(id)?;
        let holds = |span: Span| (span.start..=span.end()).contains(&(at as u64));
        let input = op.inputs.iter().find(|link| holds(link.span)).map(Part::Input);
        let tensor = || {
            let all = op.input_desc.iter().chain(&op.output_desc);
            all.into_iter().find(|tensor| holds(tensor.span)).map(Part::Tensor)
        };
        let attr = || op.attrs.iter().find(|attr| holds(attr.span)).map(Part::Attr);
        let name = || holds(op.name_span).then_some(Part::Name);
        Some((id, input.or_else(tensor).or_else(attr).or_else(name).unwrap_or(Part::Op)))
    }

    /// The operators that read from one.
    pub fn consumers(&self, id: OpId) -> Vec<(OpId, &Link)> {
        let Some(name) = self.op(id).map(|op| op.name) else { return Vec::new() };
        let Some(graph) = self.model.graphs.get(id.0) else { return Vec::new() };
        let ops = graph.ops.iter().enumerate();
        ops.flat_map(|(o, op)| op.inputs.iter().map(move |link| ((id.0, o), link)))
            .filter(|(_, link)| link.producer == name)
            .collect()
    }

    /// The operators that one reads from.
    pub fn producers(&self, id: OpId) -> Vec<(OpId, &Link)> {
        let Some(op) = self.op(id) else { return Vec::new() };
        let known = op.inputs.iter().filter_map(|link| Some((self.producer(id.0, link)?, link)));
        known.collect()
    }

    fn producer(&self, graph: usize, link: &Link) -> Option<OpId> {
        self.by_name.get(&(graph, link.producer)).map(|op| (graph, *op))
    }

    /// Where what stands at a place is made: the producer's name.
    pub fn definition(&self, at: usize) -> Option<Span> {
        let (id, part) = self.part_at(at)?;
        let target = match part {
            Part::Input(link) => self.producer(id.0, link)?,
            _ => id,
        };
        self.op(target).map(|op| op.name_span)
    }

    /// Everyone who reads what stands at a place, its name first.
    pub fn references(&self, at: usize) -> Vec<Span> {
        let Some((id, part)) = self.part_at(at) else { return Vec::new() };
        let target = match part {
            Part::Input(link) => self.producer(id.0, link),
            _ => Some(id),
        };
        let Some(target) = target else { return Vec::new() };
        let own = self.op(target).map(|op| op.name_span);
        let readers = self.consumers(target);
        own.into_iter().chain(readers.iter().map(|(_, link)| link.span)).collect()
    }

    /// What a place means.
    pub fn hover(&self, at: usize, replayed: Option<&Replayed>, lang: Lang) -> Option<Hover> {
        let (id, part) = self.part_at(at)?;
        let op = self.op(id)?;
        let (span, text) = match part {
            Part::Input(link) => {
                let mut text = dump::edge(self.model.names.get(link.producer), link.output, lang);
                let output = usize::try_from(link.output).ok();
                let tensor = output.and_then(|o| self.op(self.producer(id.0, link)?)?.output_desc.get(o));
                if let Some(tensor) = tensor {
                    text += "\n\n";
                    text += &graph_text::tensor(&self.model.names, tensor, lang);
                }
                (link.span, text)
            }
            Part::Tensor(tensor) => (tensor.span, graph_text::tensor(&self.model.names, tensor, lang)),
            Part::Attr(attr) => (attr.span, graph_text::attr(&self.model.names, attr, lang)),
            Part::Name | Part::Op => {
                let consumers = self.consumers(id).len();
                let text = graph_text::op(self, op, consumers, replayed, lang);
                (op.name_span, text)
            }
        };
        Some(Hover { range: range(span), text })
    }

    /// Hints in a range of bytes.
    pub fn hints(&self, within: Range<usize>, replayed: Option<&Replayed>, lang: Lang) -> Vec<Hint> {
        let mut hints = Vec::new();
        let visible = |span: Span| (span.start as usize) < within.end && (span.end() as usize) > within.start;
        let lives = replayed.map(graph_text::lives);
        for (_, op) in self.ops().filter(|(_, op)| visible(op.span)) {
            let mut add = |span: Span, text: String| {
                if visible(span) && !text.is_empty() {
                    hints.push(Hint { at: span.end() as usize, text });
                }
            };
            let outputs: Vec<String> =
                op.output_desc.iter().filter_map(|t| graph_text::size(&self.model.names, t)).collect();
            if !outputs.is_empty() {
                let mut text = outputs.join(" + ");
                if let Some(block) = lives.as_ref().and_then(|lives| lives.get(self.name(op)))
                    && let Some(life) = editor::life_range(block, lang)
                {
                    let crate::units::Offset(offset) = block.offset;
                    text += &alloc::format!(" · {life} @ {offset:#x}");
                }
                add(op.name_span, text);
            }
        }
        hints
    }

    /// Above the text.
    pub fn lenses(&self) -> Vec<Lens> {
        let at = self.model.graphs.first().map_or(0, |graph| graph.span.start as usize);
        Vec::from([Lens { at, text: String::new(), action: Action::Tune }])
    }

    /// The text of the lens above the graph.
    pub fn lens_text(&self, replayed: Result<&Replayed, &Refusal>, lang: Lang) -> String {
        let mut text = dump::overview(self.ops().count(), self.model.graphs.len(), lang);
        text += " · ";
        text += &match replayed {
            Ok(replayed) => graph_text::result(replayed, lang),
            Err(refusal) => dump::no_layout(refusal, &self.model.names, lang),
        };
        text
    }

    /// The outline: graphs and their operators.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.model.graphs.iter().map(|graph| self.graph_symbol(graph)).collect()
    }

    fn graph_symbol(&self, graph: &Graph) -> Symbol {
        let names = &self.model.names;
        let named = |name: Name| String::from(if names.get(name).is_empty() { "?" } else { names.get(name) });
        let op_symbol = |op: &Op| Symbol {
            name: named(op.name),
            detail: String::from(names.get(op.op_type)),
            sort: Sort::Operator,
            range: range(op.span),
            select: within(range(op.name_span), &range(op.span)),
            children: Vec::new(),
        };
        let all = range(graph.span);
        Symbol {
            name: named(graph.name),
            detail: String::from(match self.model.form {
                Form::GeProto => "ge_proto",
                Form::GeOnnx => "ge_onnx",
            }),
            sort: Sort::Graph,
            select: all.start..all.start,
            children: graph.ops.iter().map(op_symbol).collect(),
            range: all,
        }
    }

    /// Graphs, operators and tensor descriptors.
    pub fn folds(&self) -> Vec<Range<usize>> {
        let mut folds = Vec::new();
        for graph in &self.model.graphs {
            folds.push(range(graph.span));
            for op in &graph.ops {
                folds.push(range(op.span));
                let tensors = op.input_desc.iter().chain(&op.output_desc).map(|tensor| tensor.span);
                folds.extend(tensors.chain(op.attrs.iter().map(|attr| attr.span)).map(range));
            }
        }
        folds
    }

    /// The ranges around a place, the smallest first.
    pub fn around(&self, at: usize) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> =
            self.folds().into_iter().filter(|range| range.start <= at && at <= range.end).collect();
        ranges.sort_by_key(|range| range.end - range.start);
        ranges.dedup();
        ranges
    }

    /// Names and edges in a range of bytes.
    pub fn tokens(&self, within: Range<usize>) -> Vec<(Range<usize>, Token)> {
        let mut tokens: Vec<(Range<usize>, Token)> = self
            .ops()
            .flat_map(|(_, op)| core::iter::once(op.name_span).chain(op.inputs.iter().map(|link| link.span)))
            .map(range)
            .filter(|range| !range.is_empty() && range.start < within.end && range.end > within.start)
            .map(|range| (range, Token::Name))
            .collect();
        tokens.sort_by_key(|(range, _)| range.start);
        tokens
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end() as usize
}

/// `inner` where it lies in `outer`, else the start of that.
fn within(inner: Range<usize>, outer: &Range<usize>) -> Range<usize> {
    let inside = outer.start <= inner.start && inner.end <= outer.end;
    if inside { inner } else { outer.start..outer.start }
}
