// What two people wrote into one form, put together field by field.
export type Answer = string | string[] | Record<string, string>;
export type Answers = Record<string, Answer>;
export type Fields = Map<string, string | string[]>;

/** A field of a map is KEY and NAME, with a sign between that nobody types. */
export const between = '\u0000';
export function fieldsOf(answers: Answers): Fields {
  return new Map(
    Object.entries(answers).flatMap(([key, value]) =>
      typeof value === 'object' && !Array.isArray(value) ? Object.entries(value).map(([name, text]) => [key + between + name, text] as const) : [[key, value] as const],
    ),
  );
}
export function answersOf(fields: Fields): Answers {
  const answers: Answers = {};
  for (const [field, value] of fields) {
    const [key, name] = field.split(between) as [string, string | undefined];
    if (name === undefined) answers[key] = value;
    else answers[key] = { ...((answers[key] as Record<string, string> | undefined) ?? {}), [name]: value as string };
  }
  return answers;
}
export const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? '') === JSON.stringify(other ?? '');

/** Field by field: theirs where only they changed it, mine where only I did. */
export function merge(base: Answers, mine: Answers, theirs: Answers): { merged: Answers; both: string[] } {
  const [was, here, there] = [fieldsOf(base), fieldsOf(mine), fieldsOf(theirs)];
  const merged: Fields = new Map();
  const both: string[] = [];
  for (const field of new Set([...there.keys(), ...here.keys()])) {
    const changedHere = !same(here.get(field), was.get(field));
    if (changedHere && !same(there.get(field), was.get(field)) && !same(here.get(field), there.get(field))) both.push(field);
    const value = changedHere ? here.get(field) : there.get(field);
    if (value !== undefined) merged.set(field, value);
  }
  return { merged: answersOf(merged), both };
}
