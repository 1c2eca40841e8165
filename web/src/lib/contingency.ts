// How often values of two columns stand together, as `tables crosstab` counts them in the whole file.
export interface CrossTab {
  rows: number;
  association: number;
  columns: { name: string; values: string[]; others: boolean }[];
  /** By value of the first column, then of the second; those of all other values come last. */
  counts: number[][];
}
export interface Drawn {
  rows: string[];
  columns: string[];
  counts: number[][];
  largest: number;
}

const order = new Intl.Collator('en', { numeric: true });

/** As it is drawn: numbers and ranges in their order, the others at the end. */
export function drawn({ columns, counts }: CrossTab): Drawn {
  const [down, across] = columns.map(({ values, others }) => {
    const sorted = values.map((label, at) => ({ label: label || '(missing)', at })).sort((a, b) => order.compare(a.label, b.label));
    return [...sorted, ...(others ? [{ label: 'all others', at: values.length }] : [])];
  }) as [{ label: string; at: number }[], { label: string; at: number }[]];
  return {
    rows: down.map((one) => one.label),
    columns: across.map((one) => one.label),
    counts: down.map((row) => across.map((column) => counts[row.at]![column.at]!)),
    largest: Math.max(0, ...counts.flat()),
  };
}
