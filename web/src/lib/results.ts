// The JSON objects of the command line that screens read.
import type { RiskUtilityPoint } from './api';

export interface ClassSizes {
  from: number;
  to: number;
  classes: number;
  rows: number;
}
export interface Assessment {
  rows: number;
  suppressed: number;
  classes: number;
  k: number;
  unique: number;
  class_sizes?: ClassSizes[];
  risk: { prosecutor_max: number; prosecutor_mean: number; journalist_max: number; marketer: number };
  k_map?: number;
  population_unmatched?: number;
  /** People who are alone here, and in the population. */
  population_unique?: number;
  /** The same by estimate, where only the size of the population is known. */
  population_uniques?: { people: number; sampling_fraction: number; unique_in_sample: number; pitman: number; snb: number; zayatz: number };
  l_distinct?: number;
  t?: number;
  /** Secrets of which somebody has several values: no model can hold them. */
  several_values?: string[];
  sensitive?: { column: string; l_distinct: number; l_entropy: number; t: number; alpha: number }[];
}

export interface LinkageAttack {
  targets: number;
  release_rows: number;
  release_rows_matched: number;
  suppressed: number;
  linked: number;
  linked_share: number;
  linked_uniquely: number;
  linked_uniquely_share: number;
  sensitive_disclosed?: number;
  sensitive_disclosed_share?: number;
  /** What the program notes about these figures. */
  note?: string;
}
/** With nothing in common an attack finds nobody, and says nothing: it was not tried. */
export const wasTried = (attack: LinkageAttack): boolean => attack.release_rows_matched > 0;

export interface Exposure {
  records: number;
  classes: number;
  k: number;
  linkage_risk_max: number;
  linkage_risk_mean: number;
  unique: number;
  unique_share: number;
  sensitive_disclosed?: number;
  sensitive_disclosed_share?: number;
  believed?: number;
  singled_out?: number;
  singled_out_by?: string[];
}
export interface TableProtection {
  method: string;
  rows_in: number;
  rows_out: number;
  /** Where a column says whose the rows are. */
  people_in?: number;
  people_out?: number;
  /** Secrets that were not attacked: somebody has several values of them. */
  not_measured?: string[];
  suppressed: number;
  classes: number;
  metrics: Record<string, number | Record<string, number>>;
  before: Exposure;
  after: Exposure;
  unchanged: string[];
  warnings?: string[];
  note?: string;
  models: Record<string, { required: number; achieved: number }>;
  /** Under Safe Harbor: which columns it changed, and cells that were left empty, by column. */
  safe_harbor?: { as_of: number; years_alone?: string[]; ages_to_89?: string[]; zips_to_three_digits?: string[]; left_out?: string[]; cells_emptied?: Record<string, number> };
  out: string;
  seed: number;
  seconds: number;
}

export interface Verification {
  release: string;
  holds: boolean;
  hash_matches: boolean;
  rows: number;
  rows_match: boolean;
  /** What the manifest does not tell whoever receives the release. */
  steward_only?: { sensitive_disclosed?: number; believed?: number; not_measured?: string[] };
  claims: { model: string; attribute?: string; required?: number; achieved?: number; holds: boolean; explanation: string }[];
}

export interface Manifest {
  tool: string;
  version: string;
  created: string;
  /** Manifests of versions before 0.2 have none: kindOf. */
  kind?: string;
  command: string[];
  seed?: number;
  /** What was read; the private manifest has its hash and size. */
  inputs: { path: string; commitment?: string; sha256?: string; role?: string }[];
  output: { path: string; sha256: string; bytes: number; rows?: number };
  parameters: {
    quasi_identifiers?: string[];
    sensitive?: string[];
    identifiers?: string[];
    hierarchies?: Record<string, string>;
    [key: string]: unknown;
  };
  claims: Record<string, unknown>[];
  options?: Record<string, unknown>;
  results?: Record<string, unknown>;
}

/** An option that the release was made with; the first of several. */
export const optionOf = (manifest: Manifest, option: string): string => String([manifest.options?.[option] ?? ''].flat()[0] ?? '');
/** Which kind of data a release is of. */
export const kindOf = (manifest: Manifest): string => manifest.kind ?? manifest.command[0] ?? '';

export interface LedgerList {
  ledger: string;
  size: number;
  /** Hashes are shortened to sixteen digits. */
  entries: { entry: number; time: string; kind: string; rows: number; k?: number | null; k_across?: number | null; breach?: number | null; not_attacked: number; population: string; other_people?: number[]; sha256: string }[];
}
export interface LedgerAddition {
  release: string;
  earlier: number[];
  others: number;
  missing?: number[];
  sequence: {
    attacked: boolean;
    why_not?: string;
    not_attacked?: { release: string; why: string }[];
    people?: number;
    attributes?: { sensitive: string; releases: number; disclosed_alone: number; disclosed: number; vulnerable: number; values_left: number }[];
    /** Attacked together, this one included. */
    releases?: number;
    /** The share of people whom the difference from an earlier release isolates. */
    differenced?: number;
    under_k?: number;
    k_alone?: number;
    k_across?: number;
    promised_k?: number | null;
    /** The share of people who are alone by columns that leave as they are. */
    singled_out?: number;
    singled_out_by?: string[];
  };
  /** Why it is refused, and what helps. */
  why_not?: string;
  breach: number;
  max_breach: number;
  added: boolean;
  /** Of a trial: nothing was recorded. */
  would_add?: boolean;
  entry?: number;
}

/** What `tables explore` answers, points apart that are told as they come. */
export interface TableMapResult {
  points: RiskUtilityPoint[];
  failed?: { method: string; k: number; why: string }[];
  singled_out?: number;
  singled_out_by?: string[];
  warnings?: string[];
}

/** What `ledger verify` answers. */
export interface LedgerCheck {
  holds: boolean;
  fault?: string;
  note?: string;
  size: number;
}
