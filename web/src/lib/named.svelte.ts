// A list that keeps its names, facts about these people, and how an adversary joins them. Kept in the address, so that
// a reload, a link and the pages beside find the same.
import type { Invocation } from './api';
import { files } from './files.svelte';
import { besides, isMadeHere, nameOf } from './format';
import { Run } from './jobs.svelte';
import { link, router } from './router.svelte';
import type { ColumnProfile, Profile } from './study.svelte';

const parts = ['list', 'facts', 'key', 'facts-key', 'target', 'rules'] as const;
type Part = (typeof parts)[number];
/** Instead of a file of rules: they are drafted first. */
export const drafted = 'draft';

/** What of the address stays when another way of joining is looked at. */
export const namedQuery = (): Record<string, string> => Object.fromEntries(parts.map((part) => [part, router.param(part)]));

export class NamedList {
  readonly tables = $derived(files.all.filter((file) => file.kind === 'table' && !isMadeHere(file.path)).map((file) => file.path));
  readonly list = $derived(router.param('list') || (this.tables.find((path) => nameOf(path) === 'insurer.csv') ?? ''));
  readonly facts = $derived(router.param('facts') || (this.tables.find((path) => nameOf(path) === 'web_facts.csv') ?? ''));

  readonly profile = new Run<Profile>(
    () => (this.list ? { noun: 'tables', verb: 'profile', inputs: [this.list] } : null),
    () => true,
  );
  readonly factsProfile = new Run<Profile>(
    () => (this.facts && this.facts !== this.list ? { noun: 'tables', verb: 'profile', inputs: [this.facts] } : null),
    () => true,
  );
  readonly columns = $derived(this.profile.result?.columns ?? []);
  readonly names = $derived(this.columns.map((column) => column.name));
  readonly numbers = $derived(this.columns.filter(isNumber).map((column) => column.name));
  readonly factsNames = $derived((this.factsProfile.result?.columns ?? []).map((column) => column.name));

  private readonly both = $derived(this.names.filter((name) => this.factsNames.includes(name)));
  readonly key = $derived(chosen('key', this.names, this.both.find(isName) ?? this.both[0] ?? this.names.find(isName) ?? this.names[0]));
  readonly factsKey = $derived(chosen('facts-key', this.factsNames, this.factsNames.includes(this.key) ? this.key : (this.factsNames.find(isName) ?? this.factsNames[0])));
  readonly target = $derived(chosen('target', this.numbers, this.numbers.find((name) => /income|salary|wage/i.test(name)) ?? this.numbers.at(-1)));
  readonly ready = $derived(Boolean(this.list && this.facts && this.list !== this.facts && this.key && this.factsKey && this.target));

  readonly draft = $derived(this.target ? besides(this.list, `-${this.target}.fcl`) : '');
  readonly ruleFiles = $derived(files.all.map((file) => file.path).filter((path) => /\.fcl$/i.test(path)));
  /** A file that somebody may have edited is never drafted over unasked. */
  readonly asked = $derived(chosen('rules', [drafted, ...this.ruleFiles], this.ruleFiles.includes(this.draft) ? this.draft : drafted));
  readonly rules = $derived(this.asked === drafted ? this.draft : this.asked);

  /** How both files name people, as options. */
  readonly joined = $derived({ auxiliary: this.facts, key: this.key, ...(this.factsKey !== this.key && { 'auxiliary-key': this.factsKey }) });
  /** What an estimate can be made from: codes of records say nothing of people, but a number that nobody shares may. */
  readonly usable = $derived(
    [...new Set([...this.columns, ...(this.factsProfile.result?.columns ?? [])].filter((column) => isNumber(column) || column.suggested_role !== 'identifier').map((column) => column.name))].filter(
      (name) => ![this.target, this.key, this.factsKey].includes(name),
    ),
  );
  /** Fitted to the list: an adversary who has less does worse. */
  readonly drafting = $derived<Invocation | null>(this.ready ? { noun: 'fusion', verb: 'rules', options: { from: this.list, ...this.joined, target: this.target, inputs: this.usable, tune: true, out: this.draft } } : null);

  constructor() {
    if (!files.loaded) void files.load();
  }

  choose(part: Part, value: string): void {
    // What belongs to another list goes with it.
    const kept = part === 'list' ? { facts: this.facts } : part === 'facts' ? { list: this.list, target: router.param('target') } : namedQuery();
    router.go(link('/fusion', { verb: router.param('verb'), ...kept, [part]: value }), { replace: true, keepFocus: true });
  }
}

const isNumber = (column: ColumnProfile): boolean => column.type === 'integer' || column.type === 'decimal';
const isName = (column: string): boolean => /name/i.test(column);
function chosen(part: Part, from: string[], otherwise: string | undefined): string {
  const asked = router.param(part);
  return from.includes(asked) ? asked : (otherwise ?? '');
}
