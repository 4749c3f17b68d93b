//! The tables of the core, windowed: a page asks for the rows it shows. Order and filter choose rows; no
//! number is made here.

use gemlens_core::report::table::{Cell, Row, Table};
use gemlens_core::report::{
    Query, address, args, class, component, csv, graph, launches, markdown, overview, pool,
};
use gemlens_core::say::Lang;
use gemlens_core::session::Analysis;

use crate::lens::Lens;
use crate::wire;

/// A table and the process it is about.
pub(crate) struct Shown {
    pub(crate) about: String,
    pub(crate) table: Table,
}

/// Which rows of which table, in which order.
pub(crate) struct Order {
    table: usize,
    sort: Option<usize>,
    descending: bool,
    filter: String,
    rows: Vec<u32>,
}

/// All tables of an analysis.
pub(crate) fn all(analysis: &Analysis, lang: Lang) -> Vec<Shown> {
    let query = Query { lang, top: Some(0), ..Query::default() };
    let mut shown = Vec::new();
    for process in &analysis.processes {
        let mut tables: Vec<Option<Table>> = vec![
            component::table(analysis, process, &query),
            class::table(analysis, process, &query),
            graph::figures_table(analysis, process, &query),
        ];
        tables.extend(process.graphs.iter().map(|of| graph::operators(analysis, of, &query)));
        tables.extend(process.graphs.iter().map(|of| graph::offsets(analysis, of, &query)));
        tables.push(pool::pools(process, &analysis.names, &query));
        tables.push(pool::addresses(process, &query));
        tables.push(address::variables(analysis, process, &query));
        tables.push(address::bases(process, &query));
        tables.push(address::addresses(analysis, process, &query));
        tables.extend(args::of_process(analysis, process, &query).into_iter().map(Some));
        tables.extend(launches::of_process(analysis, process, &query).into_iter().map(Some));
        let about = overview::process_title(analysis, process, lang);
        shown.extend(tables.into_iter().flatten().map(|table| Shown { about: about.clone(), table }));
    }
    shown
}

impl Lens {
    pub(crate) fn heads(&self) -> Vec<wire::TableHead> {
        self.tables.iter().map(|Shown { about, table }| head(about, table, self.lang)).collect()
    }

    pub(crate) fn rows(
        &mut self,
        number: usize,
        sort: Option<usize>,
        descending: bool,
        filter: &str,
        window: (usize, usize),
    ) -> Option<wire::Rows> {
        let known = self.order.as_ref().is_some_and(|order| {
            (order.table, order.sort, order.descending) == (number, sort, descending)
                && order.filter == filter
        });
        if !known {
            let rows = order(self.table(number)?, sort, descending, filter);
            let filter = filter.to_owned();
            self.order = Some(Order { table: number, sort, descending, filter, rows });
        }
        let (table, order) = (self.table(number)?, self.order.as_ref()?);
        let (from, count) = window;
        let chosen = order.rows.iter().skip(from).take(count).filter_map(|&n| table.rows.get(n as usize));
        let rows = chosen
            .map(|row| wire::Row {
                cells: row.cells.iter().map(Cell::for_people).collect(),
                depth: row.depth,
                place: row.span.map(|span| self.place(span)),
            })
            .collect();
        Some(wire::Rows { total: order.rows.len(), from, rows })
    }

    pub(crate) fn table_text(&self, number: usize, as_csv: bool) -> Option<String> {
        let table = self.table(number)?;
        Some(if as_csv { csv::table(table) } else { markdown::table(table, self.lang) })
    }
}

fn head(about: &str, table: &Table, lang: Lang) -> wire::TableHead {
    let is_number = |n: usize| {
        let mut cells = table.rows.iter().filter_map(|row| row.cells.get(n)).filter(|c| **c != Cell::Empty);
        cells.next().is_some_and(Cell::is_number)
    };
    wire::TableHead {
        key: table.key.to_owned(),
        title: table.title.clone(),
        about: about.to_owned(),
        columns: table
            .columns
            .iter()
            .enumerate()
            .map(|(n, column)| wire::Column {
                key: column.key.to_owned(),
                heading: column.label.text(lang).to_owned(),
                is_number: is_number(n),
            })
            .collect(),
        rows: table.rows.len(),
        notes: table.notes.clone(),
    }
}

fn order(table: &Table, sort: Option<usize>, descending: bool, filter: &str) -> Vec<u32> {
    let wanted = filter.to_lowercase();
    let holds = |row: &Row| {
        wanted.is_empty() || row.cells.iter().any(|cell| cell.for_people().to_lowercase().contains(&wanted))
    };
    let mut rows: Vec<u32> =
        (0..).zip(&table.rows).filter(|(_, row)| holds(row)).map(|(number, _)| number).collect();
    if let Some(column) = sort {
        let cell = |n: &u32| table.rows.get(*n as usize).and_then(|row| row.cells.get(column));
        rows.sort_by(|a, b| {
            let (a, b) = (cell(a), cell(b));
            // What is unknown stands last in both directions.
            let unknown = |cell: Option<&Cell>| cell.is_none_or(|cell| *cell == Cell::Empty);
            let by_value = compare(a, b);
            unknown(a).cmp(&unknown(b)).then(if descending { by_value.reverse() } else { by_value })
        });
    }
    rows
}

fn compare(a: Option<&Cell>, b: Option<&Cell>) -> std::cmp::Ordering {
    use Cell::{Address, Count, Number, Place, Share, Size, Text};
    let whole = |cell: Option<&Cell>| match cell? {
        Number(n) => Some(i128::from(*n)),
        Count(n) => Some(i128::from(*n)),
        Size(size) => Some(i128::from(size.0)),
        Place(offset) => Some(i128::from(offset.0)),
        Address(address) => Some(i128::from(address.0)),
        _ => None,
    };
    match (a, b) {
        (Some(Share(a)), Some(Share(b))) => a.total_cmp(b),
        (Some(Text(a)), Some(Text(b))) => a.cmp(b),
        _ => whole(a).cmp(&whole(b)),
    }
}
