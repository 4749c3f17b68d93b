//! The Markdown of a dump graph's hovers, out of figures and sentences.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use hashbrown::HashMap;

use super::graph::Dump;
use crate::graph::model::{Attr, AttrValue, Op, Tensor};
use crate::intern::Interner;
use crate::metrics::static_graph::{figures, life};
use crate::model::static_graph::{Block, Io};
use crate::replay::{self, Replayed};
use crate::say::{Lang, dump, editor};
use crate::units::Bytes;

/// Values of a list that are shown before the rest is counted.
const SHOWN: usize = 12;

/// A tensor in words.
pub(super) fn tensor(names: &Interner, tensor: &Tensor, lang: Lang) -> String {
    let stored = tensor.size.and_then(|size| u64::try_from(size).ok()).map(Bytes);
    let data = replay::data_size(tensor, names);
    dump::tensor(names.get(tensor.dtype), names.get(tensor.layout), &tensor.dims, stored.or(data), data, lang)
}

/// The size behind a tensor.
pub(super) fn size(names: &Interner, tensor: &Tensor) -> Option<String> {
    let stored = tensor.size.and_then(|size| u64::try_from(size).ok()).map(Bytes);
    stored.or_else(|| replay::data_size(tensor, names)).filter(|size| size.0 > 0).map(dump::size_hint)
}

/// An attribute: its value, and what it means where that is known.
pub(super) fn attr(names: &Interner, attr: &Attr, lang: Lang) -> String {
    let key = names.get(attr.key);
    let mut text = format!("**{key}**");
    if let Some(value) = value(names, &attr.value) {
        text += &format!(" = `{}`", value.replace('`', "'"));
    }
    if let Some(meaning) = dump::attribute(key, lang) {
        text += "\n\n";
        text += meaning;
    }
    text
}

fn value(names: &Interner, value: &AttrValue) -> Option<String> {
    fn list<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
        let mut shown: Vec<String> = items.iter().take(SHOWN).map(show).collect();
        if items.len() > SHOWN {
            shown.push(format!("… ({})", items.len()));
        }
        format!("[{}]", shown.join(", "))
    }
    Some(match value {
        AttrValue::Opaque | AttrValue::Named(_) => return None,
        AttrValue::Text(name) => names.get(*name).chars().take(200).collect(),
        AttrValue::Int(number) | AttrValue::DataType(number) => format!("{number}"),
        AttrValue::Float(number) => format!("{number}"),
        AttrValue::Bool(flag) => format!("{flag}"),
        AttrValue::Ints(items) => list(items, |n| format!("{n}")),
        AttrValue::Floats(items) => list(items, |n| format!("{n}")),
        AttrValue::Bools(items) => list(items, |n| format!("{n}")),
        AttrValue::Texts(items) => list(items, |name| String::from(names.get(*name))),
        AttrValue::IntLists(items) => list(items, |inner| list(inner, |n| format!("{n}"))),
        AttrValue::EmptyList => String::from("[]"),
    })
}

/// The block of the first output of each operator, by name.
pub(super) fn lives(replayed: &Replayed) -> HashMap<&str, &Block> {
    let mut lives = HashMap::new();
    let rows = replayed.layout.blocks.iter().filter(|block| block.io == Io::Output && block.index == 0);
    for block in rows {
        lives.entry(replayed.names.get(block.node)).or_insert(block);
    }
    lives
}

/// An operator in words: its edges, and where the replay puts it.
pub(super) fn op(dump: &Dump, op: &Op, consumers: usize, replayed: Option<&Replayed>, lang: Lang) -> String {
    let names = &dump.model.names;
    let inputs = op.inputs.iter().filter(|link| link.is_data()).count();
    let mut text = format!("**{}** · {}\n\n", names.get(op.name), names.get(op.op_type));
    let workspaces = op.workspace_bytes.len();
    text += &dump::operator(inputs, op.output_desc.len(), workspaces, consumers, lang);
    text.push('\n');
    for (number, output) in op.output_desc.iter().enumerate() {
        let shape: Vec<String> = output.dims.iter().map(|dim| format!("{dim}")).collect();
        let size = size(names, output).unwrap_or_else(|| String::from("?"));
        text += &format!("\n- output {number}: {} `{}` {size}", shape.join("×"), names.get(output.dtype));
    }
    for (number, size) in op.workspace_bytes.iter().enumerate() {
        let size =
            u64::try_from(*size).map_or_else(|_| format!("{size}"), |size| dump::size_hint(Bytes(size)));
        text += &format!("\n- workspace {number}: {size}");
    }
    let Some(replayed) = replayed else { return text };
    let name = names.get(op.name);
    let last = replayed.layout.blocks.iter().filter_map(life).map(|(begin, end)| end.unwrap_or(begin)).max();
    for block in replayed.layout.blocks.iter().filter(|block| replayed.names.get(block.node) == name) {
        text += "\n\n";
        text += &editor::block(block, None, &replayed.names, lang);
        if let Some(sentence) = editor::life(block, last, lang) {
            text += "\n\n";
            text += &sentence;
        }
    }
    text
}

/// The result of a replay on one line.
pub(super) fn result(replayed: &Replayed, lang: Lang) -> String {
    let all = figures(&replayed.layout);
    all.first().map_or_else(String::new, |figures| editor::rates(figures, lang))
}
