// Files of DNA, and what attacks on it found.
import type { CommandOption, OptionValue } from './api';
import { count, percent, plural } from './format';

/** Sequences, or genotypes of which only shares leave. */
export const isSequences = (path: string): boolean => /\.(fasta|fa|fna|fas)(\.gz)?$/i.test(path);
export const isGenotypes = (path: string): boolean => /\.(vcf|vcf\.gz|bcf|bed)$/i.test(path);
export const isGenome = (path: string): boolean => isSequences(path) || isGenotypes(path);

export interface GenomeProtection {
  method: string;
  sequences?: number;
  groups?: number;
  out: string;
  before: Record<string, number>;
  after: Record<string, number>;
  within_tolerance?: boolean;
  note?: string;
  loss?: { bits?: number; per_sequence?: number };
  seed?: number;
}

export const genomeMethods: { value: string; name: string; text: string; asks: string[]; takes: (path: string) => boolean }[] = [
  { value: 'dnala', name: 'Equal among k', text: 'Every sequence stands there at least k times: letters that differ within a group become one that stands for all.', asks: ['k'], takes: isSequences },
  { value: 'binning', name: 'SNPs in bins', text: 'Only what varies leaves, as purines and pyrimidines, so that several people have the same.', asks: ['within', 'across'], takes: isSequences },
  { value: 'mask', name: 'Places hidden', text: 'Hides the places you name, and others that tell them. It makes nobody equal to anybody.', asks: ['loci', 'tolerance'], takes: isGenome },
  { value: 'frequencies', name: 'Shares of alleles', text: 'Nobody’s genotype leaves: how common each allele is does, rounded or, for a privacy budget, with noise.', asks: ['step', 'snps', 'fewest', 'carriers', 'trait', 'ledger', 'epsilon', 'sites'], takes: isGenotypes },
];

/** Options that say themselves which method they are of ("binning: …"), of every method but this. */
export const ofOtherMethods = (options: CommandOption[], method: string): string[] =>
  options.filter((option) => genomeMethods.some((one) => one.value !== method && option.description.startsWith(`${one.value}: `))).map((option) => option.name);
/** What a method makes of a file, by the ending of its name. */
export const endingOf = (method: string, path: string): string => (isSequences(path) ? 'fasta' : method === 'mask' ? 'vcf' : 'csv');

interface Figure {
  name: string;
  show: (value: number) => string;
  good: (value: number) => boolean | null;
}
/** Figures that methods tell before and after, in words. */
export const genomeFigures: Record<string, Figure> = {
  unique: { name: 'people whose sequence fits one entry only', show: count, good: (n) => n === 0 },
  fewest_candidates: { name: 'fewest entries that fit somebody', show: count, good: (n) => n > 1 },
  mean_candidates: { name: 'entries that fit somebody, on average', show: (n) => n.toFixed(1), good: () => null },
  accuracy: { name: 'hidden letters that are guessed right', show: percent, good: () => null },
  baseline: { name: 'the same by the commonest letter alone', show: percent, good: () => null },
  gain: { name: 'what is guessed better than by the commonest letter', show: percent, good: (n) => n <= 0 },
  power: { name: 'members who are found, one in twenty others wrongly', show: percent, good: (n) => n <= 0.05 + 1e-9 },
};

/** `genomes susceptibility`: which share of people each attack names, by the system that protects them. */
export interface Susceptibility {
  attacks: string[];
  systems: string[];
  cells: Record<string, Record<string, number>>;
  any: Record<string, number>;
  differs: { attack: string; system: string; printed: boolean; measured: number; why: string }[];
}
export const attackNames: Record<string, string> = { FAMILY: 'shapes of families', TRAIL: 'trails across hospitals', GENPHEN: 'diseases that genes cause', DICTIONARY: 'pseudonyms computed again' };
export const systemNames: Record<string, string> = {
  TRUST: 'TRUST: pedigrees under keyed pseudonyms of a third party',
  SEMITRUST: 'SEMITRUST: samples of each hospital under pseudonyms, nothing about people',
  DENOM: 'DENOM: random numbers, with codes that tell who is related',
  DEID: 'DEID: random numbers, with sex, decade of birth and part of the postcode',
};

type Found = Record<string, OptionValue | Record<string, number> | null>;
/** The attacks: which options stand first, where not all that must be given do, and in a sentence what each found. */
export const genomeAttacks: { verb: string; first?: string[]; name: string; text: string; found: (result: Found) => string }[] = [
  { verb: 'attack membership', first: ['pool', 'reference', 'targets', 'statistic'], name: 'Is this person in the study?', text: 'Whoever has somebody’s genotypes can tell by published shares of alleles whether that person is among the cases.', found: (one) => `Of the people in the study, ${percent((one['power'] as Record<string, number> | undefined)?.['0.05'] ?? 0)} are recognised, while 5 % of others are taken for members.` },
  { verb: 'attack dictionary', first: ['pseudonyms', 'column', 'register', 'on', 'every'], name: 'Whose pseudonym is this?', text: 'Pseudonyms that were computed from names or numbers are turned back by computing those of everybody in a register.', found: (one) => `${count(Number(one['broken']))} of ${plural(Number(one['of']), 'pseudonym')} are turned back, with ${count(Number(one['tries']))} tries.` },
  { verb: 'attack family', name: 'Whose family is this?', text: 'A family tree without names has a shape, and few families have the same.', found: (one) => (one['reidentified'] !== undefined ? `${count(Number(one['reidentified']))} of ${plural(Number(one['structures']), 'family', 'families')} have the shape of exactly one in the register.` : `${count(Number(one['unique']))} of ${plural(Number(one['structures']), 'family', 'families')} have a shape that no other has.`) },
  { verb: 'attack phenotype', name: 'Whose disease is this?', text: 'A gene that causes a disease tells a diagnosis, and diagnoses stand beside names.', found: (one) => `${count(Number(one['reidentified']))} of ${plural(Number(one['samples']), 'sample')} can be one person’s only; ${count(Number(one['reidentified_before'] ?? 0))} without what genes tell.` },
  { verb: 'attack all', first: ['dna', 'clinical', 'pedigrees', 'register'], name: 'Diseases, trails and families together', text: 'Each in turn, without those whom the others named, until nobody new is found.', found: (one) => `${count(Number(one['reidentified']))} of ${plural(Number(one['samples']), 'sample')} are named.` },
];
