// What HIPAA's Safe Harbor makes of a column, as far as its name and values tell before anything is done.
import type { Profile, Settings } from './study.svelte';

export interface Fate {
  column: string;
  what: string;
  /** Which of the eighteen it looks like, and why; empty where none. */
  identifier: string;
  why: string;
  /** No release under Safe Harbor has it. */
  mustGo: boolean;
}

/** `mayName`: why it leaves as it is only if somebody says so, whatever the route. */
export function becomes(column: string, settings: Pick<Settings, 'roles' | 'person' | 'allowed'>, found: Profile['safe_harbor'], mayName = ''): Fate {
  const like = found.find((one) => one.column === column);
  const told = { column, identifier: like?.identifier ?? '', why: like?.why ?? '', mustGo: false };
  if (settings.person === column) return { ...told, what: 'a number that says only which rows are one person’s' };
  if (settings.roles[column] === 'identifier') return { ...told, what: 'left out' };
  const asItIs = ['sensitive', 'insensitive'].includes(settings.roles[column] ?? '') && !settings.allowed.includes(column);
  if (!like && mayName && asItIs) return { ...told, identifier: 'may name people', why: mayName, what: 'must be left out', mustGo: true };
  if (!like) return { ...told, what: 'as it is' };
  if (like.paragraph === 'B') return { ...told, what: 'three digits, 000 where few people live' };
  if (like.paragraph === 'C') return { ...told, what: like.identifier.startsWith('ages') ? '90 and over as one class' : 'the year' };
  if (settings.allowed.includes(column)) return { ...told, what: 'as it is, because you said so' };
  return { ...told, what: 'must be left out', mustGo: true };
}
export const mustGo = (fates: Fate[]): string[] => fates.filter((one) => one.mustGo).map((one) => one.column);

/** Columns that the program says to leave out, in the last line of a hint: `--id PLZ,Aufnahme`. */
export function toLeaveOut(hint: string, profile: Profile | null): string[] {
  const names = /--id (.+)$/.exec(hint.trim())?.[1]?.split(',').map((name) => name.trim()) ?? [];
  return names.filter((name) => profile?.columns.some((column) => column.name === name));
}
