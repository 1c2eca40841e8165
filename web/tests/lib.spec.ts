// What is computed in the browser itself; every expectation is worked by hand.
import { expect, test } from '@playwright/test';
import { createHash } from 'node:crypto';
import type { CatalogueEntry, CommandOption } from '../src/lib/api';
import { listItems, optionFault, widthsFault } from '../src/lib/checks';
import { fingerprint, toArguments, toShell } from '../src/lib/command';
import { secondsLeft, settled } from '../src/lib/cost';
import { daysOf, isGeneral, membersOf, rangeOf, spread } from '../src/lib/distribution';
import { digits, isMadeHere, percent, roughly } from '../src/lib/format';
import { addLevel, days, faultOf, fromCuts, groupsAt, innerNodes, merge, moveTo, nextVersion, numbersOf, parseHierarchy, pathAbove, rename, shift, writeHierarchy } from '../src/lib/hierarchy';
import { sha256 } from '../src/lib/digest';
import { inPageWords } from '../src/lib/pageWords';
import { pairOf, pairsAmong, pairsOf, valuesOf, withPair } from '../src/lib/pairs';
import { parseProject, writeProject } from '../src/lib/project';
import { merge as mergeAnswers } from '../src/lib/answersMerge';
import { boxOf, placeLabels, roundEnd, type Mark } from '../src/lib/labels';
import { meaningOf, readRules } from '../src/lib/rules';
import { linkGraph } from '../src/lib/trails';
import { becomes, mustGo, toLeaveOut } from '../src/lib/safeHarbor';

test('a range covers the bins of the original by how much of each it holds', () => {
  const original = { name: 'age', kind: 'number' as const, missing: 0, distinct: 40, bins: [0, 10, 20, 30].map((low) => ({ label: `${low}`, low, high: low + 10, count: 10 })) };
  const released = {
    name: 'age',
    kind: 'category' as const,
    missing: 0,
    distinct: 3,
    bins: [
      { label: '0..20', count: 10 }, // five in each of the first two
      { label: '35', count: 4 },
      { label: '*', count: 8 }, // two in each
      { label: 'old', count: 3 }, // a label of some hierarchy
    ],
  };
  expect(spread(original, released)).toEqual({ counts: [7, 7, 2, 6], unplaced: 3 });
});

test('a set of numbers counts as much for each of them', () => {
  const zips = { name: 'zip', kind: 'number' as const, missing: 0, distinct: 3, bins: [69401, 69402, 69501].map((zip) => ({ label: String(zip), low: zip, high: zip, count: 4 })) };
  const released = { name: 'zip', kind: 'category' as const, missing: 0, distinct: 3, bins: [{ label: '{69401|69501}', count: 4 }, { label: '69402', count: 3 }, { label: '*', count: 3 }] };
  // Two each of the set, three of the value itself, one each of the star.
  expect(spread(zips, released)).toEqual({ counts: [3, 4, 3], unplaced: 0 });
});

test('dates are spread over decades, rare values go to the rest', () => {
  const decades = { name: 'born', kind: 'category' as const, missing: 0, distinct: 9, dates: true, bins: [{ label: '1970..1979', count: 6 }, { label: '1980..1989', count: 4 }] };
  // Five years of either decade; 1985 lies in one.
  const cells = (bins: { label: string; count: number }[]) => ({ name: 'born', kind: 'category' as const, missing: 0, distinct: 2, bins });
  const both = spread(decades, cells([{ label: '1975-01-01..1984-12-31', count: 10 }, { label: '1985', count: 3 }]));
  expect(both.counts[0]).toBeCloseTo(5, 1);
  expect(both.counts[1]).toBeCloseTo(8, 1);
  const towns = { name: 'town', kind: 'category' as const, missing: 0, distinct: 4, bins: [{ label: 'A', count: 5 }, { label: 'other', count: 3, other: true }] };
  expect(spread(towns, cells([{ label: '*', count: 8 }, { label: 'B', count: 2 }, { label: 'A', count: 1 }])).counts).toEqual([3, 8]);
});

