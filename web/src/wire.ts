// Made from wasm/src/wire.rs by its test; not edited by hand.

export type Request = "Overview" | "Tables" | { "Rows": { table: number, sort: number | null, descending: boolean, filter: string, from: number, count: number, } } | { "TableText": { table: number, csv: boolean, } } | { "Card": { process: number, graph: number, memory_type: number, rect: number, } } | { "Alive": { process: number, graph: number, memory_type: number, at: number, } } | { "Lines": { source: number, start: number, len: number, line: number, } } | "Files" | "Collect";

export type Answer = { "Overview": Overview } | { "Tables": Array<TableHead> } | { "Rows": Rows } | { "Text": string } | { "Card": Card } | { "Alive": Alive } | { "Lines": Array<LogLine> } | { "Files": Array<OutFile> } | { "Collect": Array<Job> } | "Nothing";

export type Overview = { 
/**
 * What was read, in a sentence.
 */
read: string, 
/**
 * What went wrong while reading, a sentence each.
 */
problems: Array<string>, sources: Array<Source>, processes: Array<Process>, };

export type Source = { name: string, size: string, lines: number, };

export type Process = { title: string, 
/**
 * What its lines can speak about, and what not.
 */
triage: string, findings: Array<Finding>, bars: Array<BarGroup>, graphs: Array<Graph>, next_step: string | null, };

export type Finding = { code: string, 
/**
 * `error`, `warning`, `info` or `hint`.
 */
severity: string, by_design: boolean, sentence: string, meaning: string, formula: string | null, remedies: Array<string>, evidence: Array<Evidence>, };

export type Evidence = { "Line": { place: Place, } } | { "Absent": { text: string, } };

export type Place = { source: number, file: string, line: number, start: number, len: number, };

export type BarGroup = { title: string, bars: Array<Bar>, };

export type Bar = { label: string, size: string, exact: string, share: string, 
/**
 * Length, 0 to 1 of the longest.
 */
length: number, place: Place | null, };

export type Graph = { title: string, blocks: number, 
/**
 * Memory types that can be drawn.
 */
memory_types: Array<number>, figures: Array<Fact>, };

export type Fact = { label: string, value: string, };

export type TableHead = { key: string, title: string, 
/**
 * The process it is about.
 */
about: string, columns: Array<Column>, rows: number, notes: Array<string>, };

export type Column = { key: string, heading: string, is_number: boolean, };

export type Rows = { 
/**
 * Rows that the filter leaves.
 */
total: number, from: number, rows: Array<Row>, };

export type Row = { cells: Array<string>, depth: number, place: Place | null, };

export type Card = { title: string, facts: Array<Fact>, around: Array<Neighbours>, place: Place, };

export type Neighbours = { 
/**
 * `sharers`, `before`, `after`, `below` or `above`.
 */
kind: string, blocks: Array<BlockName>, 
/**
 * How many there are; `blocks` has the first of them.
 */
count: number, };

export type BlockName = { rect: number, name: string, size: string, };

export type Alive = { at: number, load: string, count: number, 
/**
 * The largest of them.
 */
blocks: Array<BlockName>, };

export type LogLine = { line: number, text: string, 
/**
 * The kind that the line was understood as; empty where none.
 */
understood: string, fields: Array<Fact>, 
/**
 * The line asked for.
 */
is_asked: boolean, };

export type OutFile = { name: string, content: string, };

export type Job = { name: string, steps: Array<Step>, };

export type Step = { what: string, command: string, };

