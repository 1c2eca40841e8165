// The settings of a table together with its profile, which suggests where nobody decided.
import { untrack } from 'svelte';
import type { OptionValue } from './api';
import { Run } from './jobs.svelte';
import { Study, type Profile } from './study.svelte';

export class Profiled extends Study {
  readonly profiling: Run<Profile>;
  /** The first rows say most of it at once; the whole file follows and refines it. */
  readonly glancing: Run<Profile>;

  constructor(file: string, path = '', extra: () => Record<string, string | number | undefined> = () => ({}), glances = false) {
    super(file, path, extra);
    const of = (options: Record<string, OptionValue>): Run<Profile> => new Run<Profile>(() => ({ noun: 'tables', verb: 'profile', inputs: [file], options }), () => true);
    this.glancing = glances ? of({ first: 2000 }) : new Run<Profile>(() => null);
    this.profiling = of({});
    $effect(() => {
      const found = this.profile;
      if (found) untrack(() => void this.suggest(found));
    });
  }

  get profile(): Profile | null {
    return this.profiling.result ?? this.glancing.result;
  }

  /** As if nobody had decided anything about the columns. */
  reset(): void {
    Object.assign(this.settings, { allowed: [], person: null, roles: {}, hierarchies: {} });
    if (this.profile) void this.suggest(this.profile);
  }
}
