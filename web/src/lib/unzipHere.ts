// What the reader of Excel files takes for fflate: it unzips where it is called, and texts alone. fflate's own `unzip`
// starts workers from texts, which the page's policy does not let run.
import { unzipSync, type UnzipCallback } from 'fflate/browser';

export * from 'fflate/browser';
export function unzip(data: Uint8Array, done: UnzipCallback): () => void {
  try {
    done(null, unzipSync(data, { filter: ({ name }) => /\.(xml|rels)$/.test(name) }));
  } catch (error) {
    done(error as Parameters<UnzipCallback>[0], {});
  }
  return () => {};
}
