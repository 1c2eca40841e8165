// The manifests of the releases in the data folder: what each was made from, and how.
import { untrack } from 'svelte';
import { api } from './api';
import { files } from './files.svelte';
import type { Manifest } from './results';

class Manifests {
  all = $state.raw(new Map<string, Manifest>());
  loaded = $state(false);
  private versions = new Map<string, string>();

  /** In an effect: follows the list of files. */
  follow(): void {
    void files.all;
    untrack(() => void this.load());
  }

  /** Reads what is new or was written again. */
  private async load(): Promise<void> {
    const found = new Map<string, Manifest>();
    await Promise.all(
      files.releases.map(async (release) => {
        const path = `${release.path}.manifest.json`;
        const version = files.find(path)?.modified ?? '';
        const known = this.all.get(release.path);
        if (known && this.versions.get(release.path) === version) return void found.set(release.path, known);
        try {
          found.set(release.path, JSON.parse(await api.text(path)) as Manifest);
          this.versions.set(release.path, version);
        } catch {
          // A manifest that cannot be read is none; the release's own page says why.
        }
      }),
    );
    // In the order of the list of files, whichever came first.
    this.all = new Map(files.releases.flatMap((one) => (found.has(one.path) ? [[one.path, found.get(one.path)!] as const] : [])));
    this.loaded = true;
  }
}

export const manifests = new Manifests();
