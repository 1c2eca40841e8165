// Options that say something for each column, as settings keep them: a line of COLUMN=VALUE for each.

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
