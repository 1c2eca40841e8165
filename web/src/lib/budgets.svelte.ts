// The privacy budgets of the data folder: ledgers that begin with one.
import { api } from './api';
import { files } from './files.svelte';
import { nameOf } from './format';

export interface Budget {
  path: string;
  /** The table it is for, as far as it lies in the data folder. */
  data: string;
}

/** What the ledger's second line says; null where it is no budget. */
export function budgetIn(path: string, text: string): Budget | null {
  try {
    const { kind, body } = (JSON.parse(text.split('\n')[1] ?? '') as { entry: { kind: string; body: { data: string } } }).entry;
    if (kind !== 'dp-budget') return null;
    const data = files.all.filter((file) => body.data === file.path || body.data.endsWith(`/${file.path}`)).sort((a, b) => b.path.length - a.path.length)[0];
    return { path, data: data?.path ?? nameOf(body.data) };
  } catch {
    return null;
  }
}

export class Budgets {
  all = $state.raw<Budget[]>([]);
  loaded = $state(false);

  constructor() {
    $effect(() => {
      if (!files.loaded) return;
      const ledgers = files.all.filter((file) => file.kind === 'ledger').map((file) => file.path);
      let gone = false;
      void Promise.all(ledgers.map(async (path) => budgetIn(path, await api.text(path).catch(() => '')))).then((found) => {
        if (gone) return;
        this.all = found.filter((one): one is Budget => one !== null);
        this.loaded = true;
      });
      return () => {
        gone = true;
      };
    });
  }
}
