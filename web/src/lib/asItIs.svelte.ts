// The table before anything is done to it: what it gives away without being asked, and what no release of it can hold,
// so that both are said before anything is tried.
import { listedShort, plural, sentence, words } from './format';
import { Run } from './jobs.svelte';
import type { Assessment } from './results';
import type { Profile, Study } from './study.svelte';

export class AsItIs {
  private readonly assess: Run<Assessment>;
  private readonly free: Run<Assessment>;

  constructor(
    private readonly study: Study,
    private readonly profile: () => Profile | null,
  ) {
    this.assess = this.counted(() => this.qi, () => ({ sensitive: this.sensitive }));
    // Columns that leave as they are, whatever the models: who is alone by them is alone in every release.
    this.free = this.counted(() => this.leaving);
  }
  private counted(columns: () => string[], more: () => Record<string, string[]> = () => ({})): Run<Assessment> {
    return new Run<Assessment>(
      () => (this.study.known && columns().length ? { noun: 'tables', verb: 'assess', inputs: [this.study.file], options: { ...this.study.personOptions, qi: columns(), ...more() } } : null),
      () => true,
    );
  }

  get qi(): string[] {
    return this.study.columns('quasi-identifier');
  }
  get sensitive(): string[] {
    return this.study.columns('sensitive');
  }
  get leaving(): string[] {
    return this.study.columns('insensitive');
  }
  get rows(): number | undefined {
    return this.free.result?.rows ?? this.assess.result?.rows;
  }
  /** Who is alone by what leaves as it is; undefined until it is counted. */
  get singledOut(): number | undefined {
    return this.free.result?.unique;
  }

  /** The secret with the fewest values. */
  readonly poorest = $derived.by(() => {
    const secrets = (this.profile()?.columns ?? []).filter((column) => this.sensitive.includes(column.name));
    return secrets.map((column) => ({ name: column.name, values: column.distinct + (column.missing > 0 ? 1 : 0) })).sort((a, b) => a.values - b.values)[0];
  });
  /** Of people with several rows, a secret of every visit is held by no model. */
  readonly several = $derived.by(() => this.assess.result?.several_values ?? []);
  /** Secrets of which some crowd has one value only. */
  readonly given = $derived.by(() => (this.assess.result?.sensitive ?? []).filter((one) => one.l_distinct === 1 && !this.several.includes(one.column)).map((one) => words(one.column)));
  readonly proposesL = $derived.by(() => this.given.length > 0 && !this.several.length && this.study.settings.l < 2 && !this.study.settings.more['l'] && (this.poorest?.values ?? 0) > 1);

  /** Why what is asked for cannot be had; empty where it may be. */
  readonly impossible = $derived.by(() => {
    const { l, t } = this.study.settings;
    const { poorest, several } = this;
    if (poorest && l > poorest.values)
      return `${sentence(words(poorest.name))} has only ${plural(poorest.values, 'different value')}, so no crowd can have ${l}. ${poorest.values > 1 ? `Choose ${poorest.values} or fewer.` : 'Turn this off, or mark another column as secret.'}`;
    if (several.length && (l > 1 || t > 0))
      return `Somebody has several values of ${listedShort(several.map(words))}: no crowd can be held to different secrets, or to their spread. Turn both off, mark ${several.length === 1 ? 'it' : 'them'} otherwise, or keep one row of each person.`;
    return '';
  });
}
