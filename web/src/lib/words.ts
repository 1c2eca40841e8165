// Short explanations for somebody who has never heard of these models.
import type { Role } from './study.svelte';

export const roles: { role: Role; name: string; short: string; letter: string; meaning: string }[] = [
  { role: 'identifier', name: 'Identifier', short: 'Names the person', letter: 'i', meaning: 'Says who somebody is by itself, such as a name or a record number. It never leaves.' },
  { role: 'quasi-identifier', name: 'Others may know it', short: 'Others may know it', letter: 'q', meaning: 'Together with others it can single somebody out: date of birth, sex, postcode. It is made coarser.' },
  { role: 'sensitive', name: 'Must stay secret', short: 'Must stay secret', letter: 's', meaning: 'What nobody may learn about a person, such as a diagnosis. It leaves as it is, in groups large enough.' },
  { role: 'insensitive', name: 'Harmless', short: 'Harmless', letter: 'h', meaning: 'Neither known to others nor secret. It leaves as it is.' },
];

export const models = {
  k: {
    name: 'Size of the crowd (k)',
    text: 'Everybody looks the same as at least k − 1 others. Who knows what others may know about a person finds k records, never one.',
  },
  l: {
    name: 'Different secrets in each crowd (l)',
    text: 'A crowd that all share one diagnosis gives it away. With l, each crowd holds at least l different values of every secret column.',
  },
  t: {
    name: 'Secrets spread as in the whole table (t)',
    text: 'How far the secrets of a crowd may differ from those of everybody: 0.1 is strict, 0.5 is loose.',
  },
  suppression: {
    name: 'Records that may be left out',
    text: 'A few people stick out so much that everybody else would have to be blurred for them. Leaving them out keeps the rest useful.',
  },
};

export const methods: Record<string, { name: string; text: string }> = {
  optimal: { name: 'Same detail for all', text: 'One level of detail per column for the whole table, and the best such choice there is. Easy to analyse.' },
  local: { name: 'Detail where there is room', text: 'Each record is only as coarse as it must be; levels come from the hierarchies.' },
  mondrian: { name: 'Cut into groups', text: 'Cuts the people into groups again and again while they stay large enough. Fast, keeps much detail.' },
  'cluster-up': { name: 'Join neighbours', text: 'Joins the most similar people until every group is large enough. Slower, often the least loss.' },
  'cluster-down': { name: 'Part the crowd', text: 'Parts the whole crowd into ever smaller groups of similar people.' },
  microaggregate: { name: 'Show averages', text: 'Groups similar people and shows the average of each number.' },
  'suppress-cells': { name: 'Blank single cells', text: 'Leaves values as they are and blanks the cells that single people out.' },
};

export const methodName = (method: string): string => methods[method]?.name ?? method;

export const metrics: Record<string, string> = {
  lm: 'share of detail lost over all cells (loss metric)',
  ncp: 'how wide the shown ranges are (normalised certainty penalty)',
  dm: 'sum of squared group sizes (discernibility)',
  c_avg: 'groups larger than needed by this factor',
  um: 'entropy lost, as a share',
  are: 'average error of counting queries',
};

export const states: Record<string, { name: string; tone: '' | 'good' | 'bad' | 'warn' | 'sea' }> = {
  queued: { name: 'waiting', tone: '' },
  running: { name: 'running', tone: 'sea' },
  done: { name: 'done', tone: 'good' },
  failed: { name: 'failed', tone: 'bad' },
  cancelled: { name: 'cancelled', tone: 'warn' },
  interrupted: { name: 'interrupted', tone: 'warn' },
};
