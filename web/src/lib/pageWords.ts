// The program speaks of its options; a page speaks of itself, and says where it is mended.
import { listedShort } from './format';
import { link } from './link';
import { methodName } from './words';

interface Place {
  words: string;
  path?: '/columns' | '/protect' | '/risk' | '/import' | '/release';
  name?: string;
}
const columns = { path: '/columns', name: 'the columns' } as const;
const models = { path: '/protect', name: 'what must hold' } as const;
const places: Record<string, Place> = {
  qi: { words: 'the columns that others may know', ...columns },
  id: { words: 'the identifiers', ...columns },
  sensitive: { words: 'the secret columns', ...columns },
  insensitive: { words: 'the harmless columns', ...columns },
  hierarchy: { words: 'the column’s hierarchy', ...columns },
  'date-form': { words: 'how dates are written', ...columns },
  'number-form': { words: 'how numbers are written', ...models },
  person: { words: 'the column that says whose each row is', ...columns },
  'rows-are-people': { words: '“every row is a different person”', ...columns },
  allow: { words: '“release it as it is”', ...columns },
  roles: { words: 'what each column is', ...columns },
  k: { words: 'the size of the crowd', ...models },
  ks: { words: 'the sizes to try', ...models },
  l: { words: 'different secrets in each crowd', ...models },
  t: { words: 'how secrets are spread', ...models },
  suppression: { words: 'the records that may be left out', ...models },
  method: { words: 'the way', ...models },
  methods: { words: 'the ways to try', ...models },
  recoding: { words: 'the recoding', ...models },
  'max-level': { words: 'how coarse a column may become', ...models },
  'max-loss': { words: 'what a column may lose', ...models },
  weight: { words: 'how much a column counts', ...models },
  'population-size': { words: 'how many people there are in all', path: '/risk', name: 'the risk' },
  'time-limit': { words: 'the time limit', ...models },
  perturb: { words: 'rounding or noise', ...models },
  register: { words: 'the adversary’s list', path: '/risk', name: 'the risk' },
  on: { words: 'the columns compared by', path: '/risk', name: 'the risk' },
  replace: { words: 'what stands in the place of an identifier' },
  mode: { words: 'what goes' },
  delimiter: { words: 'the delimiter', path: '/import', name: 'how it is read' },
  encoding: { words: 'the encoding', path: '/import', name: 'how it is read' },
  'no-header': { words: '“the first line is data”', path: '/import', name: 'how it is read' },
  sign: { words: 'the signature' },
  determination: { words: 'the expert determination' },
  population: { words: 'the table of the population', ...models },
  out: { words: 'the name' },
  force: { words: 'another name' },
};

