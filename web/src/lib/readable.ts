// Whether a file can be worked with at all, from its name and its first bytes: what nothing here reads need not travel.
import type { Problem } from './api';
import { isExcel } from './excel';
import { bytes } from './format';
import { isGenome } from './genomes';

const largestBook = 60e6;

export async function whyNot(file: File): Promise<Problem | null> {
  const hint = 'Open it in the program that made it and save it as CSV, one row per person, then choose that file.';
  if (!/\.(csv|tsv|txt|dat|parquet|yaml|yml|fcl|head|ledger|ped|ged|manifest\.json)$|head\.json$/i.test(file.name) && !isGenome(file.name) && !isExcel(file.name))
    return { title: `${file.name} cannot be read: a table is a CSV, Excel or Parquet file`, status: 415, hint };
  const text = async (part: Blob): Promise<string> => new TextDecoder('latin1').decode(await part.arrayBuffer());
  const start = await text(file.slice(0, 4));
  if (isExcel(file.name)) {
    if (file.size > largestBook) return { title: `${file.name} is larger than ${bytes(largestBook)}, which a page can hold`, status: 413, hint };
    // What a password protects is another kind of file.
    return start === 'PK\x03\x04' ? null : { title: `${file.name} cannot be read: it is protected by a password, or no Excel file`, status: 415, hint };
  }
  if (/\.parquet$/i.test(file.name)) {
    const whole = file.size >= 12 && start === 'PAR1' && (await text(file.slice(-4))) === 'PAR1';
    return whole ? null : { title: `${file.name} is not a Parquet file, or part of it is missing`, status: 415, hint: 'Export or send it again, or save it as CSV.' };
  }
  if (/^(PK\x03\x04|%PDF|\x89PNG|\xff\xd8|\xd0\xcf\x11\xe0)/.test(start)) return { title: `${file.name} is not text, whatever its name says`, status: 415, hint };
  return null;
}
