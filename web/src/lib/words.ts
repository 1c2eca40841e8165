// Short explanations for somebody who has never heard of these models.
import type { Role } from './study.svelte';

export const roles: { role: Role; name: string; short: string; letter: string; meaning: string }[] = [
  { role: 'identifier', name: 'Identifier', short: 'Names the person', letter: 'i', meaning: 'Says who somebody is by itself, such as a name or a record number. It is never released.' },
  { role: 'quasi-identifier', name: 'Others may know it', short: 'Others may know it', letter: 'q', meaning: 'Can single somebody out in combination: date of birth, sex, postcode. It is made coarser.' },
  { role: 'sensitive', name: 'Must stay secret', short: 'Must stay secret', letter: 's', meaning: 'What nobody may learn about a person, such as a diagnosis. It is released unchanged, in groups that are large enough.' },
  { role: 'insensitive', name: 'Harmless', short: 'Harmless', letter: 'h', meaning: 'Neither known to others nor secret. It is released unchanged.' },
];

export const models = {
  k: {
    name: 'Size of the crowd (k)',
    text: 'Everybody looks the same as at least k − 1 others. Anyone who knows what others may know finds k records, never one.',
  },
  l: {
    name: 'Different secrets in each crowd (l)',
    text: 'A crowd that shares one diagnosis gives it away. With l, each crowd has at least l different values of every secret column.',
  },
  t: {
    name: 'Secrets spread as in the whole table (t)',
    text: 'How far the secrets of a crowd may differ from everybody’s: 0.1 is strict, 0.5 is loose.',
  },
  suppression: {
    name: 'Records that may be left out',
    text: 'A few people stand out so much that everybody else would be blurred for their sake. Leaving them out keeps the rest useful.',
  },
};

/** The smallest crowd with which tables commonly leave, under contract. */
export const usualCrowd = 5;

export const methods: Record<string, { name: string; text: string }> = {
  optimal: { name: 'Same detail for all', text: 'The best single level of detail per column for the whole table. Easy to analyse.' },
  local: { name: 'Detail where there is room', text: 'Makes each record only as coarse as it must be, using levels of the hierarchies.' },
  mondrian: { name: 'Cut into groups', text: 'Keeps cutting people into groups while they stay large enough. Fast, and keeps a lot of detail.' },
  'cluster-up': { name: 'Join neighbours', text: 'Joins the most similar people until every group is large enough. Slower, but often loses least.' },
  'cluster-down': { name: 'Split the crowd', text: 'Splits the whole crowd into ever smaller groups of similar people.' },
  microaggregate: { name: 'Show averages', text: 'Groups similar people and shows the average of each number.' },
  again: { name: 'Next version', text: 'Uses the detail of an earlier release again, so that nobody learns from the difference who joined or left.' },
  anatomy: { name: 'Two tables', text: 'Leaves everything that others may know as it is, and puts the secrets into a table of their own, joined by groups. It hides nobody: only whose secret is whose.' },
  diffgen: { name: 'Noisy counts of groups', text: 'Shows coarse groups with noise in every count, paid from a privacy budget: nobody can tell whether somebody is in the data.' },
  'suppress-cells': { name: 'Blank single cells', text: 'Leaves values as they are and blanks the cells that single people out.' },
};

/** Names of options that say little by themselves. */
export const optionNames: Record<string, string> = {
  qi: 'columns that others may know (qi)',
  id: 'columns never released (id)',
  sensitive: 'secret columns (sensitive)',
  k: 'size of the crowd (k)',
  out: 'write to (out)',
  key: 'joined by (key)',
  auxiliary: 'facts about people (auxiliary)',
  tp: 'least error to keep (tp)',
  tu: 'least usefulness to keep (tu)',
};

export const methodName = (method: string): string => methods[method]?.name ?? method;

export const metrics: Record<string, string> = {
  lm: 'share of detail lost over all cells (loss metric)',
  ncp: 'how wide the shown ranges are (normalised certainty penalty)',
  dm: 'sum of squared group sizes (discernibility)',
  c_avg: 'how many times larger than necessary the groups are',
  um: 'how wide the cells of a crowd are, every crowd counting the same (utility measure)',
  are: 'average error of counting queries',
};

const states: Record<string, { name: string; tone: '' | 'good' | 'bad' | 'warn' | 'sea' }> = {
  queued: { name: 'waiting', tone: '' },
  running: { name: 'running', tone: 'sea' },
  done: { name: 'done', tone: 'good' },
  failed: { name: 'failed', tone: 'bad' },
  cancelled: { name: 'cancelled', tone: 'warn' },
  interrupted: { name: 'interrupted', tone: 'warn' },
};
/** A command that ended with 1 did its work, and the answer is no. */
export const stateOf = (job: { state: string; exit?: number | null }): { name: string; tone: string } =>
  job.state === 'done' && job.exit === 1 ? { name: 'done: no', tone: 'bad' } : (states[job.state] ?? { name: job.state, tone: '' });

