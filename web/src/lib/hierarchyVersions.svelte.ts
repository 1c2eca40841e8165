// The hierarchies of a column: what the program makes of it, and one's own. A saved one belongs to the table, is a
// version that stays, and can be edited again.
import { api, asProblem, type Bin, type Problem } from './api';
import { files } from './files.svelte';
import { count } from './format';
import { nextVersion, parseHierarchy, writeHierarchy, type Lines } from './hierarchy';
import { resultOf } from './jobs.svelte';
import type { Study } from './study.svelte';

/** More are not grouped by hand. */
const mostValues = 20_000;

export class HierarchyVersions {
  problem = $state.raw<Problem | null>(null);
  /** What was done last, in words. */
  said = $state('');
  /** The file behind it, to mend. */
  written = $state.raw<Lines>([]);
  /** What is edited, with the labels that every value has now. */
  draft = $state.raw<{ found: Lines; bins: Bin[] } | null>(null);

  constructor(
    private readonly study: Study,
    private readonly column: string,
    /** As the address has it, where nobody decided. */
    private readonly asked: string,
  ) {
    if (!files.loaded) void files.load();
    $effect(() => {
      this.written = [];
      if (!this.isFile) return;
      let gone = false;
      void api.text(this.spec).then(
        (text) => !gone && (this.written = parseHierarchy(text)),
        (error: unknown) => (this.problem = asProblem(error)),
      );
      return () => {
        gone = true;
      };
    });
  }

  get spec(): string {
    return this.study.settings.hierarchies[this.column] ?? this.asked;
  }
  set spec(spec: string) {
    this.study.settings.hierarchies[this.column] = spec;
  }
  get isFile(): boolean {
    return files.find(this.spec) !== undefined;
  }
  get option(): { hierarchy?: string[] } {
    return this.spec ? { hierarchy: [`${this.column}=${this.spec}`] } : {};
  }

  /** As the next version: none is ever written over. */
  async save(lines: Lines, message: (path: string) => string): Promise<boolean> {
    this.problem = null;
    try {
      await files.load();
      const path = nextVersion(files.all.map((one) => one.path), this.study.file, this.column);
      await api.put(path, writeHierarchy(lines));
      await files.load();
      this.spec = path;
      this.said = message(path);
      return true;
    } catch (error) {
      this.problem = asProblem(error);
      return false;
    }
  }

  async edit(): Promise<void> {
    this.problem = null;
    const { file } = this.study;
    try {
      const out = `hierarchies/${file}/${this.column.replaceAll('/', '_')}.draft.csv`;
      await resultOf({ noun: 'hierarchy', verb: 'draft', inputs: [file, this.column], options: { ...this.option, out, force: true } }, true);
      const found = parseHierarchy(await api.text(out));
      void api.setAside(out).then(api.forget, () => {});
      if (found.length > mostValues) {
        this.problem = { title: `The column has ${count(found.length)} values, too many to group by hand`, status: 422, hint: 'Choose ranges or another kind above, or import a file that was made elsewhere.' };
        return;
      }
      this.draft = { found, bins: (await api.distributions(file, [this.column], 200)).columns[0]?.bins ?? [] };
    } catch (error) {
      this.problem = asProblem(error);
    }
  }
  async saveDraft(lines: Lines): Promise<void> {
    if (await this.save(lines, (path) => `Saved as ${path}.`)) this.draft = null;
  }

  async take(chosen: File): Promise<void> {
    const found = parseHierarchy(await chosen.text());
    const width = found[0]?.length ?? 0;
    if (width < 2 || found.some((line) => line.length !== width || line.at(-1) !== found[0]!.at(-1))) {
      this.problem = { title: `${chosen.name} is not a hierarchy`, status: 415, hint: 'It needs a line for each value: the value, its groups from narrow to wide, and * at the end, separated by semicolons or commas.' };
      return;
    }
    await this.save(found.map((line) => [...line.slice(0, -1), '*']), (path) => `${chosen.name} imported as ${path}.`);
  }
}
