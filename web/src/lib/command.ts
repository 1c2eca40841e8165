// An invocation as the words of the command line: shown on every screen, and by which a job that ran before is found.
import type { CatalogueEntry, Invocation, OptionValue } from './api';

const isEmpty = (value: OptionValue): boolean =>
  value === false || value === '' || (Array.isArray(value) && value.length === 0);

/** As the server makes them: an option and its value are one word. */
export function toArguments(what: Invocation, catalogue: CatalogueEntry[]): string[] {
  const entry = catalogue.find((one) => (one.noun || '') === what.noun && one.verb === what.verb);
  // A verb of two words is two words.
  const words = [what.noun, ...what.verb.split(' '), ...(what.inputs ?? [])].filter(Boolean);
  for (const [name, value] of Object.entries(what.options ?? {})) {
    if (value === null || isEmpty(value)) continue;
    const joined = entry?.options.find((option) => option.name === name)?.commas ?? !name.endsWith('hierarchy');
    if (value === true) words.push(`--${name}`);
    else if (!Array.isArray(value)) words.push(`--${name}=${value}`);
    else if (joined) words.push(`--${name}=${value.map((item) => String(item).replaceAll(',', '\\,')).join(',')}`);
    else for (const one of value) words.push(`--${name}=${one}`);
  }
  return words;
}

/** Without what says nothing, so that the server sees the same as the command line. */
export function trimmed(what: Invocation): Invocation {
  const options = Object.fromEntries(Object.entries(what.options ?? {}).filter(([, value]) => value !== null && !isEmpty(value)));
  return { ...what, inputs: what.inputs ?? [], options };
}

const quoted = (word: string): string =>
  /^[A-Za-z0-9_./:=,@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

/** For a person: the value stands apart from its option where it can. */
export const toShell = (words: string[]): string =>
  ['pratique', ...words.map((word) => quotedOption(word))].join(' ');

function quotedOption(word: string): string {
  const match = /^(--[a-z0-9-]+)=(.*)$/s.exec(word);
  if (!match) return quoted(word);
  const [, name, value] = match as unknown as [string, string, string];
  return value === '' || value.startsWith('-') ? `${name}=${quoted(value)}` : `${name} ${quoted(value)}`;
}

/** The same for every order of the options. */
export function fingerprint(words: string[]): string {
  const kept = words.filter((word) => word !== '--json');
  const firstOption = kept.findIndex((word) => word.startsWith('--'));
  const at = firstOption < 0 ? kept.length : firstOption;
  return [...kept.slice(0, at), ...kept.slice(at).sort()].join('\0');
}
