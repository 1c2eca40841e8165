// Text as a table, and back as the CSV that every tool reads.
import { fields } from './hierarchy';

export type ColumnForm = '' | 'text' | 'comma' | 'thousands' | 'day-first' | 'month-first' | 'drop';
export interface TableForm {
  delimiter: string;
  encoding: string;
  header: boolean;
  /** Texts that mean missing, separated by commas. */
  missing: string;
  /** By the place of the column: what it is, and its name where the file has none. */
  columns: Record<number, ColumnForm>;
  names: Record<number, string>;
  /** The place of a column of whose values only the first row is kept: one row for each person. */
  once?: number | undefined;
}
export interface TextTable {
  header: string[];
  rows: string[][];
  /** Of each column that is shown: its place in the file, and what it is. */
  columns: { place: number; form: ColumnForm }[];
  /** Lines with another number of fields, and cells that are not what their column is said to be. */
  uneven: number;
  unread: number;
}

/** The one that splits the first lines into as many fields each, and into the most. */
export function guessDelimiter(text: string): string {
  const start = text.split('\n').slice(0, 20).join('\n');
  const scores = [',', ';', '\t', '|'].map((delimiter) => {
    const widths = fields(start, delimiter).map((line) => line.length);
    const even = widths.filter((width) => width === widths[0]).length / Math.max(1, widths.length);
    return { delimiter, score: (widths[0] ?? 0) > 1 ? even * 1000 + (widths[0] ?? 0) : 0 };
  });
  return scores.sort((a, b) => b.score - a.score)[0]!.delimiter;
}

export const parseTable = (text: string, delimiter: string): string[][] => fields(text.replace(/^\ufeff/, ''), delimiter);

const pad = (text: string): string => text.padStart(2, '0');
function cell(text: string, form: ColumnForm): string | null {
  if (form === 'comma') return /^-?[\d.]*(,\d+)?$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : null;
  if (form === 'thousands') return /^-?\d{1,3}([, '’]\d{3})*(\.\d+)?$/.test(text) ? text.replace(/[, '’]/g, '') : null;
  if (form === 'day-first' || form === 'month-first') {
    const match = /^(\d{1,2})[./-](\d{1,2})[./-](\d{4})(.*)$/.exec(text);
    if (!match) return null;
    const [, a, b, year, rest] = match as unknown as [string, string, string, string, string];
    const [day, month] = form === 'day-first' ? [a, b] : [b, a];
    return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31 ? `${year}-${pad(month)}-${pad(day)}${rest}` : null;
  }
  return text;
}

/** With `all`, columns that are left out are there as well, as a preview shows them. */
export function converted(lines: string[][], form: TableForm, all = false): TextTable {
  const width = lines[0]?.length ?? 0;
  const missing = new Set(form.missing.split(',').map((one) => one.trim()).filter(Boolean));
  const columns = Array.from({ length: width }, (_, place) => ({
    place,
    name: (form.header ? lines[0]![place] : form.names[place]?.trim()) || `column_${place + 1}`,
    form: form.columns[place] ?? '',
  })).filter((column) => all || column.form !== 'drop');
  let unread = 0;
  const every = form.header ? lines.slice(1) : lines;
  const met = new Set<string>();
  // Whose row it is must be told: a row of nobody is nobody's second.
  const body = form.once === undefined ? every : every.filter((line) => {
    const whose = line[form.once!] ?? '';
    return whose === '' || (!met.has(whose) && met.add(whose));
  });
  const rows = body.map((line) =>
    columns.map((column) => {
      const text = line[column.place] ?? '';
      if (text === '' || missing.has(text.trim())) return '';
      const read = cell(text, column.form);
      if (read === null) ++unread;
      return read ?? text;
    }),
  );
  return { header: columns.map((column) => column.name), rows, columns, uneven: body.filter((line) => line.length !== width).length, unread };
}
/** Names that two columns have: nobody could tell which is meant. */
export const twice = (header: string[]): string[] => [...new Set(header.filter((name, i) => header.indexOf(name) !== i))];

/** How columns that are text are made coarser: codes from the right, words not at all. A table tells no types. */
export function textHierarchies(table: TextTable): string[] {
  return table.columns.flatMap(({ form }, i) => {
    if (form !== 'text') return [];
    const code = table.rows.every((row) => row[i] === '' || (row[i]!.length <= 12 && /\d/.test(row[i]!)));
    return [`${table.header[i]}=${code ? 'prefix' : 'flat'}`];
  });
}

const quoted = (value: string): string => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
export const writeTable = (table: Pick<TextTable, 'header' | 'rows'>): string => [table.header, ...table.rows].map((row) => row.map(quoted).join(',') + '\n').join('');
