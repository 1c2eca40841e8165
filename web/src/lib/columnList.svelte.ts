// The columns of a table as a list to work through: found, filtered, sorted, and chosen to be set together.
import { words } from './format';
import type { Profiled } from './profiled.svelte';
import type { ColumnProfile, Role } from './study.svelte';

/** From so many columns on, they are looked for. */
const many = 12;

export class ColumnList {
  sought = $state('');
  only = $state<Role | ''>('');
  byLikelihood = $state(false);
  chosen = $state<string[]>([]);
  constructor(private readonly study: Profiled) {}

  get all(): ColumnProfile[] {
    return this.study.profile?.columns ?? [];
  }
  get isLong(): boolean {
    return this.all.length > many;
  }
  roleOf(column: ColumnProfile): Role {
    return this.study.settings.roles[column.name] ?? column.suggested_role;
  }
  /** How likely others know it: by its name and kind first, then by how it singles people out with few others. */
  private readonly likelihood = $derived.by(() => {
    const score = new Map<string, number>();
    for (const set of this.study.profile?.quasi_identifiers ?? []) for (const name of set.columns) score.set(name, Math.max(score.get(name) ?? 0, set.unique_share / set.columns.length ** 2));
    for (const column of this.all) if (column.suggested_role === 'quasi-identifier' && !column.by_search) score.set(column.name, 1 + (score.get(column.name) ?? 0));
    return score;
  });
  likely(column: ColumnProfile): number {
    return this.likelihood.get(column.name) ?? 0;
  }
  readonly shown = $derived.by(() => {
    const wanted = this.sought.trim().toLowerCase();
    const found = this.all.filter((column) => (!wanted || words(column.name).toLowerCase().includes(wanted) || column.name.toLowerCase().includes(wanted)) && (!this.only || this.roleOf(column) === this.only));
    return this.byLikelihood ? [...found].sort((a, b) => this.likely(b) - this.likely(a)) : found;
  });
  /** Those that others may know, the most likely first. */
  get known(): ColumnProfile[] {
    return this.all.filter((column) => this.roleOf(column) === 'quasi-identifier').sort((a, b) => this.likely(b) - this.likely(a));
  }
  get tooManyKnown(): boolean {
    return this.known.length > many;
  }
  /** They name people, and some in several rows. */
  get repeating(): ColumnProfile[] {
    return this.all.filter((column) => column.several_rows_each && this.roleOf(column) === 'identifier');
  }
  set(names: string[], role: Role): void {
    for (const name of names) this.study.settings.roles[name] = role;
    this.chosen = [];
  }
  flip(name: string): void {
    this.chosen = this.chosen.includes(name) ? this.chosen.filter((one) => one !== name) : [...this.chosen, name];
  }
}
