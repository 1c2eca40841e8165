// What commands on diagnosis codes answer, and the ways to protect them in words.

export interface CodesAssessment {
  patients: number;
  codes: number;
  mean_codes: number;
  unique_all: number;
  unique_m: Record<string, number>;
  violations_m: Record<string, number>;
  curves: { known: string; support: number; share_up_to: number }[];
  k: number;
}
interface Found {
  targets: number;
  matched_under_k: number;
  reidentified: number;
}
export interface CodesProtection {
  model: string;
  method: string;
  patients_in: number;
  patients_out: number;
  metrics: Record<string, number>;
  before: { m_codes_known: Found; all_codes_known: Found; whole_set_known?: Found & { named: number } };
  after: { m_codes_known: Found; all_codes_known: Found; whole_set_known?: Found & { named: number } };
  dropped: string[];
  unchanged: string[];
  left_out?: { column: string; why: string }[];
  warnings?: string[];
  verified: boolean;
  out: string;
  seed?: number;
}
export interface CodesSetting {
  method: string;
  k: number;
  m?: number;
}
export interface CodesPoint extends CodesSetting {
  risk: number;
  utility: number;
  pareto: boolean;
}

export const codeMethods = [
  { value: 'local', name: 'Coarser codes where needed', text: 'A patient’s code becomes its category or chapter only where it must.' },
  { value: 'apriori', name: 'Coarser codes everywhere', text: 'A code that must become coarser does so for all patients. Easy to analyse, loses more.' },
  { value: 'suppress', name: 'Leave out rare codes', text: 'Codes stay exact; the rare ones are removed.' },
  { value: 'partition', name: 'Same codes for the whole crowd', text: 'At least k patients share every released set of codes: safe even from somebody who knows all of them. Loses most.' },
  { value: 'disassociation', name: 'Take records apart', text: 'Every code stays exact, but which codes belonged together does not.' },
];
