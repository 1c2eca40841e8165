// The adversary of the risk page, on the table as it was and on what leaves.
import { api, type OptionValue } from './api';
import { files } from './files.svelte';
import { Run } from './jobs.svelte';
import { kindOf, wasTried, type LinkageAttack, type Manifest } from './results';
import { storedSettings, toOptions, type Settings } from './study.svelte';

export class RepeatedAttack {
  private settings = $state.raw<Settings | null>(null);
  /** The table whose settings were read, if there are any. */
  private settingsOf = $state.raw<string | null>(null);
  shared = $state.raw<string[]>([]);
  private registerRead = $state('');
  readonly before: Run<LinkageAttack>;
  readonly after: Run<LinkageAttack>;

  constructor(
    private readonly release: string,
    private readonly manifest: () => Manifest | null,
  ) {
    $effect(() => {
      const source = this.source;
      if (!manifest() || !files.loaded) return;
      void (source ? storedSettings(source) : Promise.resolve(null)).then((stored) => {
        this.settings = stored;
        this.settingsOf = source;
      });
    });
    $effect(() => {
      const qi = manifest()?.parameters.quasi_identifiers ?? [];
      const asked = this.register;
      const on = this.settings?.on ?? [];
      if (!asked) return;
      void api
        .rows(asked, 0, 1)
        .then((page) => {
          const both = qi.filter((name) => page.columns.includes(name));
          const chosen = on.filter((name) => both.includes(name));
          this.shared = chosen.length ? chosen : both;
        })
        .finally(() => (this.registerRead = asked));
    });
    const attackOn = (input: () => string, more: () => Record<string, OptionValue>): Run<LinkageAttack> =>
      new Run<LinkageAttack>(
        () => (this.possible ? { noun: 'tables', verb: 'attack', inputs: [input()], options: { register: this.register, on: this.shared, sensitive: this.secret, ...more() } } : null),
        () => true,
      );
    this.before = attackOn(() => this.source, () => this.whose);
    this.after = attackOn(() => this.release, () => ({ hierarchy: this.hierarchies }));
  }

  get source(): string {
    return this.manifest()?.inputs[0]?.path ?? '';
  }
  /** The list that was chosen for the table, if it is still there. */
  get register(): string {
    return this.settings && files.find(this.settings.register) ? this.settings.register : '';
  }
  get populationSize(): number {
    return this.settings?.populationSize ?? 0;
  }
  /** Whether the list was read, if there is one, and met the table. */
  get ready(): boolean {
    if (this.settingsOf !== this.source || this.register !== this.registerRead) return false;
    return !this.possible || this.before.settled;
  }
  /** Whose the rows of the table are, as was decided there; of the release its manifest says it. */
  private get whose(): Record<string, OptionValue> {
    const { person, 'rows-are-people': rows } = this.settings ? toOptions(this.settings) : {};
    return { ...(person && { person }), ...(rows && { 'rows-are-people': rows }) };
  }
  get secret(): string[] {
    return this.manifest()?.parameters.sensitive?.slice(0, 1) ?? [];
  }
  get possible(): boolean {
    const manifest = this.manifest();
    return manifest !== null && kindOf(manifest) === 'tables' && this.register !== '' && this.shared.length > 0 && files.find(this.source) !== undefined;
  }
  /** The list met the table. */
  get tried(): boolean {
    return this.possible && this.before.result !== null && wasTried(this.before.result);
  }
  private get hierarchies(): string[] {
    return Object.entries(this.manifest()?.parameters.hierarchies ?? {})
      .filter(([column, spec]) => this.shared.includes(column) && spec !== 'flat')
      .map(([column, spec]) => `${column}=${spec}`);
  }
}
