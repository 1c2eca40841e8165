// Whether a file can be worked with at all, from its name and its first bytes: what nothing here reads need not travel.
import type { Problem } from './api';
import { isGenome } from './genomes';

export async function whyNot(file: File): Promise<Problem | null> {
  const hint = 'Open it in the program that made it and save it as CSV, one row per person, then choose that file.';
  if (!/\.(csv|tsv|txt|dat|parquet|yaml|yml|fcl|head|ledger|ped|ged|manifest\.json)$|head\.json$/i.test(file.name) && !isGenome(file.name))
    return { title: `${file.name} cannot be read: a table is a CSV or Parquet file`, status: 415, hint };
  const text = async (part: Blob): Promise<string> => new TextDecoder('latin1').decode(await part.arrayBuffer());
  const start = await text(file.slice(0, 4));
  if (/\.parquet$/i.test(file.name)) {
    const whole = file.size >= 12 && start === 'PAR1' && (await text(file.slice(-4))) === 'PAR1';
    return whole ? null : { title: `${file.name} is not a Parquet file, or part of it is missing`, status: 415, hint: 'Export or send it again, or save it as CSV.' };
  }
  if (/^(PK\x03\x04|%PDF|\x89PNG|\xff\xd8|\xd0\xcf\x11\xe0)/.test(start)) return { title: `${file.name} is not text, whatever its name says`, status: 415, hint };
  return null;
}
