// The files of the data folder.
import { isCandidate } from './format';
import { api, asProblem, type Problem, type StoredFile } from './api';

class Files {
  all = $state.raw<StoredFile[]>([]);
  loaded = $state(false);
  problem = $state.raw<Problem | null>(null);

  async load(): Promise<void> {
    try {
      this.all = await api.files();
      this.problem = null;
      this.loaded = true;
    } catch (error) {
      this.problem = asProblem(error);
    }
  }

  /** What was just written. */
  note(file: StoredFile): void {
    this.all = [...this.all.filter((one) => one.path !== file.path), file].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  find(path: string): StoredFile | undefined {
    return this.all.find((file) => file.path === path);
  }

  private readonly paths = $derived(new Set(this.all.map((file) => file.path)));
  private readonly made = $derived(this.all.filter((file) => this.paths.has(`${file.path}.manifest.json`)));
  /** Tables that a manifest lies beside: releases. */
  readonly releases = $derived(this.made.filter((file) => !isCandidate(file.path)));
  /** The same that nobody decided about yet. */
  readonly candidates = $derived(this.made.filter((file) => isCandidate(file.path)));

  isRelease(path: string): boolean {
    return this.find(`${path}.manifest.json`) !== undefined;
  }
}

export const files = new Files();

/** Uploads with progress, which fetch cannot tell. */
export function upload(
  path: string,
  file: File,
  replace: boolean,
  progress: (share: number) => void,
): { done: Promise<void>; cancel: () => void } {
  const request = new XMLHttpRequest();
  const done = new Promise<void>((resolve, reject) => {
    const url = api.download(path) + (replace ? '?replace=1' : '');
    request.open('PUT', url);
    request.setRequestHeader('X-Pratique', '1');
    request.setRequestHeader('Content-Type', 'application/octet-stream');
    request.upload.onprogress = (event) => progress(event.total ? event.loaded / event.total : 0);
    request.onload = () => {
      if (request.status < 300) return resolve();
      let problem: Problem = { title: 'The server refused the file', status: request.status };
      try {
        problem = { ...problem, ...(JSON.parse(request.responseText) as Problem) };
      } catch {
        // The title above says it.
      }
      reject(problem);
    };
    request.onerror = () => reject({ title: 'The server does not answer', status: 0 } satisfies Problem);
    request.onabort = () => reject({ title: 'The upload was stopped', status: 0 } satisfies Problem);
    request.send(file);
  });
  return { done, cancel: () => request.abort() };
}
