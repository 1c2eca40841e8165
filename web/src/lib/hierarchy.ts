// Hierarchies: what `tables hierarchy` says of one, and editing the CSV form (a line per value, leaf first, root last).
import type { StoredFile } from './api';
import { nameOf } from './format';

export interface TreeNode {
  label: string;
  level: number;
  /** Rows of the table under it. */
  rows: number;
  leaves: number;
  children?: TreeNode[];
  /** Children that were left out to keep the answer short. */
  more?: number;
}
export interface HierarchyGap {
  value: string;
  rows: number;
  /** Values that the hierarchy has. */
  nearest: string[];
}
export interface HierarchyReport {
  column: string;
  spec: string;
  height: number;
  leaves: number;
  levels: { level: number; values: number; examples: string[] }[];
  tree: TreeNode;
  gaps: { values: number; rows: number; list: HierarchyGap[] };
}

/** Fields of a hierarchy file. The delimiter is the one that gives every line as many fields. */
export function parseHierarchy(text: string): string[][] {
  const tries = [';', '\t', ','].map((delimiter) => fields(text.replace(/^\ufeff/, ''), delimiter));
  const even = tries.find((lines) => lines.length > 0 && lines[0]!.length > 1 && lines.every((line) => line.length === lines[0]!.length));
  return even ?? tries[0]!;
}

export function fields(text: string, delimiter: string): string[][] {
  const lines: string[][] = [];
  let line: string[] = [];
  let field = '';
  let inQuotes = false;
  const endLine = (): void => {
    line.push(field);
    if (line.length > 1 || field !== '') lines.push(line);
    line = [];
    field = '';
  };
  for (let i = 0; i < text.length; ++i) {
    const c = text[i]!;
    if (inQuotes) {
      if (c !== '"') field += c;
      else if (text[i + 1] === '"') {
        field += '"';
        ++i;
      } else inQuotes = false;
    } else if (c === '"' && field === '') inQuotes = true;
    else if (c === delimiter) {
      line.push(field);
      field = '';
    } else if (c === '\n') endLine();
    else if (c !== '\r') field += c;
  }
  if (field !== '' || line.length) endLine();
  return lines;
}

