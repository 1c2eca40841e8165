// Sheets of an Excel file as CSV, beside the page: a large one takes seconds.
import { writeTable } from './tableText';
import readXlsxFile from 'read-excel-file/universal';
import type { Sheet } from './excel';

type Cell = string | number | boolean | Date | null;

// Excel shows 15 digits, and stores 5.7 as 5.7000000000000002.
const plainNumber = (text: string): string => String(Number(Number(text).toPrecision(15)));

// A date has no zone; a time of day alone stands on the day before the first.
function moment(date: Date): string {
  const [day, time] = date.toISOString().slice(0, 19).split('T') as [string, string];
  return day < '1900-01-01' ? time : time === '00:00:00' ? day : `${day}T${time}`;
}
const text = (cell: Cell): string => (cell === null ? '' : cell instanceof Date ? moment(cell) : cell === true ? 'TRUE' : cell === false ? 'FALSE' : String(cell));

self.onmessage = async ({ data }: MessageEvent<File>) => {
  try {
    const read = (await readXlsxFile<string>(data, { parseNumber: plainNumber, trim: false })) as unknown as { sheet: string; data: Cell[][] }[];
    const sheets = read.map(({ sheet, data: cells }): Sheet => {
      const rows = cells.map((row) => row.map(text)).filter((row) => row.some((cell) => cell !== ''));
      const header = (rows[0] ?? []).map((name, i) => name.trim() || `column_${i + 1}`);
      return { name: sheet, rows: Math.max(0, rows.length - 1), named: (rows[0] ?? []).filter(Boolean).length, columns: header.length, csv: writeTable({ header, rows: rows.slice(1) }) };
    });
    self.postMessage(sheets.filter((sheet) => sheet.columns > 0));
  } catch {
    self.postMessage(null); // What exactly is broken in it helps nobody.
  }
};
