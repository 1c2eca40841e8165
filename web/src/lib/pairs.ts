// Options that say something for each column, as settings keep them: a line of COLUMN=VALUE for each.

/** COLUMN=VALUE in its parts. A column may have an equals sign in its name (BMI>=30): the longest that fits is meant. */
export function pairOf(pair: string, columns: string[], last = false): [string, string] {
  const fitting = columns.filter((name) => pair.startsWith(`${name}=`)).sort((a, b) => b.length - a.length)[0];
  const at = fitting?.length ?? (last ? pair.lastIndexOf('=') : pair.indexOf('='));
  return [pair.slice(0, at), pair.slice(at + 1)];
}
/** What may be the value of such a pair: all behind any of its equals signs. */
export const valuesOf = (pair: string): string[] => [...pair].flatMap((sign, i) => (sign === '=' ? [pair.slice(i + 1)] : []));

/** By column. A column may have an equals sign in its name, a value has none. */
export function pairsOf(text = ''): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.includes('='));
  return Object.fromEntries(lines.map((line) => [line.slice(0, line.lastIndexOf('=')), line.slice(line.lastIndexOf('=') + 1)]));
}

/** The same with another value of a column; without one the column is not named. */
export function withPair(text: string | undefined, column: string, value: string): string {
  const pairs = pairsOf(text);
  if (value) pairs[column] = value;
  else delete pairs[column];
  return Object.entries(pairs)
    .map(([name, one]) => `${name}=${one}`)
    .join('\n');
}

/** Only of these columns. */
export const pairsAmong = (text: string, columns: string[]): string =>
  Object.entries(pairsOf(text))
    .filter(([name]) => columns.includes(name))
    .map(([name, one]) => `${name}=${one}`)
    .join('\n');