test('a set, a prefix and a star stand for the values that they may be', () => {
  const zips = ['02138', '02139', '02141'];
  expect(membersOf('{02138|02141}', zips)).toEqual(['02138', '02141']);
  expect(membersOf('0213*', zips)).toEqual(['02138', '02139']);
  expect(membersOf('*', zips)).toEqual(zips);
  // Ages that were written as ranges stand for what wider ones hold whole.
  const ages = ['[50-60)', '[60-70)', '[70-80)', '80-89', '?', '90+'];
  expect(membersOf('60..79', ages)).toEqual(['[60-70)', '[70-80)']);
  expect(membersOf('80..89', ages)).toEqual(['80-89']);
  expect(membersOf('02139', zips)).toEqual(['02139']);
  expect(membersOf('Cambridge', zips)).toEqual([]);
  expect(rangeOf('20..29')).toEqual([20, 29]);
  expect(rangeOf('-5..-1')).toEqual([-5, -1]);
  expect(rangeOf('2..')).toBeNull();
  expect(daysOf('1970')).toEqual([0, 364]);
  expect(daysOf('1970-02')).toEqual([31, 58]);
  expect(daysOf('1970..1971')).toEqual([0, 729]);
});

test('generalised cells are told from values', () => {
  const values = new Set(['F', 'M']);
  for (const cell of ['20..29', '{F|M}', '*', '021**', 'Northern']) expect(isGeneral(cell, values)).toBe(true);
  for (const cell of ['F', 'M', '']) expect(isGeneral(cell, values)).toBe(false);
  expect(isGeneral('1969', null)).toBe(false);
});

test('a missing value is hung under a node of the hierarchy file', () => {
  const lines = parseHierarchy('Bachelors;Undergraduate;Higher;*\n"a;b";Graduate;Higher;*\r\n\nNone;None;None;*\n');
  expect(lines).toEqual([
    ['Bachelors', 'Undergraduate', 'Higher', '*'],
    ['a;b', 'Graduate', 'Higher', '*'],
    ['None', 'None', 'None', '*'],
  ]);
  expect(parseHierarchy('F,*\nM,*\n')).toEqual([['F', '*'], ['M', '*']]);
  expect(pathAbove(lines, 'Graduate')).toEqual(['Graduate', 'Higher', '*']);
  expect(pathAbove(lines, 'Higher')).toEqual(['Higher', 'Higher', '*']);
  expect(pathAbove(lines, '*')).toEqual(['*', '*', '*']);
  expect(pathAbove(lines, 'nowhere')).toBeNull();
  expect(innerNodes(lines)).toEqual(['Undergraduate', 'Graduate', 'None', 'Higher', '*']);
  expect(parseHierarchy(writeHierarchy(lines))).toEqual(lines);
});

test('groups are made, moved, merged, named and ordered', () => {
  const flat = [['a', '*', '*'], ['b', '*', '*'], ['c', '*', '*']];
  const two = moveTo(moveTo(flat, 1, ['a', 'c'], 'x'), 1, ['b'], 'y');
  expect(two).toEqual([['a', 'x', '*'], ['c', 'x', '*'], ['b', 'y', '*']]);
  expect(groupsAt(two, 1)).toEqual([{ label: 'x', items: [{ label: 'a', values: 1 }, { label: 'c', values: 1 }] }, { label: 'y', items: [{ label: 'b', values: 1 }] }]);
  expect(moveTo(two, 1, ['c'], 'y')).toEqual([['a', 'x', '*'], ['c', 'y', '*'], ['b', 'y', '*']]);
  expect(merge(two, 1, 'y', 'x')).toEqual([['a', 'x', '*'], ['c', 'x', '*'], ['b', 'x', '*']]);
  expect(rename(two, 1, 'x', 'z')[0]).toEqual(['a', 'z', '*']);
  expect(shift(two, 1, 'c', -1).map((line) => line[0])).toEqual(['c', 'a', 'b']);
  expect(shift(two, 1, 'a', -1)).toEqual(two);
  // A level more: groups of groups; what is moved takes all that is above.
  const three = addLevel(two);
  expect(three[0]).toEqual(['a', 'x', 'x', '*']);
  const deep = moveTo(three, 2, ['x', 'y'], 'all');
  expect(deep.map((line) => line[2])).toEqual(['all', 'all', 'all']);
  expect(faultOf(deep)).toBe('');
  expect(faultOf([['a', 'x', 'p', '*'], ['b', 'x', 'q', '*']])).toContain('two groups');
});

