const whole = new Intl.NumberFormat('en-GB');

export const count = (n: number): string => whole.format(n);
export const plural = (n: number, one: string, many = one + 's'): string => `${count(n)} ${n === 1 ? one : many}`;

/** Three figures are enough to compare by. */
export function figure(n: number): string {
  if (!Number.isFinite(n)) return '–';
  if (Number.isInteger(n)) return count(n);
  return new Intl.NumberFormat('en-GB', { maximumSignificantDigits: 3 }).format(n);
}

/** Two figures of an estimate: 1,234.5 is 1,200; less than a half is none. */
export const roughly = (n: number): string => (n < 0.5 ? 'none' : n < 10 ? count(Math.round(n)) : count(Number(n.toPrecision(2))));
/** A number as somebody types it, with blanks or commas between thousands; 0 where it is none. */
export const digits = (typed: string): number => Number(/^[\d\s,.'’]*$/.test(typed) ? typed.replace(/\D/g, '') : 0);

/** A small share never reads as none, and nearly all never as all. */
export function percent(share: number): string {
  if (share > 0 && share < 0.001) return 'under 0.1\u00a0%';
  if (share < 1 && share > 0.999) return 'over 99.9\u00a0%';
  const digits = share > 0 && share < 0.1 ? 1 : share > 0.9 && share < 1 ? 1 : 0;
  return `${(share * 100).toFixed(digits)}\u00a0%`;
}

export function bytes(n: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let unit = 0;
  while (n >= 1000 && unit < units.length - 1) {
    n /= 1000;
    ++unit;
  }
  return `${unit === 0 || n >= 100 ? Math.round(n) : n.toFixed(1)} ${units[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return 'less than a second';
  if (seconds < 90) return plural(Math.round(seconds), 'second');
  if (seconds < 5400) return plural(Math.round(seconds / 60), 'minute');
  return plural(Math.round(seconds / 3600), 'hour');
}

export function moment(iso: string | null | undefined): string {
  if (!iso) return '';
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');
export const stemOf = (path: string): string => nameOf(path).replace(/\.(csv|tsv|txt|parquet|dat|fasta|fa|fna|fas|vcf|vcf\.gz|bcf|bed|ledger|jsonl|ndjson)$/i, '');
/** In the same folder, which is there: world/patients.csv and -k5.csv give world/patients-k5.csv. */
export const besides = (path: string, ending: string): string => [folderOf(path), stemOf(path) + ending].filter(Boolean).join('/');
/** Tables that are no original: lists of single hospitals, what is true in a made-up world, figures behind a picture. */
export const isMadeHere = (path: string): boolean => /\/hospitals\/|(^|\/)(truth|fred|maps|small-world|candidates)\/|(^|\/)ru-map\.csv$/.test(path);
/** Made to be looked at, and no release. */
export const isCandidate = (path: string): boolean => path.startsWith('candidates/');
/** Where the maps of a file go: under its whole path, for another may have the same name; a file may be mapped as codes, too. */
export const mapsOf = (file: string, noun = 'tables'): string => `maps/${file}${noun === 'codes' ? '.codes' : ''}`;
/** Where the report of a release goes. */
export const reportOf = (release: string): string => `${release.replace(/\.(csv|parquet|fasta)$/i, '')}.report.html`;
/** As a person says it: date_of_birth is "date of birth". */
export const words = (name: string): string => name.replaceAll('_', ' ');
export const listed = (names: string[]): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
/** Many are too many to read: the first of them, and how many more. */
export const listedShort = (names: string[], most = 6): string => (names.length <= most + 1 ? listed(names) : `${names.slice(0, most).join(', ')} and ${names.length - most} more`);
export const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
