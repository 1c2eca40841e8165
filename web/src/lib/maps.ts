// The map on which a release lies: drawn of the same table with the same settings, or none.
import { api } from './api';
import { files } from './files.svelte';
import { mapsOf, nameOf } from './format';
import { kindOf, optionOf, type Manifest } from './results';

interface MapFile {
  points?: { method: string; k: number; risk_mean?: number }[];
  settings?: Record<string, unknown>;
}
/** What a point has of its own, or what it does not depend on; the program has the same list. */
const noSettings = ['FILE', 'out', 'config', 'k', 'm', 'method', 'force', 'time-limit', 'seconds', 'private'];
const sameSettings = (map: Record<string, unknown>, release: Record<string, unknown>): boolean =>
  Object.entries(map).every(([name, value]) => noSettings.includes(name) || !(name in release) || (name === 'hierarchy' && release[name] === null) || JSON.stringify(value) === JSON.stringify(release[name]));

export async function mapOf(manifest: Manifest): Promise<string> {
  const noun = kindOf(manifest);
  const source = manifest.inputs[0]?.path ?? '';
  const after = manifest.results?.['after'] as { linkage_risk_mean?: number } | undefined;
  const told = { method: optionOf(manifest, 'method'), k: Number(optionOf(manifest, 'k')) };
  const maps = files.all.filter((one) => one.path.startsWith(`${mapsOf(source, noun)}/`) && nameOf(one.path) === 'ru-map.json').sort((a, b) => (a.modified < b.modified ? 1 : -1));
  for (const one of source ? maps : []) {
    const { points, settings } = JSON.parse(await api.text(one.path)) as MapFile;
    const here = points?.some((point) => point.method === told.method && point.k === told.k && (noun !== 'tables' || Math.abs((point.risk_mean ?? -1) - (after?.linkage_risk_mean ?? -2)) < 1e-9));
    if (here && settings && sameSettings(settings, manifest.options ?? {})) return one.path;
  }
  return '';
}
