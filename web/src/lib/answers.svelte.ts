// A form in a file of the data folder that several people may fill in at once, in any tab or browser. It is written only
// over the very file that was read; where somebody else was faster, theirs is read, and field by field what only one
// side changed is taken. What both changed stays as it is in the file and as it was typed here until somebody decides.
import { api, ApiError, asProblem, type Problem } from './api';
import { answersOf, between, fieldsOf, merge, same, type Answer, type Answers } from './answersMerge';
import { files } from './files.svelte';

export type { Answer } from './answersMerge';

/** What both changed since they read the same, each in another way. */
export interface Difference {
  field: string;
  label: string;
  theirs: string;
}

export class SharedAnswers {
  answers = $state<Answers>({});
  loaded = $state(false);
  /** It is there. */
  saved = $state(false);
  /** Written by hand, in a way that is not read here: it is used as it is, and left alone. */
  byHand = $state(false);
  problem = $state.raw<Problem | null>(null);
  differences = $state.raw<Difference[]>([]);
  private base: Answers = {};
  private tag = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private queue: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {
    void this.next(() => this.load());
    $effect(() => {
      const look = (): void => void this.next(() => this.refresh());
      addEventListener('focus', look);
      return () => removeEventListener('focus', look);
    });
  }

  text(key: string): string {
    const value = this.answers[key];
    return typeof value === 'string' ? value : '';
  }
  map(key: string): Record<string, string> {
    const value = this.answers[key];
    return value && typeof value === 'object' && !Array.isArray(value) ? value : {};
  }
  list(key: string): string[] {
    const value = this.answers[key];
    return Array.isArray(value) ? value : [];
  }

  set(key: string, value: Answer): void {
    this.answers[key] = value;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.next(() => this.save()), 400);
  }

  /** Of what both changed: mine goes into the file, or theirs into the form. */
  decide(field: string, mine: boolean): void {
    const { base } = this;
    this.differences = this.differences.filter((one) => one.field !== field);
    if (!mine) this.answers = answersOf(new Map([...fieldsOf($state.snapshot(this.answers)), [field, fieldsOf(base).get(field) ?? '']]));
    void this.next(() => this.save());
  }

  /** One after the other: a file is not written while it is read. */
  private next(step: () => Promise<void>): Promise<void> {
    this.queue = this.queue.then(step).catch((error: unknown) => {
      this.problem = asProblem(error);
    });
    return this.queue;
  }

  private async load(): Promise<void> {
    await files.load();
    if (files.find(this.path)) await this.refresh();
    this.loaded = true;
  }

  /** Takes what others wrote meanwhile. */
  private async refresh(): Promise<void> {
    if (this.byHand) return;
    let found: { text: string; tag: string };
    try {
      found = await api.read(this.path);
    } catch (error) {
      if (error instanceof ApiError && error.problem.status === 404) return void (this.tag = '');
      throw error;
    }
    if (found.tag === this.tag) return;
    let theirs: Answers;
    try {
      theirs = JSON.parse(found.text) as Answers;
    } catch {
      this.byHand = this.saved = true;
      return;
    }
    const { merged, both } = merge(this.base, $state.snapshot(this.answers) as Answers, theirs);
    const label = (field: string): string => field.split(between).join(': ');
    const undecided = this.differences.map((one) => one.field);
    const there = fieldsOf(theirs);
    this.differences = [...new Set([...undecided, ...both])].map((field) => ({ field, label: label(field), theirs: [there.get(field) ?? ''].flat().join('\n') }));
    this.answers = merged;
    this.base = theirs;
    this.tag = found.tag;
    this.saved = true;
  }

  private async save(): Promise<void> {
    // What nobody decided about yet stays as it is there.
    const base = fieldsOf(this.base);
    const fields = fieldsOf($state.snapshot(this.answers) as Answers);
    for (const { field } of this.differences) fields.set(field, base.get(field) ?? '');
    const written = answersOf(fields);
    if (this.tag && same(written, this.base)) return;
    try {
      this.tag = await api.putOver(this.path, JSON.stringify(written, null, 1), this.tag);
      this.base = written;
      this.saved = true;
      this.problem = null;
    } catch (error) {
      const status = error instanceof ApiError ? error.problem.status : 0;
      if (status !== 412 && status !== 409) throw error;
      const before = this.tag;
      await this.refresh();
      if (this.tag === before) throw error; // It is not that somebody was faster.
      if (!this.byHand) await this.save();
    }
  }
}
