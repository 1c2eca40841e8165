// The HTTP API of `pratique serve`: the command line as jobs, files, pages of rows.

export interface Problem {
  title: string;
  status: number;
  detail?: string;
  hint?: string;
  /** What a program needs of it, beside the words. */
  facts?: { missing?: number[]; unclear?: number[] };
  place?: { file?: string; line?: number; column?: number } | string;
}

export class ApiError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.title);
  }
}

export type OptionKind = 'flag' | 'text' | 'number' | 'list' | 'pairs' | 'file' | 'folder' | 'out' | 'key' | 'file_pairs';
export interface CommandOption {
  name: string;
  kind: OptionKind;
  /** Finer than its kind: whole_number, share, column, seed. */
  type?: string;
  /** The heading it is shown under. */
  group?: string;
  description: string;
  required?: boolean;
  default?: string | number | boolean | null;
  /** In words, what holds without it, where no value says it. */
  otherwise?: string;
  repeat?: boolean;
  /** A list is joined by commas, else the option is repeated. */
  commas?: boolean;
  choices?: string[];
  /** Words that may stand for a file. */
  instead?: string[];
  /** Of numbers; an open range leaves its ends out. */
  low?: number;
  high?: number;
  open?: boolean;
  /** VALUE@COLUMN is for one column alone. */
  per_column?: boolean;
}
export interface CommandInput {
  name: string;
  kind: OptionKind;
  description: string;
  required?: boolean;
  repeat?: boolean;
}
export interface CatalogueEntry {
  noun: string;
  verb: string;
  description: string;
  inputs: CommandInput[];
  options: CommandOption[];
  quick?: boolean;
}

export type OptionValue = string | number | boolean | (string | number)[];
/** What to run: `pratique NOUN VERB inputs options`. */
export interface Invocation {
  noun: string;
  verb: string;
  inputs?: string[];
  options?: Record<string, OptionValue | null>;
  /** Of what it reads: when this changes, the command is run anew although its words are the same. */
  version?: string;
}

export type JobState = 'queued' | 'running' | 'done' | 'failed' | 'cancelled' | 'interrupted';
export interface Progress {
  step: string;
  done: number;
  total: number;
  seconds_left?: number | null;
}
export interface Job {
  id: string;
  noun: string;
  verb: string;
  command: string;
  arguments: string[];
  /** What was posted; null of jobs from before it was kept. */
  request: { inputs: string[]; options: Record<string, OptionValue | null> } | null;
  state: JobState;
  exit?: number | null;
  /** Of the program that ran it. */
  version?: string;
  created: string;
  started?: string | null;
  ended?: string | null;
  progress?: Progress | null;
  points?: unknown[]; // of a map, as they are found
  result?: unknown;
  problem?: Problem | null;
}
export interface RiskUtilityPoint {
  method: string;
  k: number;
  risk_mean: number;
  risk_max: number;
  utility: number;
  suppressed: number;
  pareto: boolean;
  seconds: number;
  sensitive_disclosed?: number;
  believed?: number;
  unique?: number;
  metrics?: Record<string, unknown>;
}

export type FileKind = 'table' | 'codes' | 'manifest' | 'report' | 'ledger' | 'hierarchy' | 'config' | 'other';
export interface StoredFile {
  path: string;
  bytes: number;
  modified: string;
  kind: FileKind;
  /** Where it is recorded: it is neither replaced nor deleted. */
  ledger?: { path: string; entry: number };
}
export interface Rows {
  columns: string[];
  rows: string[][];
  offset: number;
  total: number | null;
}
export interface Bin {
  label: string;
  low?: number;
  high?: number;
  count: number;
  /** All values that are not frequent enough for a bin of their own. */
  other?: boolean;
}
export interface ColumnDistribution {
  name: string;
  kind: 'number' | 'category';
  missing: number;
  distinct: number;
  bins: Bin[];
  /** Bins are ranges of dates. */
  dates?: boolean;
}
export interface Distributions {
  rows: number;
  columns: ColumnDistribution[];
}
export interface Status {
  version: string;
  data: string;
  limits: { upload: number; jobs: number };
  loopback: boolean;
}

