// What this server can do. Pages appear only for what it lists.
import { api, asProblem, type CatalogueEntry, type Problem, type Status } from './api';

class Catalogue {
  commands = $state.raw<CatalogueEntry[]>([]);
  status = $state.raw<Status | null>(null);
  problem = $state.raw<Problem | null>(null);
  loaded = $state(false);

  async load(): Promise<void> {
    try {
      [this.commands, this.status] = await Promise.all([api.commands(), api.status()]);
      this.problem = null;
      this.loaded = true;
    } catch (error) {
      this.problem = asProblem(error);
    }
  }

  has(noun: string, verb?: string): boolean {
    return this.commands.some((one) => (one.noun || '') === noun && (verb === undefined || one.verb === verb));
  }

  entry(noun: string, verb: string): CatalogueEntry | undefined {
    return this.commands.find((one) => (one.noun || '') === noun && one.verb === verb);
  }

  verbs(noun: string): CatalogueEntry[] {
    return this.commands.filter((one) => one.noun === noun);
  }

  get nouns(): string[] {
    return [...new Set(this.commands.map((one) => one.noun).filter(Boolean))];
  }
}

export const catalogue = new Catalogue();