/** What a command does, for somebody who does not know its name. */
const tasks: Record<string, string> = {
  'generate consortium': 'Make the sample world',
  'generate census': 'Make a census table',
  'tables profile': 'Look at the columns',
  'tables assess': 'Measure the risk',
  'tables attack': 'Look people up in a table',
  'tables protect': 'Make a release',
  'tables explore': 'Draw the map of risk and detail',
  'tables explain': 'Explain a release',
  'tables rows': 'Show rows',
  'tables distributions': 'Count the values of columns',
  'tables hierarchy': 'Build the tree of a column',
  'hierarchy draft': 'Write the tree of a column as a file',
  'tables reconstruct': 'Estimate the original of a randomised column',
  'codes assess': 'Measure the risk of codes',
  'codes attack': 'Look patients up by their codes',
  'codes protect': 'Make a release of codes',
  'codes explore': 'Draw the map of risk and codes kept',
  'trails simulate': 'Make random worlds',
  'trails attack': 'Find out whose sample it is',
  'trails protect': 'Protect trails',
  'trails verify': 'Verify trails',
  'trails resolve': 'Find records of the same person',
  'fusion compose': 'Attack releases together',
  'fusion web': 'Estimate with facts from the web',
  'fusion rules': 'Draft rules from data',
  'fusion fred': 'Make a release that resists web facts',
  'ledger init': 'Start a ledger',
  'ledger add': 'Add a release to the ledger',
  'ledger list': 'Read the ledger',
  'ledger verify': 'Check the ledger',
  'tables plan': 'Work out what the map costs',
  verify: 'Verify a release',
  keep: 'Make a candidate a release',
  report: 'Write the report',
};
export function taskName(job: { noun: string; verb: string }): string {
  const name = [job.noun, job.verb].filter(Boolean).join(' ');
  return tasks[name] ?? name;
}

/** Claims of a release in plain words, with the model's own name beside. */
export const claims: Record<string, string> = {
  'k-anonymity': 'Nobody stands alone: the smallest crowd',
  'k-map': 'Everybody looks like enough others in the population',
  'distinct-l-diversity': 'Different secrets in every crowd',
  'entropy-l-diversity': 'Secrets evenly spread in every crowd',
  'recursive-l-diversity': 'No secret dominates a crowd',
  't-closeness': 'Secrets spread as in the whole table',
  anatomy: 'No secret has more than its share of a group; nobody is hidden',
  'value-risk': 'No crowd shows a value more often than it may',
  'safe-versions': 'The difference from earlier releases isolates nobody',
  'safe-harbor': 'No column name or cell has a known shape of the 18 identifiers',
  'km-anonymity': 'Known codes fit enough patients, or none',
  'k-unlinkability': 'Every sample may belong to enough people',
  'sequence-anonymity': 'Every sequence occurs often enough',
  'snp-bins': 'Every sequence of SNPs occurs often enough',
  'masked-loci': 'The chosen places are hidden',
  'rounded-frequencies': 'Frequencies are rounded',
  'association-statistics': 'Statistics follow from rounded frequencies',
  'noisy-frequencies': 'Frequencies have noise',
  'masked-genotypes': 'Calls at chosen places are hidden',
};

/** Words of the pages: told on the help page, and where they stand (parts/Word.svelte). */
export const terms: { id: string; name: string; text: string }[] = [
  { id: 'crowd', name: 'Crowd', text: 'People who look alike by what others may know. Also called an equivalence class. Whoever looks for one of them finds all, and cannot tell which.' },
  { id: 'unique', name: 'Unique', text: 'Alone in the table: nobody else has the same values in these columns.' },
  { id: 'candidate', name: 'Candidate', text: 'A point of the map, made as a file to be looked at. It is no release and goes by itself after a while.' },
  { id: 'release', name: 'Release', text: 'A candidate that somebody gave a name. It is never replaced, and what the ledger records is never deleted from a page.' },
  { id: 'ledger', name: 'Ledger', text: 'A signed record of all releases that can only grow. Each new release is first attacked together with the earlier ones of the same people.' },
  { id: 'hierarchy', name: 'Hierarchy', text: 'How a value becomes coarser, step by step: 02138, 0213*, 021**, and so on to *, which reveals nothing.' },
  { id: 'recoding', name: 'Recoding', text: 'With “labels” a cell shows a label of its hierarchy; with “free” it may show any range or set, which keeps more detail and is harder to read.' },
  { id: 'ring', name: 'A ring on the map', text: 'No other setting is both safer and more useful than this one (Pareto).' },
  { id: 'register', name: 'The adversary’s list', text: 'A list of people by name that somebody may have, such as a voter register. It is compared with the table by the columns that both have.' },
  { id: 'not-tried', name: 'Not tried', text: 'The attack had nothing to compare, because the list and the table have no value in common. That nobody was found says nothing then.' },
  { id: 'population', name: 'Population', text: 'All the people whom a record could be of. Somebody who is unique in the table may have doubles there. Where only their number is known, how many are unique among all is estimated from the sizes of the crowds.' },
  { id: 'detail', name: 'Detail kept', text: '100 % where every cell is as it was, 0 % where nothing is shown. A column that counts more, by your wish, weighs more in it.' },
  { id: 'project', name: 'Project', text: 'Your decisions about a table, in a file beside it that ends in .project.yaml. Whoever opens the folder sees them; on the command line, --config takes them.' },
];