const quotedField = (value: string): string => (/[;",\t\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

export const writeHierarchy = (lines: string[][]): string => lines.map((line) => line.map(quotedField).join(';') + '\n').join('');

/** Where a value can be hung: the path above the leaf of any line that passes the node. */
export function pathAbove(lines: string[][], node: string): string[] | null {
  for (const line of lines) {
    const at = line.indexOf(node, 1);
    // Levels below the node repeat it: the new value has no finer group.
    if (at > 0) return line.slice(1).map((label, i) => (i + 1 < at ? node : label));
  }
  return null;
}

/** Every label that stands above a leaf, nearest to the leaves first. */
export function innerNodes(lines: string[][]): string[] {
  const nodes = new Set<string>();
  const width = lines[0]?.length ?? 0;
  for (let level = 1; level < width; ++level) for (const line of lines) nodes.add(line[level]!);
  return [...nodes];
}

/** Where the hierarchies of a column of a table are; every version stays. */
const versionsOf = (file: string, column: string): string => `hierarchies/${file}/${column.replaceAll('/', '_')}.v`;
export const isVersion = (path: string, file: string, column: string): boolean => path.startsWith(versionsOf(file, column)) && /^\d+\.csv$/.test(path.slice(versionsOf(file, column).length));
export function nextVersion(paths: string[], file: string, column: string): string {
  const stem = versionsOf(file, column);
  const numbers = paths.filter((path) => isVersion(path, file, column)).map((path) => parseInt(path.slice(stem.length), 10));
  return `${stem}${Math.max(0, ...numbers) + 1}.csv`;
}

// Editing. Lines are values in their order, each with its labels from level 1 to the root; all are as long.
export type Lines = string[][];

/** The groups of a level, in their order, each with what is in it: labels of the level below. */
export function groupsAt(lines: Lines, level: number): { label: string; items: { label: string; values: number }[] }[] {
  const groups = new Map<string, Map<string, number>>();
  for (const line of lines) {
    const items = groups.get(line[level]!) ?? new Map<string, number>();
    items.set(line[level - 1]!, (items.get(line[level - 1]!) ?? 0) + 1);
    groups.set(line[level]!, items);
  }
  return [...groups].map(([label, items]) => ({ label, items: [...items].map(([one, values]) => ({ label: one, values })) }));
}

/** Items of the level below go to another group, with all that is above it; one that there is not yet stands beside. */
export function moveTo(lines: Lines, level: number, items: string[], group: string): Lines {
  const above = lines.find((line) => line[level] === group)?.slice(level);
  const moved = lines.map((line) => (items.includes(line[level - 1]!) ? [...line.slice(0, level), ...(above ?? [group, ...line.slice(level + 1)])] : line));
  return gathered(moved);
}
export const rename = (lines: Lines, level: number, from: string, to: string): Lines => gathered(lines.map((line) => line.map((label, i) => (i === level && label === from ? to : label))));
export const merge = (lines: Lines, level: number, group: string, into: string): Lines => {
  const items = groupsAt(lines, level).find((one) => one.label === group)?.items.map((item) => item.label) ?? [];
  return moveTo(lines, level, items, into);
};
/** One place up or down among its siblings. */
export function shift(lines: Lines, level: number, item: string, by: -1 | 1): Lines {
  const group = lines.find((line) => line[level - 1] === item)?.[level];
  const siblings = [...new Set(lines.filter((line) => line[level] === group).map((line) => line[level - 1]!))];
  const at = siblings.indexOf(item);
  const other = siblings[at + by];
  if (other === undefined) return lines;
  const order = siblings.map((one) => (one === item ? other : one === other ? item : one));
  const sorted = order.flatMap((one) => lines.filter((line) => line[level] === group && line[level - 1] === one));
  let next = 0;
  return lines.map((line) => (line[level] === group ? sorted[next++]! : line));
}
/** A level more below the root, in which everything stands as in the level below it; or one fewer. */
export const addLevel = (lines: Lines): Lines => lines.map((line) => [...line.slice(0, -1), line.length > 1 ? line.at(-2)! : line[0]!, '*']);
export const removeLevel = (lines: Lines, level: number): Lines => lines.map((line) => line.filter((_, i) => i !== level));

// A label has one parent, and what belongs together stands together, in the order of what comes first.
function gathered(lines: Lines): Lines {
  const width = lines[0]?.length ?? 0;
  const rank: Map<string, number>[] = Array.from({ length: width }, () => new Map());
  for (let level = width - 1; level >= 0; --level) for (const line of lines) if (!rank[level]!.has(line[level]!)) rank[level]!.set(line[level]!, rank[level]!.size);
  return [...lines].sort((a, b) => {
    for (let level = width - 1; level >= 0; --level) {
      const difference = rank[level]!.get(a[level]!)! - rank[level]!.get(b[level]!)!;
      if (difference) return difference;
    }
    return 0;
  });
}

/** What does not make a hierarchy: a label with two parents, or none. */
export function faultOf(lines: Lines): string {
  const width = lines[0]?.length ?? 0;
  for (let level = 1; level + 1 < width; ++level) {
    const parents = new Map<string, string>();
    for (const line of lines) {
      const label = line[level]!;
      if (label.trim() === '' && line[0] !== '') return 'A group has no name.';
      const parent = parents.get(label);
      if (parent !== undefined && parent !== line[level + 1]) return `“${label}” would be in two groups: ${parent} and ${line[level + 1]}.`;
      parents.set(label, line[level + 1]!);
    }
  }
  return '';
}

// Ranges of numbers or days, from cuts. A cut is where a range begins; it counts in its own level and all below.
export interface Cut {
  at: number;
  /** The highest level in which it still separates. */
  level: number;
}
export interface Scale {
  /** Where a value lies; null of what is no number or date. */
  place: (value: string) => number | null;
  /** How the ends of a range are written. */
  show: (at: number) => string;
  /** The last place before a cut. */
  before: (at: number) => number;
}
const dayNumber = (text: string): number | null => {
  const match = /^(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(text.trim()) ?? /^(\d{4})$/.exec(text.trim());
  return match ? Date.UTC(Number(match[1]), Number(match[2] ?? 1) - 1, Number(match[3] ?? 1)) / 86_400_000 : null;
};
export const showDay = (day: number): string => new Date(day * 86_400_000).toISOString().slice(0, 10);
export const days: Scale = { place: dayNumber, show: showDay, before: (at) => at - 1 };
export function numbersOf(values: string[]): Scale {
  const decimals = Math.max(0, ...values.map((value) => (/\.(\d+)$/.exec(value)?.[1] ?? '').length));
  const step = 10 ** -Math.min(decimals, 6);
  const tidy = (n: number): number => Number(n.toFixed(Math.min(decimals, 6)));
  return { place: (value) => (value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : null), show: (at) => String(tidy(at)), before: (at) => tidy(at - step) };
}

/** Every value with its ranges, narrowest first. The first and the last range have no end of their own where `open`. */
export function fromCuts(values: string[], scale: Scale, cuts: Cut[], open: { low: boolean; high: boolean }): Lines {
  const places = values.map(scale.place);
  const known = places.filter((place): place is number => place !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const levels = Math.max(1, ...cuts.map((cut) => cut.level));
  const lines = values.map((value, i) => {
    const place = places[i]!;
    if (place === null) return [value, ...Array.from({ length: levels }, () => value), '*'];
    const ranges = Array.from({ length: levels }, (_, level) => {
      const ends = cuts.filter((cut) => cut.level > level && cut.at > low && cut.at <= high).map((cut) => cut.at).sort((a, b) => a - b);
      const from = ends.findLast((at) => at <= place);
      const to = ends.find((at) => at > place);
      if (from === undefined && to === undefined) return '*';
      if (from === undefined) return open.low ? `<=${scale.show(scale.before(to!))}` : `${scale.show(low)}..${scale.show(scale.before(to!))}`;
      if (to === undefined) return open.high ? `${scale.show(from)}+` : `${scale.show(from)}..${scale.show(high)}`;
      return `${scale.show(from)}..${scale.show(scale.before(to))}`;
    });
    return [value, ...ranges, '*'];
  });
  return lines.sort((a, b) => (scale.place(a[0]!) ?? -Infinity) - (scale.place(b[0]!) ?? -Infinity));
}

/** Where ranges of a file begin, and how far up they still do; none where they are too many to be drawn. */
export function cutsIn(lines: Lines, scale: Scale): Cut[] {
  const starts = new Map<number, number>();
  for (let at = 1; at + 1 < (lines[0]?.length ?? 0); ++at) {
    for (const label of new Set(lines.map((line) => line[at]!))) {
      const start = scale.place(/^(.*?)(\.\.|\+$)/.exec(label)?.[1] ?? '');
      if (start !== null) starts.set(start, Math.max(starts.get(start) ?? 0, at));
    }
  }
  const lowest = Math.min(...starts.keys());
  return starts.size > 60 ? [] : [...starts].filter(([at]) => at !== lowest || lines.some((line) => line[1]?.startsWith('<='))).map(([at, level]) => ({ at, level }));
}

/** A file beside the table that is called as a column is. */
export function bearsName(path: string, column: string): boolean {
  const bare = (text: string): string => text.toLowerCase().replace(/[^a-z0-9]/g, '');
  return bare(column).length > 2 && bare(nameOf(path).replace(/\.[a-z]+$/i, '')).includes(bare(column));
}
/** Made for this column, and not used yet; empty where none is. */
export function offeredFile(all: StoredFile[], file: string, column: string, spec: string): string {
  if (all.some((one) => one.path === spec)) return '';
  return all.find((one) => one.kind === 'hierarchy' && (isVersion(one.path, file, column) || (!one.path.startsWith('hierarchies/') && bearsName(one.path, column))))?.path ?? '';
}
