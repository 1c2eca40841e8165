// A file of rules (IEC 61131-7 FCL) as a person reads it: what the words mean, and what follows from what. Only for
// looking at: the program reads the file by its own parser.

export interface Term {
  name: string;
  /** Corners of the membership, or the one value that it stands for. */
  points: [number, number][];
}
export interface RuleFile {
  inputs: string[];
  output: string;
  terms: Record<string, Term[]>;
  rules: { when: Record<string, string>; then: string; weight: number }[];
}

const number = '[-+]?[0-9.]+(?:[eE][-+]?[0-9]+)?';

export function readRules(fcl: string): RuleFile {
  const text = fcl.replace(/\(\*[\s\S]*?\*\)/g, '').replace(/\/\/.*$/gm, '');
  const terms: Record<string, Term[]> = {};
  const inputs: string[] = [];
  let output = '';
  for (const [, kind, name, body] of text.matchAll(/\b(FUZZIFY|DEFUZZIFY)\s+(\w+)([\s\S]*?)\bEND_\1\b/g)) {
    if (kind === 'FUZZIFY') inputs.push(name!);
    else output ||= name!;
    terms[name!] = [...body!.matchAll(/\bTERM\s+(\w+)\s*:=([^;]*);/g)].map(([, term, shape]) => {
      const corners = [...shape!.matchAll(new RegExp(`\\(\\s*(${number})\\s*,\\s*(${number})\\s*\\)`, 'g'))].map(([, x, y]) => [Number(x), Number(y)] as [number, number]);
      return { name: term!, points: corners.length ? corners : [[Number(shape), 1]] };
    });
  }
  const rules = [...text.matchAll(/\bRULE\s+\w+\s*:\s*IF\s+([\s\S]*?)\s+THEN\s+\w+\s+IS\s+(\w+)(?:\s+WITH\s+([0-9.]+))?\s*;/g)].map(([, when, then, weight]) => ({
    when: Object.fromEntries([...when!.matchAll(/(\w+)\s+IS\s+((?:NOT\s+)?\w+)/g)].map(([, input, term]) => [input!, term!])),
    then: then!,
    weight: weight === undefined ? 1 : Number(weight),
  }));
  return { inputs, output, terms, rules };
}

/** Where a term is fully meant: "about 8.3", "5.9 and less". */
export function meaningOf(term: Term, show: (n: number) => string): string {
  const { points } = term;
  if (points.length === 1) return show(points[0]![0]);
  const full = points.filter(([, y]) => y === Math.max(...points.map(([, height]) => height))).map(([x]) => x);
  const [low, high] = [full[0]!, full.at(-1)!];
  if (full.length && points[0]![0] === low && low === high) return `${show(low)} and less`;
  if (points.at(-1)![0] === high && low === high) return `${show(high)} and more`;
  return low === high ? `about ${show(low)}` : `${show(low)} to ${show(high)}`;
}
