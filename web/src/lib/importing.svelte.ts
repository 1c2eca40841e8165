// A text file as a table: how it is read, what it looks like then, and the new file that is written of it.
import { api, asProblem, type Problem } from './api';
import { files } from './files.svelte';
import { besides, bytes } from './format';
import { History } from './history.svelte';
import { projectOf, writeProject } from './project';
import { usualSuppression } from './study.svelte';
import { converted, guessDelimiter, parseTable, textHierarchies, twice, writeTable, type TableForm } from './tableText';

const largest = 300e6;
const beginsWith = 200_000;

export class Importing {
  raw = $state.raw<ArrayBuffer | null>(null);
  problem = $state.raw<Problem | null>(null);
  busy = $state(false);
  form = $state<TableForm>({ delimiter: '', encoding: 'utf-8', header: true, missing: '', columns: {}, names: {} });
  readonly history = new History<TableForm>(
    () => this.form,
    (before) => (this.form = before),
    () => this.raw !== null,
  );

  /** `once`: one row for each person, where a link asks for it, by the name of the column. */
  constructor(
    private readonly file: string,
    once: string,
  ) {
    void this.read();
    let linked = once;
    $effect(() => {
      if (!linked || !this.names.includes(linked)) return;
      this.form.once = this.names.indexOf(linked);
      linked = '';
    });
  }

  private async read(): Promise<void> {
    try {
      if ((files.find(this.file)?.bytes ?? 0) > largest) throw new Error(`The file is larger than ${bytes(largest)}, which a page can hold. Convert it with the program that made it.`);
      const raw = await (await fetch(api.download(this.file), { headers: { 'X-Pratique': '1' } })).arrayBuffer();
      const start = new Uint8Array(raw.slice(0, 2));
      if (start[0] === 0xff && start[1] === 0xfe) this.form.encoding = 'utf-16le';
      else if (new TextDecoder().decode(raw.slice(0, 1e6)).includes('\ufffd')) this.form.encoding = 'windows-1252';
      this.raw = raw;
    } catch (error) {
      this.problem = asProblem(error);
    }
  }

  private readonly beginning = $derived.by(() => (this.raw ? new TextDecoder(this.form.encoding).decode(this.raw.slice(0, beginsWith)) : ''));
  readonly delimiter = $derived.by(() => this.form.delimiter || guessDelimiter(this.beginning));
  private get names(): string[] {
    return this.form.header ? (parseTable(this.beginning.split('\n', 1)[0] ?? '', this.delimiter)[0] ?? []) : [];
  }
  readonly preview = $derived.by(() => converted(parseTable(this.beginning.slice(0, Math.max(0, this.beginning.lastIndexOf('\n')) || undefined), this.delimiter), this.form, true));
  /** Names of columns that are there twice. */
  readonly double = $derived.by(() => twice(this.preview.header.filter((_, i) => this.preview.columns[i]!.form !== 'drop')));
  /** A name that no file has. */
  readonly target = $derived.by(() => {
    for (let i = 1; ; ++i) {
      const name = besides(this.file, `-${this.form.once === undefined ? 'read' : 'first'}${i > 1 ? i : ''}.csv`);
      if (!files.find(name)) return name;
    }
  });

  /** The new file; empty where it could not be written. */
  async write(): Promise<string> {
    if (!this.raw) return '';
    this.busy = true;
    this.problem = null;
    try {
      const table = converted(parseTable(new TextDecoder(this.form.encoding).decode(this.raw), this.delimiter), this.form);
      const made = this.target;
      await api.put(made, writeTable(table));
      // What is text is remembered where the decisions about the table are.
      const hierarchy = textHierarchies(table);
      if (hierarchy.length) await api.put(projectOf(made), writeProject(made, { hierarchy, suppression: usualSuppression }));
      await files.load();
      return made;
    } catch (error) {
      this.problem = asProblem(error);
      return '';
    } finally {
      this.busy = false;
    }
  }
}
