// The settings of a table as a file beside it: one `key: value` per line, where values are JSON, which is YAML, too. The
// program reads it with --config; whoever writes it in another way edits it by hand, and no page writes over that.
import type { OptionValue } from './api';
import { pairOf } from './pairs';

export const projectOf = (file: string): string => `${file}.project.yaml`;

/** Names of the program's options, and of roles in a file. */
const roleKeys: Record<string, string> = { id: 'identifiers', qi: 'quasi_identifiers', sensitive: 'sensitive', insensitive: 'insensitive' };
const maps: Record<string, string> = { hierarchy: 'hierarchies', 'date-form': 'date-form' };

export function writeProject(file: string, options: Record<string, OptionValue>): string {
  const columns = Object.keys(roleKeys).flatMap((role) => options[role] ?? []).map(String);
  const lines = Object.entries(options).flatMap(([name, value]) => {
    if (Array.isArray(value) && value.length === 0 && !roleKeys[name]) return [];
    if (maps[name]) return [`${maps[name]}: ${JSON.stringify(Object.fromEntries((value as string[]).map((pair) => pairOf(pair, columns, name === 'date-form'))))}`];
    const number = typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
    return [`${roleKeys[name] ?? name}: ${JSON.stringify(number)}`];
  });
  return [`# What was decided about ${file}. On the command line: --config, with --k, --method and --out.`, ...lines, ''].join('\n');
}

/** Null where it was written by hand in a way that is not read here. */
export function parseProject(text: string): Record<string, OptionValue> | null {
  const options: Record<string, OptionValue> = {};
  for (const line of text.split('\n')) {
    if (/^\s*(#.*)?$/.test(line)) continue;
    const match = /^([A-Za-z][\w-]*): (.*)$/.exec(line);
    if (!match) return null;
    const name = Object.entries({ ...roleKeys, ...maps }).find(([, key]) => key === match[1])?.[0] ?? match[1]!;
    try {
      const value = JSON.parse(match[2]!) as OptionValue | Record<string, string> | null;
      if (value === null) continue;
      options[name] = typeof value === 'object' && !Array.isArray(value) ? Object.entries(value).map(([column, spec]) => `${column}=${spec}`) : value;
    } catch {
      return null;
    }
  }
  return options;
}