const base = '/api/v1';

async function problemOf(response: Response): Promise<Problem> {
  try {
    const body = (await response.json()) as Partial<Problem>;
    return { ...body, title: body.title ?? response.statusText, status: response.status };
  } catch {
    return { title: response.statusText || 'The server refused', status: response.status };
  }
}

async function request(path: string, init: RequestInit = {}): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(base + path, {
      ...init,
      credentials: 'same-origin',
      headers: { 'X-Pratique': '1', ...init.headers },
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError({
      title: 'The server does not answer',
      status: 0,
      hint: 'Is pratique serve still running? Start it again; finished work is not lost.',
    });
  }
  if (!response.ok) throw new ApiError(await problemOf(response));
  return response;
}

async function json<T>(path: string, init?: RequestInit): Promise<T> {
  return (await (await request(path, init)).json()) as T;
}

/** A path inside the data folder as part of a URL: slashes stay. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

export const api = {
  status: () => json<Status>('/status'),
  commands: () => json<CatalogueEntry[]>('/commands'),
  login: (token: string) =>
    request('/session', {
      method: 'POST',
      body: JSON.stringify({ token }),
      headers: { 'Content-Type': 'application/json' },
    }),
  run: (what: Invocation) =>
    json<Job>('/' + `${what.noun} ${what.verb}`.trim().split(' ').map(encodeURIComponent).join('/'), {
      method: 'POST',
      body: JSON.stringify({ inputs: what.inputs ?? [], options: what.options ?? {} }),
      headers: { 'Content-Type': 'application/json' },
    }),
  jobs: () => json<Job[]>('/jobs'),
  job: (id: string) => json<Job>('/jobs/' + encodeURIComponent(id)),
  endJob: (id: string) => request('/jobs/' + encodeURIComponent(id), { method: 'DELETE' }),
  jobEvents: (id: string) => `${base}/jobs/${encodeURIComponent(id)}/events`,
  files: () => json<StoredFile[]>('/files'),
  text: async (path: string) => (await request('/files/' + encodePath(path))).text(),
  /** With the tag of what was read: another whenever somebody wrote it again. */
  read: async (path: string) => {
    const response = await request('/files/' + encodePath(path));
    return { text: await response.text(), tag: response.headers.get('ETag') ?? '' };
  },
  /** Over the very file that was read, or where there was none (no tag). Refused otherwise: 412, 409. */
  putOver: async (path: string, body: BodyInit, tag: string) => {
    const headers = { 'Content-Type': 'application/octet-stream', ...(tag && { 'If-Match': tag }) };
    return (await request(`/files/${encodePath(path)}${tag ? '?replace=1' : ''}`, { method: 'PUT', body, headers })).headers.get('ETag') ?? '';
  },
  put: (path: string, body: BodyInit, replace = false) =>
    request(`/files/${encodePath(path)}${replace ? '?replace=1' : ''}`, {
      method: 'PUT',
      body,
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
  /** Deleted, until it is put back or forgotten. */
  setAside: async (path: string) => (await json<{ undo: string }>('/set-aside/' + encodePath(path), { method: 'POST' })).undo,
  putBack: (id: string) => request('/put-back/' + id, { method: 'POST' }),
  forget: (id: string) => request('/put-back/' + id, { method: 'DELETE', keepalive: true }),
  download: (path: string) => `${base}/files/${encodePath(path)}`,
  inline: (path: string) => `${base}/files/${encodePath(path)}?inline=1`,
  rows: (path: string, offset: number, limit: number, signal?: AbortSignal) =>
    json<Rows>(`/rows/${encodePath(path)}?offset=${offset}&limit=${limit}`, signal ? { signal } : {}),
  distributions: (path: string, columns: string[], top = 20) =>
    json<Distributions>(
      `/distributions/${encodePath(path)}?columns=${columns.map(encodeURIComponent).join(',')}&top=${top}`,
    ),
};

export function asProblem(error: unknown): Problem {
  if (error instanceof ApiError) return error.problem;
  return { title: error instanceof Error ? error.message : 'Something went wrong', status: 0 };
}
