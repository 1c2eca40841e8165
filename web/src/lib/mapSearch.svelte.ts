// The map of a table as it is drawn: what it tries, what it will cost, and what is left of that.
import type { Invocation } from './api';
import type { AsItIs } from './asItIs.svelte';
import { asMap } from './candidates';
import { catalogue } from './catalogue.svelte';
import { secondsLeft, settled, type Plan } from './cost';
import { duration, listed } from './format';
import { Run } from './jobs.svelte';
import { faultyOptions } from './otherOptions';
import type { Profiled } from './profiled.svelte';
import type { TableMapResult } from './results';

const searching = ['optimal', 'local', 'best'];

export class MapSearch {
  private readonly search = $derived.by<Invocation | null>(() => {
    const { settings } = this.study;
    if (!this.study.known || this.table.impossible || faultyOptions(settings).length || !settings.methods.length || !settings.ks.length) return null;
    // What is done at once is drawn at once.
    const methods = [...settings.methods].sort((a, b) => Number(searching.includes(a)) - Number(searching.includes(b)));
    return { noun: 'tables', verb: 'explore', inputs: [this.study.file], options: { ...this.study.shared, ks: settings.ks, methods } };
  });
  readonly run = new Run<TableMapResult>(() => (this.search ? asMap(this.search) : null));
  /** Worked out from samples of the table, unless the map is drawn already. */
  readonly plan = new Run<Plan>(
    () => (this.search && this.study.profile && catalogue.has('tables', 'plan') ? { ...this.search, verb: 'plan' } : null),
    () => !this.run.result && !this.run.active,
  );
  readonly points = $derived.by(() => this.run.result?.points ?? settled(this.run.points));
  private lastPoint = $state(Date.now());
  readonly left = $derived.by(() => {
    void this.run.progress; // told every moment
    if (!this.plan.result || !this.points.length) return null;
    return secondsLeft(this.plan.result, this.study.settings.ks, this.points, (Date.now() - this.lastPoint) / 1000);
  });

  constructor(
    private readonly study: Profiled,
    private readonly table: AsItIs,
  ) {
    $effect(() => {
      void this.points.length;
      this.lastPoint = Date.now();
    });
  }

  get expected(): number {
    return this.study.settings.ks.length * this.study.settings.methods.length;
  }
  /** Searches end by themselves: what the map costs at most is known before it is drawn. */
  get limit(): number {
    return Number(this.study.settings.more['time-limit']) || 60;
  }
  get atMost(): number {
    const { methods, ks } = this.study.settings;
    return methods.filter((method) => searching.includes(method)).length * ks.length * this.limit;
  }

  /** A smaller search. */
  private get quickSizes(): number[] {
    const { ks } = this.study.settings;
    const usual = ks.filter((k) => [5, 11].includes(k));
    return usual.length ? usual : ks.slice(0, 2);
  }
  get quickerWords(): string {
    return `crowds of ${listed(this.quickSizes.map(String))}, ${duration(10)} for each search`;
  }
  makeQuicker(): void {
    this.study.settings.ks = this.quickSizes;
    this.study.settings.more['time-limit'] = '10';
  }
}
