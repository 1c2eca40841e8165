// Where what a command makes goes before anybody decided about it: under a name that follows from all its settings and
// from the files it reads, so that two that differ in anything never share a file or a map.
import type { Invocation, StoredFile } from './api';
import { sha256 } from './digest';
import { files } from './files.svelte';
import { valuesOf } from './pairs';
import { besides, folderOf, mapsOf, nameOf, stemOf } from './format';

/** A file, COLUMN=FILE, a folder, or a pattern with stars. */
function filesNamed(word: string): StoredFile[] {
  const one = [word, ...valuesOf(word)].map((path) => files.find(path)).find((file) => file !== undefined);
  if (one) return [one];
  if (!word) return [];
  const escaped = word.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '[^/]*');
  const pattern = new RegExp(word.includes('*') ? `^${escaped}$` : `^${escaped.replace(/\/$/, '')}/`);
  return files.all.filter((file) => pattern.test(file.path));
}

function digest(what: Invocation): string {
  const options = Object.entries(what.options ?? {}).filter(([name]) => name !== 'out');
  const words = [...(what.inputs ?? []), ...options.flatMap(([, value]) => value)].filter((word): word is string => typeof word === 'string');
  const read = words
    .flatMap(filesNamed)
    // A ledger grows with what is made; what was read of it stays.
    .flatMap((file) => (file.kind !== 'ledger' ? [`${file.path} ${file.modified} ${file.bytes}`] : []));
  return sha256(JSON.stringify([what.noun, what.verb, what.inputs, options.sort(([a], [b]) => (a < b ? -1 : 1)), read])).slice(0, 24);
}

/** The command with its place among the candidates. */
export function asCandidate(what: Invocation, ending = /\.parquet$/i.test(what.inputs?.[0] ?? '') ? 'parquet' : 'csv', name = stemOf(what.inputs?.[0] ?? '')): Invocation {
  return { ...what, options: { ...what.options, out: `candidates/${digest(what)}/${name}.${ending}` } };
}
/** The command with its place among the maps. */
export const asMap = (what: Invocation): Invocation => ({ ...what, options: { ...what.options, out: `${mapsOf(what.inputs?.[0] ?? '', what.noun)}/${digest(what)}` } });

/** A name that nothing has: people-local-k5.csv, else people-local-k5-2.csv. */
export function freeName(original: string, candidate: string, told: string): string {
  const ending = nameOf(candidate).slice(nameOf(candidate).lastIndexOf('.'));
  const stem = besides(original, told);
  for (let i = 1; ; ++i) {
    const name = `${stem}${i > 1 ? `-${i}` : ''}${ending}`;
    if (!files.find(name) && !files.find(`${name}.manifest.json`)) return name;
  }
}
export const inFolderOf = (original: string, name: string): string => [folderOf(original), name].filter(Boolean).join('/');