test('cuts make ranges that nest, with open ends where they are asked for', () => {
  const values = ['1', '5', '17', '18', '64', '65', '93'];
  const cuts = [{ at: 18, level: 2 }, { at: 65, level: 1 }];
  const closed = fromCuts(values, numbersOf(values), cuts, { low: false, high: false });
  expect(closed.find((line) => line[0] === '17')).toEqual(['17', '1..17', '1..17', '*']);
  expect(closed.find((line) => line[0] === '64')).toEqual(['64', '18..64', '18..93', '*']);
  expect(closed.find((line) => line[0] === '65')).toEqual(['65', '65..93', '18..93', '*']);
  const open = fromCuts(values, numbersOf(values), cuts, { low: true, high: true });
  expect(open.find((line) => line[0] === '1')).toEqual(['1', '<=17', '<=17', '*']);
  expect(open.find((line) => line[0] === '93')).toEqual(['93', '65+', '18+', '*']);
  expect(faultOf(open)).toBe('');
  // Decimals end where the next begins; days at the day before; what is missing stays so.
  expect(fromCuts(['0.5', '1.25'], numbersOf(['0.5', '1.25']), [{ at: 1, level: 1 }], { low: false, high: false })[0]).toEqual(['0.5', '0.5..0.99', '*']);
  const dates = fromCuts(['1970-01-01', '', '1980-06-30'], days, [{ at: days.place('1980-01-01')!, level: 1 }], { low: false, high: false });
  expect(dates).toEqual([['', '', '*'], ['1970-01-01', '1970-01-01..1979-12-31', '*'], ['1980-06-30', '1980-01-01..1980-06-30', '*']]);
});

test('every version of a hierarchy stays', () => {
  expect(nextVersion([], 'a/p.csv', 'ward')).toBe('hierarchies/a/p.csv/ward.v1.csv');
  expect(nextVersion(['hierarchies/a/p.csv/ward.v1.csv', 'hierarchies/a/p.csv/ward.v9.csv', 'hierarchies/p.csv/ward.v20.csv'], 'a/p.csv', 'ward')).toBe('hierarchies/a/p.csv/ward.v10.csv');
});

test('a name of a file follows from every word of the settings', () => {
  for (const text of ['', 'abc', 'é'.repeat(100), 'a'.repeat(55), 'a'.repeat(56), 'a'.repeat(64)]) expect(sha256(text)).toBe(createHash('sha256').update(text).digest('hex'));
});

test('a project is read as it was written, and what was written otherwise is left alone', () => {
  const options = { id: ['name'], qi: ['age', 'a, b'], sensitive: [], insensitive: ['x'], hierarchy: ['age=interval:5,10', 'a, b=flat'], l: 2, suppression: 0.02, ks: [2, 5], methods: ['local'], relaxed: true };
  const text = writeProject('p.csv', options);
  expect(text).toContain('quasi_identifiers: ["age","a, b"]\n');
  expect(text).toContain('hierarchies: {"age":"interval:5,10","a, b":"flat"}\n');
  expect(parseProject(text)).toEqual(options);
  expect(parseProject('quasi_identifiers:\n  - age\n')).toBeNull();
  // A column with an equals sign in its name, beside one that is its beginning.
  const odd = { id: [], qi: ['BMI>=30', 'BMI>', 'age'], sensitive: [], insensitive: [], hierarchy: ['BMI>=30=flat', 'BMI>=interval:2', 'age=interval:5,10'], 'date-form': ['BMI>=30=day-first'] };
  expect(writeProject('p.csv', odd)).toContain('hierarchies: {"BMI>=30":"flat","BMI>":"interval:2","age":"interval:5,10"}\n');
  expect(parseProject(writeProject('p.csv', odd))).toEqual(odd);
  expect(pairOf('BMI>=30=h/BMI>=30.csv', odd.qi)).toEqual(['BMI>=30', 'h/BMI>=30.csv']);
  expect(valuesOf('BMI>=30=flat')).toEqual(['30=flat', 'flat']);
});

