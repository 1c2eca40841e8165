// How often values of two columns stand together.
export interface CrossTable {
  rows: string[];
  columns: string[];
  counts: number[][];
  largest: number;
  total: number;
}

const frequent = (values: string[], most: number): string[] => {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const sorted = [...counts].sort((a, b) => b[1] - a[1]);
  return sorted.length <= most ? sorted.map(([value]) => value).sort((a, b) => a.localeCompare(b, 'en', { numeric: true })) : [...sorted.slice(0, most - 1).map(([value]) => value), 'others'];
};

/** The most frequent values; all the others count together. */
export function crossTable(page: { columns: string[]; rows: string[][] }, one: string, other: string, most = 10): CrossTable {
  const [a, b] = [page.columns.indexOf(one), page.columns.indexOf(other)];
  const left = page.rows.map((row) => row[a] ?? '');
  const right = page.rows.map((row) => row[b] ?? '');
  const rows = frequent(left, most);
  const columns = frequent(right, most);
  const at = (labels: string[]): ((value: string) => number) => {
    const places = new Map(labels.map((label, i) => [label, i]));
    return (value) => places.get(value) ?? labels.length - 1;
  };
  const [rowOf, columnOf] = [at(rows), at(columns)];
  const counts = rows.map(() => columns.map(() => 0));
  left.forEach((value, i) => (counts[rowOf(value)]![columnOf(right[i]!)]! += 1));
  return { rows, columns, counts, largest: Math.max(0, ...counts.flat()), total: left.length };
}

/** Cramér's V (1946): the square root of chi-squared over its largest possible value. */
export function association({ counts, total }: CrossTable): number {
  const rows = counts.map((row) => row.reduce((sum, n) => sum + n, 0));
  const columns = (counts[0] ?? []).map((_, j) => counts.reduce((sum, row) => sum + row[j]!, 0));
  const least = Math.min(rows.filter(Boolean).length, columns.filter(Boolean).length) - 1;
  if (least < 1 || total === 0) return 0;
  let chi = 0;
  counts.forEach((row, i) => row.forEach((n, j) => {
    const expected = (rows[i]! * columns[j]!) / total;
    if (expected > 0) chi += (n - expected) ** 2 / expected;
  }));
  return Math.sqrt(chi / (total * least));
}
