// How a released column reads beside the original: every generalised cell is spread over the original's bins as an
// analyst would, evenly over what it may stand for.
import type { Bin, ColumnDistribution } from './api';

const number = (text: string): number | null => {
  const value = Number(text);
  return text.trim() !== '' && Number.isFinite(value) ? value : null;
};
const day = (text: string): number | null => {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text.trim());
  return match ? Date.UTC(Number(match[1]), Number(match[2] ?? 1) - 1, Number(match[3] ?? 1)) / 86_400_000 : null;
};
function lastDay(text: string): number | null {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(text.trim());
  if (!match) return null;
  const [year, month] = [Number(match[1]), Number(match[2] ?? 12)];
  return match[3] ? day(text) : Date.UTC(year, month, 0) / 86_400_000;
}

/** The ends of `20..29`; a number is its own range. */
export function rangeOf(cell: string): [number, number] | null {
  const ends = cell.split('..');
  if (ends.length > 2) return null;
  const [from, to] = [number(ends[0]!), number(ends.at(-1)!)];
  return from === null || to === null ? null : [from, to];
}

/** The ends of `[70-80)` or `70-79`, as a column may be written before anything is done to it; a number is its own range. */
export function writtenRange(value: string): [number, number] | null {
  const bracketed = /^([[(\]])\s*(-?[\d.]+)\s*[-–:;,]\s*(-?[\d.]+)\s*([\])[])$/.exec(value.trim());
  if (bracketed) {
    const [, , low, high, close] = bracketed as unknown as [string, string, string, string, string];
    return [Number(low), close === ']' ? Number(high) : Number(high) - 1e-9];
  }
  const plain = /^(\d+)\s*(?:-|–| to )\s*(\d+)$/.exec(value.trim());
  return plain ? [Number(plain[1]), Number(plain[2])] : rangeOf(value);
}

/** Days since 1970 of `1970`, `1970-03`, `1970..1979`. */
export function daysOf(cell: string): [number, number] | null {
  const ends = cell.split('..');
  if (ends.length > 2) return null;
  const [from, to] = [day(ends[0]!), lastDay(ends.at(-1)!)];
  return from === null || to === null ? null : [from, to];
}

/** The values that `{F|M}` or `021**` may stand for, among those given. */
export function membersOf(cell: string, values: string[]): string[] {
  if (cell === '*') return values;
  if (cell.startsWith('{') && cell.endsWith('}')) {
    const named = cell.slice(1, -1).split('|');
    return values.filter((value) => named.includes(value));
  }
  if (values.includes(cell)) return [cell];
  const prefix = /^(.*?)\*+$/.exec(cell)?.[1];
  if (prefix !== undefined) return values.filter((value) => value.startsWith(prefix));
  const range = rangeOf(cell);
  if (range) {
    const ends = values.map(writtenRange);
    return values.filter((_, i) => ends[i] && ends[i]![0] >= range[0] && Math.floor(ends[i]![1]) <= range[1]);
  }
  return [];
}

/** Whether a cell says less than a value of the original would. */
export function isGeneral(cell: string, original: Set<string> | null): boolean {
  if (cell === '*' || cell.includes('..') || /^\{.*\}$/.test(cell) || /\*$/.test(cell)) return true;
  return original !== null && cell !== '' && !original.has(cell);
}

export interface Spread {
  /** One number per bin of the original, then what could not be placed. */
  counts: number[];
  unplaced: number;
}

export function spread(original: ColumnDistribution, released: ColumnDistribution): Spread {
  const bins = original.bins;
  const counts: number[] = bins.map(() => 0);
  let unplaced = 0;
  const ranges = original.kind === 'number' || original.dates === true;
  for (const cell of released.bins) {
    const parts = ranges ? overlaps(cell, bins, original.dates === true) : evenly(cell, original);
    const sum = parts.reduce((all, part) => all + part, 0);
    if (sum === 0) unplaced += cell.count;
    else parts.forEach((part, i) => (counts[i]! += (cell.count * part) / sum));
  }
  return { counts, unplaced };
}

function evenly(cell: Bin, original: ColumnDistribution): number[] {
  const shown = original.bins.filter((bin) => !bin.other);
  const members = new Set(cell.other ? [] : membersOf(cell.label, shown.map((bin) => bin.label)));
  const rare = original.distinct - shown.length;
  const other = cell.label === '*' ? rare : members.size === 0 && !/\.\.|[*}]$/.test(cell.label) ? 1 : 0;
  return original.bins.map((bin) => (bin.other ? other : members.has(bin.label) ? 1 : 0));
}

// By how much of each bin the cell covers; `*` covers all.
function overlaps(cell: Bin, bins: Bin[], dates: boolean): number[] {
  if (cell.label === '*') return bins.map(() => 1);
  // {69402|69404}: each of them as much.
  if (cell.label.startsWith('{') && cell.label.endsWith('}')) {
    const each = cell.label.slice(1, -1).split('|').map((label) => overlaps({ label, count: 1 }, bins, dates));
    return bins.map((_, i) => each.reduce((sum, parts) => sum + share(parts, i), 0));
  }
  const range =
    cell.low !== undefined && cell.high !== undefined && rangeOf(cell.label) === null
      ? ([cell.low, cell.high] as [number, number])
      : dates
        ? daysOf(cell.label)
        : (rangeOf(cell.label) ?? membersRange(cell.label));
  if (!range) return bins.map(() => 0);
  const [from, to] = range;
  const last = bins.length - 1;
  return bins.map((bin, i) => {
    const ends = dates ? daysOf(bin.label) : bin.low !== undefined && bin.high !== undefined ? ([bin.low, bin.high] as [number, number]) : rangeOf(bin.label);
    if (!ends) return 0;
    const [low, high] = ends;
    if (from === to) return (from >= low && (from < high || (i === last && from <= high))) || (low === high && from === low) ? 1 : 0;
    return Math.max(0, Math.min(high, to) - Math.max(low, from)) || (low === high && low >= from && low <= to ? 1 : 0);
  });
}

const share = (parts: number[], i: number): number => parts[i]! / Math.max(Number.MIN_VALUE, parts.reduce((sum, part) => sum + part, 0));

// 0213* among numbers: from 2130 to 2139.
function membersRange(cell: string): [number, number] | null {
  const match = /^(\d+)(\*+)$/.exec(cell);
  if (!match) return null;
  const width = 10 ** match[2]!.length;
  return [Number(match[1]) * width, Number(match[1]) * width + width - 1];
}