test('a command reads the same here, on the server and in a shell', () => {
  const catalogue: CatalogueEntry[] = [
    {
      noun: 'tables',
      verb: 'assess',
      description: '',
      inputs: [],
      options: [
        { name: 'qi', kind: 'list', description: '', repeat: true, commas: true },
        { name: 'hierarchy', kind: 'pairs', description: '', repeat: true, commas: false },
      ],
    },
  ];
  const words = toArguments({ noun: 'tables', verb: 'assess', inputs: ['my file.csv'], options: { qi: ['age', 'sex'], hierarchy: ['age=interval:5,10', 'sex=flat'], relaxed: true, k: 5, l: '' } }, catalogue);
  expect(words).toEqual(['tables', 'assess', 'my file.csv', '--qi=age,sex', '--hierarchy=age=interval:5,10', '--hierarchy=sex=flat', '--relaxed', '--k=5']);
  expect(toShell(words)).toBe("pratique tables assess 'my file.csv' --qi age,sex --hierarchy age=interval:5,10 --hierarchy sex=flat --relaxed --k 5");
  expect(toShell(['verify', "it's"])).toBe(`pratique verify 'it'\\''s'`);
  expect(fingerprint(['tables', 'assess', 'a', '--x=1', '--y=2'])).toBe(fingerprint(['tables', 'assess', 'a', '--y=2', '--x=1', '--json']));
  expect(fingerprint(['tables', 'assess', 'a', '--id=x', '--qi=y'])).not.toBe(fingerprint(['tables', 'assess', 'a', '--id=y', '--qi=x']));
});

test('a comma of a name stays in it', () => {
  const catalogue: CatalogueEntry[] = [{ noun: 'tables', verb: 'assess', description: '', inputs: [], options: [{ name: 'qi', kind: 'list', description: '', repeat: true, commas: true }] }];
  const words = toArguments({ noun: 'tables', verb: 'assess', inputs: [], options: { qi: ['Name, Vorname', 'age'] } }, catalogue);
  expect(words).toEqual(['tables', 'assess', '--qi=Name\\, Vorname,age']);
  expect(listItems('Name\\, Vorname, age,')).toEqual(['Name, Vorname', 'age']);
});

test('a sample may be whose trail holds its own', () => {
  // Ann was at A and B, Bob at A, Cid at B; the sample s was seen at A and B, the sample u at A.
  const people = [['A', 'Ann'], ['B', 'Ann'], ['A', 'Bob'], ['B', 'Cid']];
  const samples = [['A', 's'], ['B', 's'], ['A', 'u']];
  const names = (graph: ReturnType<typeof linkGraph>): string[] => graph.links.map((link) => `${graph.samples[link.sample]!.name}-${graph.people[link.person]!.name}${link.certain ? '!' : ''}`).sort();
  expect(names(linkGraph(people, samples, 'deidentified', [['s', 'Ann']]))).toEqual(['s-Ann!', 'u-Ann', 'u-Bob']);
  expect(names(linkGraph(people, samples, 'none', []))).toEqual(['s-Ann', 'u-Bob']);
});

test('originals are told from what was made of them', () => {
  for (const path of ['world/hospitals/H01/dna.csv', 'world/truth/people.csv', 'fred/utility.csv', 'map/ru-map.csv', 'maps/a.csv/ru-map.csv']) expect(isMadeHere(path)).toBe(true);
  for (const path of ['patients.csv', 'world/register.csv', 'world/hospitals.csv', 'alfred/people.csv']) expect(isMadeHere(path)).toBe(false);
});

