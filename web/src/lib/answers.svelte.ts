// A form in a file of the data folder that several people may fill in at once, in any tab or browser. It is written only
// over the very file that was read; where somebody else was faster, theirs is read, and field by field what only one
// side changed is taken. What both changed stays as it is in the file and as it was typed here until somebody decides.
import { api, ApiError, asProblem, type Problem } from './api';
import { answersOf, between, fieldsOf, merge, same, type Answer, type Answers, type Fields } from './answersMerge';
import { files } from './files.svelte';
import { Typing, undoByKeys, type Undoable } from './history.svelte';

export type { Answer } from './answersMerge';

/** What both changed since they read the same, each in another way. */
export interface Difference {
  field: string;
  label: string;
  theirs: string;
}

/** Fields as they were before an edit and after it: what others wrote meanwhile is no part of it. */
interface Edit {
  field: string;
  before: string | string[];
  after: string | string[];
}

export class SharedAnswers implements Undoable {
  answers = $state<Answers>({});
  loaded = $state(false);
  /** It is there. */
  saved = $state(false);
  /** Written by hand, in a way that is not read here: it is used as it is, and left alone. */
  byHand = $state(false);
  problem = $state.raw<Problem | null>(null);
  differences = $state.raw<Difference[]>([]);
  private past = $state.raw<Edit[][]>([]);
  private future = $state.raw<Edit[][]>([]);
  private readonly typing = new Typing();
  said = $state('');
  private base: Answers = {};
  private tag = '';
  private timer: ReturnType<typeof setTimeout> | undefined;
  private queue: Promise<void> = Promise.resolve();

  constructor(readonly path: string) {
    void this.next(() => this.load());
    undoByKeys(this);
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
    const before = this.fields();
    this.answers[key] = value;
    const after = this.fields();
    const edits = [...new Set([...before.keys(), ...after.keys()])]
      .map((field) => ({ field, before: before.get(field) ?? '', after: after.get(field) ?? '' }))
      .filter((edit) => !same(edit.before, edit.after));
    const last = this.past.at(-1);
    if (this.typing.goesOn() && last && edits.every((edit, i) => edit.field === last[i]?.field))
      this.past = [...this.past.slice(0, -1), last.map((edit, i) => ({ ...edit, after: edits[i]?.after ?? edit.after }))];
    else if (edits.length) this.past = [...this.past.slice(-199), edits];
    this.future = [];
    this.saveSoon();
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }
  undo(): void {
    const edits = this.past.at(-1);
    if (!edits) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, edits];
    this.become(edits.map(({ field, before, after }) => ({ field, before: after, after: before })), 'Undone');
  }
  redo(): void {
    const edits = this.future.at(-1);
    if (!edits) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, edits];
    this.become(edits, 'Done again');
  }
  /** What somebody else wrote into a field since stays. */
  private become(edits: Edit[], said: string): void {
    this.typing.end();
    const fields = this.fields();
    const open = edits.filter((edit) => same(fields.get(edit.field), edit.before));
    this.answers = answersOf(new Map([...fields, ...open.map((edit) => [edit.field, edit.after] as const)]));
    this.said = open.length ? said : 'Somebody else changed it since.';
    this.saveSoon();
  }
  private fields(): Fields {
    return fieldsOf($state.snapshot(this.answers) as Answers);
  }
  private saveSoon(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.next(() => this.save()), 400);
  }

  /** Of what both changed: mine goes into the file, or theirs into the form. */
  decide(field: string, mine: boolean): void {
    const { base } = this;
    this.differences = this.differences.filter((one) => one.field !== field);
    if (!mine) this.answers = answersOf(new Map([...this.fields(), [field, fieldsOf(base).get(field) ?? '']]));
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
    const fields = this.fields();
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
