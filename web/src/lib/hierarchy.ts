// Hierarchies: what `tables hierarchy` says of one, and editing the CSV form (a line per value, leaf first, root last).

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

/** Three widths that nest, about twenty of the narrowest over the range. */
export function suggestedIntervals(low: number, high: number): string {
  const rough = Math.max((high - low) / 20, Number.MIN_VALUE);
  const power = 10 ** Math.floor(Math.log10(rough));
  const nice = [1, 2, 5, 10].find((step) => step * power >= rough * 0.99) ?? 10;
  const width = Number((nice * power).toPrecision(3));
  const decimals = (n: number): string => String(Number(n.toPrecision(6)));
  return `interval:${[width, 2 * width, 4 * width].map(decimals).join(',')}`;
}

/** Fields of a hierarchy file. The delimiter is the one that gives every line as many fields. */
export function parseHierarchy(text: string): string[][] {
  const tries = [';', '\t', ','].map((delimiter) => fields(text.replace(/^\ufeff/, ''), delimiter));
  const even = tries.find((lines) => lines.length > 0 && lines[0]!.length > 1 && lines.every((line) => line.length === lines[0]!.length));
  return even ?? tries[0]!;
}

function fields(text: string, delimiter: string): string[][] {
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

/** A line per value: value, its group (or itself), *. */
export function fromGroups(groups: Record<string, string>): string[][] {
  const named = Object.values(groups).some((group) => group !== '');
  return Object.entries(groups).map(([value, group]) => (named ? [value, group || value, '*'] : [value, '*']));
}

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