test('a share is never rounded to none or all', () => {
  expect(percent(0)).toBe('0\u00a0%');
  expect(percent(0.0001)).toBe('under 0.1\u00a0%');
  expect(percent(0.034)).toBe('3.4\u00a0%');
  expect(percent(0.5)).toBe('50\u00a0%');
  expect(percent(0.9999)).toBe('over 99.9\u00a0%');
  expect(percent(1)).toBe('100\u00a0%');
});

test('a number that was typed is right, or it is said what is', () => {
  const option = (description: string, more: Partial<CommandOption> = {}): CommandOption => ({ name: 'x', kind: 'text', description, ...more });
  const l = option('l-diversity', { type: 'number', low: 1, per_column: true, repeat: true });
  for (const right of ['', '3', '3@diagnosis', '2.5', '3\n4@ward']) expect(optionFault(l, right)).toBe('');
  for (const wrong of ['three', '0', '-1', '3,4', '3\nx']) expect(optionFault(l, wrong)).toContain('a number, 1 or more, such as 3; for a single column, 3@diagnosis');
  const t = option('t-closeness', { type: 'share', low: 0, high: 1, per_column: true, repeat: true });
  for (const right of ['0', '0.2', '1', '.5']) expect(optionFault(t, right)).toBe('');
  for (const wrong of ['7', '20 %', '0,2', '0.2@']) expect(optionFault(t, wrong)).toContain('a number from 0 to 1, such as 0.2');
  const k = option('k-anonymity', { kind: 'number', type: 'whole_number', low: 1, high: 2 ** 53 - 1 });
  expect(optionFault(k, '5')).toBe('');
  for (const wrong of ['5.5', '5@age', '0']) expect(optionFault(k, wrong)).toContain('a whole number, 1 or more');
  expect(optionFault(option('threads to use', { kind: 'number', type: 'whole_number', low: 1, high: 1024, default: '4' }), 'four')).toBe('Write a whole number from 1 to 1024, such as 4.');
  expect(optionFault(option('levels to try', { kind: 'list', type: 'whole_number', commas: true }), '2,3,1e2')).toBe('');
  expect(optionFault(option('levels to try', { kind: 'list', type: 'number', commas: true }), '2,drei')).toContain('Write a number');
  expect(optionFault(option('a table'), 'anything')).toBe('');
});

test('widths of ranges nest', () => {
  for (const right of ['5', '5,10,20', '2.5, 5', '0.1,0.3']) expect(widthsFault(right)).toBe('');
  for (const wrong of ['', '5,', '0', '-5', 'five']) expect(widthsFault(wrong)).toContain('widths above 0');
  expect(widthsFault('5,7')).toContain('7 is not a larger multiple of 5');
  expect(widthsFault('10,5')).toContain('5 is not a larger multiple of 10');
});

test('rules are read as they are written', () => {
  const read = readRules(`(* IF a comment IS here THEN it IS none; *)
FUZZIFY house
  TERM small := (80, 1) (120, 0);
  TERM large := (80, 0) (120, 1);
END_FUZZIFY
FUZZIFY work
  TERM cook := 1;
END_FUZZIFY
DEFUZZIFY income
  TERM low := (2e4, 1) (40000, 0);
  TERM middle := (2e4, 0) (40000, 1) (60000, 0);
  RANGE := (0 .. 90000);
END_DEFUZZIFY
RULEBLOCK drafted
  RULE 1 : IF house IS small AND work IS cook THEN income IS low;
  RULE 2 : IF house IS NOT small THEN income IS middle WITH 0.8;
END_RULEBLOCK`);
  expect(read.inputs).toEqual(['house', 'work']);
  expect(read.output).toBe('income');
  expect(read.rules).toEqual([
    { when: { house: 'small', work: 'cook' }, then: 'low', weight: 1 },
    { when: { house: 'NOT small' }, then: 'middle', weight: 0.8 },
  ]);
  expect(read.terms['income']!.map((term) => meaningOf(term, String))).toEqual(['20000 and less', 'about 40000']);
  expect(read.terms['house']!.map((term) => meaningOf(term, String))).toEqual(['80 and less', '120 and more']);
  expect(read.terms['work']!.map((term) => meaningOf(term, String))).toEqual(['1']);
});

