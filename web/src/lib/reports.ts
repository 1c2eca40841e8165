// The reports of a release: which there are, what each says about itself, and which may be written again.
import { api } from './api';
import { files } from './files.svelte';
import { reportOf } from './format';

/** Somebody signed it: nothing replaces it. */
export const isSigned = (report: string): boolean => files.find(`${report}.signature.json`) !== undefined;

/** Those of a release, the newest first: people.report.html, people-2.report.html. */
export function reportsOf(release: string, ending: 'html' | 'pdf' = 'html'): string[] {
  const stem = reportOf(release).replace(/\.report\.html$/, '');
  return files.all
    .filter((one) => one.path.startsWith(stem) && new RegExp(`^(-\\d+)?\\.report\\.${ending}$`).test(one.path.slice(stem.length)))
    .sort((a, b) => (a.modified < b.modified ? 1 : -1))
    .map((one) => one.path);
}

/** Where the next goes: over the last, unless that is signed or its hash is in a ledger. */
export function nextReport(release: string, ending: 'html' | 'pdf' = 'html'): string {
  const recorded = files.find(release)?.ledger !== undefined;
  for (let i = 1; ; ++i) {
    const name = reportOf(release).replace(/\.report\.html$/, `${i > 1 ? `-${i}` : ''}.report.${ending}`);
    if (!files.find(name) || (!recorded && !isSigned(name))) return name;
  }
}

/** Where the one goes that leaves with the release: without figures of the original. */
export const reportToHandOut = (release: string): string => reportOf(release).replace(/\.report\.html$/, '.public.html');

/** What a report tells programs; null where it is none of this program's. */
export interface ReportFacts {
  recipient?: string;
  purpose?: string;
  approved_by?: string;
  standing: string;
  determination?: { draft: boolean; standing: string };
}
export async function factsOf(report: string): Promise<ReportFacts | null> {
  const block = /<script type="application\/json" id="pratique-report">(.*?)<\/script>/s.exec(await api.text(report))?.[1];
  return block ? (JSON.parse(block) as ReportFacts) : null;
}
