// What stays red wherever a release or its settings are shown: it is no fault of the method, and no model forbids it.
import { count, listed, listedShort, plural, words } from './format';

export interface RedFacts {
  /** Columns that leave as they are although they look like identifiers. */
  allowed?: string[];
  /** People alone by columns that no model holds. */
  singledOut?: number;
  singledOutBy?: string[];
  /** People whose secret is certain, or nearly so. */
  certain?: number;
  believed?: number;
  /** Of how many, and what they are: rows, or people who may have several. */
  of?: number;
  unit?: 'record' | 'person';
  /** Settings of a map with which somebody's secret is certain, or nearly so, and how many there are. */
  settings?: { certain: number; all: number };
}

export function reds(facts: RedFacts): string[] {
  const { allowed = [], singledOut = 0, singledOutBy = [], certain = 0, believed = 0, of, unit = 'record', settings } = facts;
  const many = unit === 'person' ? 'people' : 'records';
  const people = (n: number): string => (of ? `${count(n)} of ${plural(of, unit, many)}` : plural(n, unit, many));
  return [
    ...(allowed.length ? [`${listed(allowed.map(words))} may name people and ${allowed.length === 1 ? 'leaves' : 'leave'} as ${allowed.length === 1 ? 'it is' : 'they are'}, because somebody said so.`] : []),
    ...(singledOut > 0
      ? [`${people(singledOut)} ${singledOut === 1 ? 'is' : 'are'} alone by ${singledOutBy.length ? `${listedShort(singledOutBy.map(words))}, which no model holds` : 'columns that no model holds'}: whoever knows them finds the person.`]
      : []),
    ...(certain > 0 ? [`The secret of ${people(certain)} is certain: everybody in their crowd has the same.`] : believed > 0 ? [`The secret of ${people(believed)} is nearly certain: nine in ten of their crowd have the same.`] : []),
    ...(settings?.certain ? [`With ${settings.certain === settings.all ? (settings.all === 1 ? 'the setting tried' : `all ${settings.all} settings`) : `${settings.certain} of ${settings.all} settings`}, the secret of some is certain, or nearly so: everybody in their crowd has the same. Those are red on the map.`] : []),
  ];
}