test('the time left is what is open, by what it took where some is done', () => {
  const plan = { settings: 6, seconds: 100, reading: 1, methods: [{ method: 'mondrian', seconds: 2 }, { method: 'local', seconds: 30, time_limit: 60 }] };
  const ks = [2, 5, 11];
  // 3 × 2 + 3 × 30.
  expect(secondsLeft(plan, ks, [], 0)).toBe(96);
  // One of mondrian took 4: two more as long, and a second of the next is over.
  expect(secondsLeft(plan, ks, [{ method: 'mondrian', k: 2, seconds: 4 }], 1)).toBe(2 * 4 + 90 - 1);
  // A provisional point is none that is done; what takes longer than it should is not less than nothing.
  expect(secondsLeft(plan, ks, [{ method: 'mondrian', k: 11, seconds: 0.3, provisional: true }], 0)).toBe(96);
  const almost = [2, 5, 11].map((k) => ({ method: 'mondrian', k, seconds: 4 })).concat([2, 5].map((k) => ({ method: 'local', k, seconds: 50 })));
  expect(secondsLeft(plan, ks, almost, 80)).toBe(0);
});

test('a point that is told again takes the place of the first', () => {
  const points = [{ method: 'a', k: 5, utility: 0.2 }, { method: 'a', k: 2, utility: 0.9 }, { method: 'a', k: 5, utility: 0.7 }];
  expect(settled(points)).toEqual([{ method: 'a', k: 2, utility: 0.9 }, { method: 'a', k: 5, utility: 0.7 }]);
  // With another m it is another point.
  expect(settled([{ method: 'a', k: 5, m: 1 }, { method: 'a', k: 5, m: 2 }])).toHaveLength(2);
});

test('wishes for columns are lines, also of names with an equals sign', () => {
  expect(pairsOf('age=2\na=b=1')).toEqual({ age: '2', 'a=b': '1' });
  expect(withPair('age=2', 'sex', '5')).toBe('age=2\nsex=5');
  expect(withPair('age=2\nsex=5', 'age', '')).toBe('sex=5');
  expect(withPair(undefined, 'age', '0')).toBe('age=0');
  expect(pairsAmong('age=2\nsex=5', ['sex', 'zip'])).toBe('sex=5');
});

test('estimates are said in two figures, and numbers read as people type them', () => {
  expect([0.4, 0.6, 3.2, 12.4, 1234, 98765].map(roughly)).toEqual(['none', '1', '3', '12', '1,200', '99,000']);
  expect(['1,000', ' 10 000 ', '12.000', "1'000", 'many', ''].map(digits)).toEqual([1000, 10000, 12000, 1000, 0, 0]);
});

test('what two people wrote into a form is put together field by field', () => {
  const base = { method: 'a', controls: ['x'], replicable: { age: 'old', sex: 'no' } };
  const mine = { method: 'b', controls: ['x'], replicable: { age: 'mine', sex: 'no' } };
  const theirs = { method: 'a', controls: ['x', 'y'], replicable: { age: 'theirs', sex: 'yes' }, expert: 'E' };
  const { merged, both } = mergeAnswers(base, mine, theirs);
  expect(merged).toEqual({ method: 'b', controls: ['x', 'y'], replicable: { age: 'mine', sex: 'yes' }, expert: 'E' });
  expect(both).toEqual(['replicable\u0000age']);
  // Both wrote the same: nothing to ask.
  expect(mergeAnswers(base, mine, mine).both).toEqual([]);
});

