// Excel files are read here, and leave the page as CSV: numbers as Excel shows them, dates as YYYY-MM-DD.

export interface Sheet {
  name: string;
  /** Below the header. */
  rows: number;
  columns: number;
  /** How many of the columns the header names. */
  named: number;
  csv: string;
}

export const isExcel = (name: string): boolean => /\.xls[xm]$/i.test(name);

/** Those that are not empty; null where the file cannot be read. */
export function sheetsOf(file: File): Promise<Sheet[] | null> {
  const worker = new Worker(new URL('./excel.worker.ts', import.meta.url), { type: 'module' });
  return new Promise<Sheet[] | null>((found) => {
    worker.onmessage = ({ data }: MessageEvent<Sheet[] | null>) => found(data);
    worker.onerror = () => found(null);
    worker.postMessage(file);
  }).finally(() => worker.terminate());
}

/** `people.xlsx` as `people.csv`, and its sheet “Visits” as `people-Visits.csv` where there are several. */
export function asCsv(file: File, sheet: Sheet, several: boolean): File {
  const stem = file.name.replace(/\.xls[xm]$/i, '');
  const name = `${stem}${several ? `-${sheet.name.replace(/[^\p{L}\p{N}._-]+/gu, '_')}` : ''}.csv`;
  return new File([sheet.csv], name, { type: 'text/csv' });
}