const plain = (name: string): string => name.replace(/^'|'$/g, '').replaceAll('_', ' ');
function differentValues(options: string): string {
  const asked = [...options.matchAll(/--l '?(\d+)@([^',]+?)(?:'|(?= --l)|,|$| $)/g)];
  const ls = [...new Set(asked.map(([, l]) => l!))];
  return ls.map((l) => `at least ${l} different values of ${listedShort(asked.filter((one) => one[1] === l).map(([, , of]) => plain(of!)))} in each crowd`).join(' and ');
}

/** Options with what they are set to, as a page says it: --l 2@diagnosis asks for two different diagnoses in each crowd. */
const told: [RegExp, (value: string, all: string) => string][] = [
  [/\(--id ((?:'[^']*'|[^'()])+)\)/g, (names) => (names.includes(',') ? '(mark them as identifiers)' : '(mark it as an identifier)')],
  [/(?<!\()--id ([\p{L}_][\p{L}\p{N}_/ ()]*(?:,[\p{L}_][\p{L}\p{N}_/ ()]*)*)$/gu, (names) => `mark ${names.replaceAll(',', ', ')} as identifiers`],
  [/--id ('[^']*'|[\p{L}_][\p{L}\p{N}_-]*(?:,[\p{L}_][\p{L}\p{N}_-]*)*)/gu, (names) => `mark ${plain(names).replaceAll(',', ', ')} as ${names.includes(',') ? 'identifiers' : 'an identifier'}`],
  [/--allow ('[^']*'|[\p{L}_][\p{L}\p{N}_-]*(?:,[\p{L}_][\p{L}\p{N}_-]*)*)/gu, (names) => `“release it as it is” at ${plain(names).replaceAll(',', ', ')}`],
  // --l 2@illness --l '2@blood group': one sentence for all of them.
  [/(--l (?:'\d+@[^']*'|\d+@[\p{L}_][\p{L}\p{N}_-]*)(?: (?=--l)|\b|(?<=')))+/gu, (_, all) => differentValues(all)],
  [/--l (\d+)/g, (l) => `at least ${l} different secrets in each crowd`],
  [/--k (\d+)/g, (k) => `crowds of ${k}`],
  [/--suppression ([\d.]+)/g, (share) => `${Number((Number(share) * 100).toFixed(2))} % of the records left out`],
  [/--(?:replace|mode) ([a-z-]+)/g, (choice) => `“${choice}”`],
  [/--method ([a-z-]+)/g, (method) => `“${methodName(method)}”`],
  [/--model table\+codes --qi ([\w,]+) does/g, (names) => `the model “table+codes” does, with ${names.replaceAll(',', ', ')} as known to others (All commands, codes protect)`],
  [/\(--id\)/g, () => '(mark them as identifiers)'],
  [/as quasi-identifiers \(--qi\)/g, () => 'among what others may know'],
  [/ \(see rows_changed\)/g, () => ''],
  [/\bquasi-identifiers\b(?! \(--qi\))/g, () => 'columns that others may know'],
  [/; --max-breach [\d.e+-]+ accepts it/g, () => ''],
  [/--delimiter/g, () => 'another delimiter'],
];

/** The same sentence without flags: `--hierarchy age=SPEC` is the column's hierarchy. */
export function inPageWords(text: string): string {
  const said = told.reduce((sentence, [pattern, words]) => sentence.replace(pattern, (all: string, value: string) => words(value, all)), text);
  // What is to be run in a terminal stays as it is; any other option is called as its field is.
  const isCommand = /\bpratique (?!tables profile|tables explore|codes protect)[a-z]+ /.test(said);
  return said
    .replace(/\b(their|its|the) --([a-z][a-z-]*)/g, (said, before: string, name: string) => (places[name] ? `${before} ${places[name]!.words.replace(/^(the|a) |^the column’s /, '').replace(/^column’s /, '')}` : said))
    .replace(/`?--([a-z][a-z-]*)(?:[ =](?:[A-Z]+=?[A-Z]*|[a-z_]+=SPEC)\b)?`?/g, (flag, name: string) => places[name]?.words ?? (isCommand ? flag : `“${name.replaceAll('-', ' ')}”`))
    .replace(/\bpratique tables profile\b(?: FILE)?/g, 'the page of the columns')
    .replace(/\bpratique tables explore\b/g, 'the map')
    .replace(/\bpratique codes protect\b/g, 'the page of codes')
    // Of many columns in a row the first say which are meant.
    .replace(/\b(\w+(?:, \w+){4})((?:, \w+){3,})\b/g, (_, first: string, rest: string) => `${first} and ${rest.split(', ').length - 1} more`);
}

/** Where it is mended: of the options that a text names, each page once. */
export function placesOf(text: string, file: string): { href: string; name: string }[] {
  if (!file) return [];
  const found = [...text.matchAll(/--([a-z][a-z-]*)/g)].flatMap(([, name]) => {
    const place = places[name!];
    return place?.path ? [{ href: link(place.path, { file }), name: place.name! }] : [];
  });
  return found.filter((one, i) => found.findIndex((other) => other.href === one.href) === i);
}