test('names of marks cover neither marks nor each other, and stay inside', () => {
  // A dense heap, and some that are alone; where names lie is looked at pair by pair.
  const marks: Mark[] = Array.from({ length: 60 }, (_, i) => ({ x: 20 + ((i * 37) % 11) * 22 + (i % 3) * 4, y: 15 + ((i * 53) % 13) * 17, size: 14, text: `k ${i}` }));
  const [width, height] = [300, 260];
  const sides = placeLabels(marks, width, height);
  const boxes = marks.flatMap((mark, i) => (sides[i] ? [{ i, box: boxOf(mark, sides[i]!) }] : []));
  expect(boxes.length).toBeGreaterThan(5);
  const overlap = (a: { left: number; right: number; top: number; bottom: number }, b: typeof a): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const faults = boxes.filter(
    ({ i, box }) =>
      box.left < 0 || box.right > width || box.top < 0 || box.bottom > height ||
      marks.some((mark, j) => j !== i && overlap(box, { left: mark.x - 7, right: mark.x + 7, top: mark.y - 7, bottom: mark.y + 7 })) ||
      boxes.some((other) => other.i !== i && overlap(box, other.box)),
  );
  expect(faults).toEqual([]);
  expect(placeLabels([{ x: 290, y: 100, size: 14, text: 'k 5' }], width, height)).toEqual(['left']);
  expect([0, 0.031, 0.2, 0.5, 0.07, 1].map(roundEnd)).toEqual([0.01, 0.04, 0.2, 0.5, 0.08, 1]);
});

test('what Safe Harbor makes of a column follows from what it looks like and what it is said to be', () => {
  const found = [
    { column: 'page', identifier: 'web addresses', paragraph: 'N', why: '' },
    { column: 'zip', identifier: 'geographic units smaller than a state', paragraph: 'B', why: '' },
    { column: 'age', identifier: 'ages over 89', paragraph: 'C', why: '' },
    { column: 'born', identifier: 'dates more precise than the year', paragraph: 'C', why: '' },
  ];
  const settings = { roles: { page: 'sensitive', zip: 'quasi-identifier', age: 'quasi-identifier', born: 'identifier', nr: 'identifier' } as const, person: 'nr', allowed: [] as string[] };
  const fates = ['page', 'zip', 'age', 'born', 'nr', 'sex'].map((column) => becomes(column, settings, found));
  expect(fates.map((one) => one.what)).toEqual(['must be left out', 'three digits, 000 where few people live', '90 and over as one class', 'left out', 'a number that says only which rows are one person’s', 'as it is']);
  expect(mustGo(fates)).toEqual(['page']);
  expect(becomes('note', { ...settings, roles: { note: 'insensitive' } }, found, 'free text').what).toBe('must be left out');
  expect(becomes('note', { ...settings, roles: { note: 'quasi-identifier' } }, found, 'free text').what).toBe('as it is');
  expect(becomes('page', { ...settings, allowed: ['page'] }, found).mustGo).toBe(false);
  const profile = { columns: ['PLZ', 'Größe (cm)', 'Bem'].map((name) => ({ name })) } as Parameters<typeof toLeaveOut>[1];
  expect(toLeaveOut('What is none needs --allow. Leave out what names people:\n  --id PLZ,Größe (cm),nobody', profile)).toEqual(['PLZ', 'Größe (cm)']);
  expect(toLeaveOut('Choose another year.', profile)).toEqual([]);
});

test('a page speaks of its fields, whatever option the program names', () => {
  expect(inPageWords('Use another --metric, or --k 3 without --relaxed')).toBe('Use another “metric”, or crowds of 3 without “relaxed”');
  expect(inPageWords('Leave out what names people:\n  --id PLZ,Größe (cm)')).toBe('Leave out what names people:\n  mark PLZ, Größe (cm) as identifiers');
  // Names of columns as the program quotes them.
  expect(inPageWords('Add --l 2@salary-class, or leave it out (--id salary-class)')).toBe('Add at least 2 different values of salary-class in each crowd, or leave it out (mark it as an identifier)');
  expect(inPageWords("Add --l 2@drug_5 --l '2@blood group' --l 2@h-class, or leave them out (--id 'drug_5,blood group,h-class')")).toBe('Add at least 2 different values of drug 5, blood group and h-class in each crowd, or leave them out (mark them as identifiers)');
  expect(inPageWords("leave it out: --id 'native country'")).toBe('leave it out: mark native country as an identifier');
  expect(inPageWords("--allow native-country lets it")).toBe('“release it as it is” at native-country lets it');
  expect(inPageWords('run pratique ledger add x.ledger --head FILE')).toContain('--head');
});
