//! Whom an address belongs to: what holds it, and who used its bytes beside whom.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::overview::process_title;
use super::table::{Cell, Table};
use super::{Document, Part, Query, args, launches};
use crate::intern::Interner;
use crate::resolve::launch::kernel;
use crate::resolve::notation::{self, At};
use crate::resolve::whose::{Found, Life, Neighbour, Piece, What, When, whose};
use crate::say::label::Label;
use crate::say::{self, Lang};
use crate::session::Analysis;
use crate::units::Bytes;

/// What the processes say of an address as the user wrote it, at a moment as the user wrote it;
/// `Err` says why the question can't be understood.
pub fn answers(
    analysis: &Analysis,
    asked: &str,
    at: Option<&str>,
    query: &Query,
) -> Result<Vec<Found>, String> {
    let lang = query.lang;
    let address = notation::parse(asked).ok_or_else(|| say::whose::no_address(asked, lang))?;
    let moment = match at {
        Some(text) => Some(At::parse(text).ok_or_else(|| say::whose::no_moment(text, lang))?),
        None => None,
    };
    let mut all = whose(&analysis.processes, &analysis.names, address, moment);
    all.retain(|found| {
        let process = analysis.processes.get(found.process);
        process.is_some_and(|process| query.process.is_none_or(|pid| process.id.pid == Some(pid)))
    });
    Ok(all)
}

/// The answer as a document.
pub fn document(analysis: &Analysis, asked: &str, at: Option<&str>, query: &Query) -> Document {
    let lang = query.lang;
    let text = |text: String| Document { parts: Vec::from([Part::Text(text)]) };
    let answers = match answers(analysis, asked, at, query) {
        Ok(answers) => answers,
        Err(why) => return text(why),
    };
    let mut parts = Vec::new();
    for found in answers {
        let Some(process) = analysis.processes.get(found.process) else { continue };
        let title = process_title(analysis, process, lang);
        parts.push(Part::Heading(1, format!("{} · {title}", found.address)));
        parts.extend(tables(analysis, &found, query).into_iter().map(Part::Table));
    }
    if parts.is_empty() { text(say::whose::nobody(asked, lang)) } else { Document { parts } }
}

/// The tables for one address in one process.
pub fn tables(analysis: &Analysis, found: &Found, query: &Query) -> Vec<Table> {
    let tables = [holders(analysis, found, query.lang), tenants(analysis, found, query)];
    tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
}

fn holders(analysis: &Analysis, found: &Found, lang: Lang) -> Table {
    let mut table = Table::new(
        "holders",
        Label::Holders.text(lang),
        &[
            ("what", Label::Kind),
            ("range", Label::Range),
            ("size_bytes", Label::Bytes),
            ("place", Label::Distance),
        ],
    );
    for piece in &found.holders {
        table.row(
            Some(piece.span),
            [
                Cell::text(what(&analysis.names, piece, lang)),
                Cell::text(range(piece)),
                Cell::maybe(piece.size, Cell::Size),
                Cell::text(place(piece, found)),
            ],
        );
    }
    table
}

fn tenants(analysis: &Analysis, found: &Found, query: &Query) -> Table {
    let lang = query.lang;
    let names = &analysis.names;
    let mut table = Table::new(
        "tenants",
        Label::Tenants.text(lang),
        &[
            ("life", Label::Life),
            ("when", Label::When),
            ("operator", Label::Operator),
            ("range", Label::Range),
            ("size_bytes", Label::Bytes),
            ("place", Label::Distance),
            ("below", Label::Below),
            ("above", Label::Above),
        ],
    );
    let shown = query.top.filter(|top| *top > 0).unwrap_or(usize::MAX);
    for tenant in found.tenants.iter().take(shown) {
        let life = match tenant.life {
            Life::Topological(begin, Some(end)) => format!("{begin} … {end}"),
            Life::Topological(begin, None) => format!("{begin} …"),
            Life::Step(_, step) => format!("step {step}"),
            Life::Ordinal(begin, Some(end)) => format!("#{begin} … #{end}"),
            Life::Ordinal(begin, None) => format!("#{begin} …"),
            Life::Loaded => String::new(),
        };
        let order = |when| match when {
            When::Earlier => core::cmp::Ordering::Less,
            When::Then => core::cmp::Ordering::Equal,
            When::Later => core::cmp::Ordering::Greater,
        };
        let piece = &tenant.piece;
        table.row(
            Some(piece.span),
            [
                Cell::text(life),
                Cell::maybe(tenant.when, |when| Cell::text(say::whose::when(order(when), lang))),
                Cell::text(what(names, piece, lang)),
                Cell::text(range(piece)),
                Cell::maybe(piece.size, Cell::Size),
                Cell::text(place(piece, found)),
                Cell::maybe(tenant.below, |n| Cell::text(neighbour(names, &n, lang))),
                Cell::maybe(tenant.above, |n| Cell::text(neighbour(names, &n, lang))),
            ],
        );
    }
    table
}

fn range(piece: &Piece) -> String {
    match piece.size {
        Some(size) => format!("{}~{}", piece.base, piece.base.plus(size)),
        None => piece.base.to_string(),
    }
}

/// Where in the piece the address lies.
fn place(piece: &Piece, found: &Found) -> String {
    format!("+{:#x}", (found.address - piece.base).0)
}

fn neighbour(names: &Interner, neighbour: &Neighbour, lang: Lang) -> String {
    let distance: Bytes = neighbour.distance;
    format!("{} ({})", what(names, &neighbour.piece, lang), say::size::exact(distance))
}

/// The piece in words.
fn what(names: &Interner, piece: &Piece, lang: Lang) -> String {
    match piece.what {
        What::Area { graph, area } => say::whose::area(graph, area.letter(), lang),
        What::Taken { layer, purpose, given_back } => {
            say::whose::taken(layer, names.get(purpose), given_back, lang)
        }
        What::Logical { model, id, kind, index, behind } => {
            let of = say::whose::model(model, "", lang);
            format!("{of}: {}", say::whose::logical(kind, index, id, behind, lang))
        }
        What::User { model, kind, index, rounds, copy_host } => {
            let of = say::whose::model(model, "", lang);
            format!("{of}: {}", say::whose::user(kind, index, rounds, copy_host, lang))
        }
        What::Slot { model, slot, op, role } => {
            let of = say::whose::model(model, "", lang);
            format!("{of}: {}", say::whose::slot(slot, &args::argument(names, op, role), lang))
        }
        What::Variable { session, node, output } => {
            say::whose::variable(session, names.get(node), output, lang)
        }
        What::Buffer => say::whose::buffer(lang).to_string(),
        What::PoolBlock { allocator } => say::whose::pool_block(&allocator.to_string(), lang),
        What::Tensor { kernel: name, freed_by } => {
            let op = |name| kernel(names.get(name)).op;
            match freed_by == crate::intern::Name::EMPTY {
                true => op(name).to_string(),
                false => format!("{} → {}", op(name), op(freed_by)),
            }
        }
        What::Block { op, io, index, .. } => format!("{} {}[{index}]", names.get(op), io.word()),
        What::Operator { op, io, index, .. } => format!("{} {}[{index}]", names.get(op), io.word()),
        What::Launch { kernel: name, role } => {
            format!("{} {}", kernel(names.get(name)).op, launches::io(role))
        }
    }
}
