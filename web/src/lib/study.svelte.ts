// What the steward decided about one table: roles, hierarchies, models. Kept in this browser under the file's path;
// every tab sees the same.
import { api, type OptionValue } from './api';
import { besides } from './format';
import { suggestedIntervals } from './hierarchy';

export type Role = 'identifier' | 'quasi-identifier' | 'sensitive' | 'insensitive';
export interface ColumnProfile {
  name: string;
  type: string;
  distinct: number;
  missing: number;
  suggested_role: Role;
  why: string;
  several_rows_each?: boolean; // it names people, and some in several rows
  may_name_people?: string; // why it leaves as it is only if allowed to
}
export interface Profile {
  rows: number;
  columns: ColumnProfile[];
  quasi_identifiers: { columns: string[]; distinction: number; separation: number; unique_share: number }[];
  safe_harbor: { column: string; identifier: string; paragraph: string; why: string }[];
}

export interface Settings {
  roles: Record<string, Role>;
  person: string | null; // the column that says whose each row is; '': every row is somebody else's; null: not decided
  allowed: string[]; // columns that leave as they are although they may name people
  hierarchies: Record<string, string>;
  dateForms: Record<string, string>; // which number is the month, where the dates do not show it
  k: number;
  ks: number[];
  methods: string[];
  l: number; // 0: not asked for
  t: number; // 0: not asked for
  suppression: number;
  register: string;
  on: string[];
}

const defaults: Settings = {
  roles: {},
  person: null,
  allowed: [],
  hierarchies: {},
  dateForms: {},
  k: 5,
  ks: [2, 3, 5, 11, 25, 50],
  methods: ['optimal', 'local', 'mondrian'],
  l: 0,
  t: 0,
  suppression: 0.02,
  register: '',
  on: [],
};

const keyOf = (file: string): string => `pratique:${file}`;

/** What was decided about a file, if anything was. */
export function storedSettings(file: string): Settings | null {
  try {
    const text = localStorage.getItem(keyOf(file));
    return text ? { ...structuredClone(defaults), ...(JSON.parse(text) as Partial<Settings>) } : null;
  } catch {
    return null; // Settings that cannot be read are asked for again.
  }
}

export class Study {
  settings = $state<Settings>(structuredClone(defaults));
  private readonly key: string;

  constructor(readonly file: string) {
    this.key = keyOf(file);
    this.read();
    $effect(() => {
      const text = JSON.stringify(this.settings);
      if (text !== localStorage.getItem(this.key) && text !== JSON.stringify(defaults)) localStorage.setItem(this.key, text);
    });
    $effect(() => {
      const changed = (event: StorageEvent): void => {
        if (event.key === this.key) this.read();
      };
      addEventListener('storage', changed);
      return () => removeEventListener('storage', changed);
    });
  }

  private read(): void {
    this.settings = storedSettings(this.file) ?? this.settings;
  }

  /** Every column has a role, and a way to be made coarser. */
  get known(): boolean {
    const names = Object.keys(this.settings.roles);
    return names.length > 0 && names.every((name) => this.settings.hierarchies[name] !== undefined);
  }

  /** Takes what the profile suggests for columns that nobody decided about, and forgets those that are gone. Roles at
      once; widths of ranges when it is known from where to where the numbers go. */
  async suggest(profile: Profile): Promise<void> {
    const names = new Set(profile.columns.map((column) => column.name));
    for (const kept of [this.settings.roles, this.settings.hierarchies]) for (const name of Object.keys(kept)) if (!names.has(name)) delete kept[name];
    this.settings.on = this.settings.on.filter((name) => names.has(name));
    for (const column of profile.columns) {
      this.settings.roles[column.name] ??= column.suggested_role;
    }
    if (this.settings.person === null || (this.settings.person && !names.has(this.settings.person)))
      this.settings.person = profile.columns.find((column) => column.several_rows_each)?.name ?? null;
    const open = profile.columns.filter((column) => this.settings.hierarchies[column.name] === undefined);
    for (const column of open.filter((one) => !needsWidths(one))) this.settings.hierarchies[column.name] = suggestedHierarchy(column);
    const numbers = open.filter(needsWidths).map((column) => column.name);
    const widths = numbers.length ? await widthsFor(this.file, numbers) : new Map<string, string>();
    for (const name of numbers) this.settings.hierarchies[name] ??= widths.get(name) ?? usualIntervals;
  }

  /** Takes what a `tables protect` was told, from the options of its job; false when it was told more than can be said here. */
  recall(options: Record<string, OptionValue | null>, profile: Profile): boolean {
    const told = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== null)) as Record<string, OptionValue>;
    const texts = (option: string): string[] => [told[option] ?? []].flat().map(String);
    const figure = (option: string): number => Number(told[option] ?? 0);
    const sayable = ['id', 'qi', 'sensitive', 'insensitive', 'person', 'rows-are-people', 'allow', 'hierarchy', 'date-form', 'k', 'l', 't', 'suppression', 'method', 'out'];
    const [l, t, suppression] = [figure('l'), figure('t'), figure('suppression')];
    if (!Object.keys(told).every((option) => sayable.includes(option)) || Number.isNaN(l + t + suppression)) return false;
    const named = (option: string): string[] => (Array.isArray(told[option]) ? texts(option) : texts(option).flatMap((list) => list.split(',')));
    const specs = new Map(texts('hierarchy').map((spec) => [spec.slice(0, spec.indexOf('=')), spec.slice(spec.indexOf('=') + 1)]));
    this.settings.dateForms = Object.fromEntries(texts('date-form').map((spec) => [spec.slice(0, spec.lastIndexOf('=')), spec.slice(spec.lastIndexOf('=') + 1)]));
    for (const { name } of profile.columns) this.settings.roles[name] = 'insensitive';
    for (const name of named('id')) this.settings.roles[name] = 'identifier';
    for (const name of named('sensitive')) this.settings.roles[name] = 'sensitive';
    for (const name of named('qi')) {
      this.settings.roles[name] = 'quasi-identifier';
      const spec = specs.get(name);
      if (spec) this.settings.hierarchies[name] = spec;
    }
    const person = told['person'] ? String(told['person']) : null;
    Object.assign(this.settings, { l, t, suppression, allowed: named('allow'), person: told['rows-are-people'] ? '' : person });
    return true;
  }

  columns(role: Role): string[] {
    return Object.entries(this.settings.roles)
      .filter(([, one]) => one === role)
      .map(([name]) => name);
  }

  get dateForms(): string[] {
    return this.columns('quasi-identifier')
      .filter((name) => this.settings.hierarchies[name] === 'date' && this.settings.dateForms[name])
      .map((name) => `${name}=${this.settings.dateForms[name]}`);
  }

  get specs(): string[] {
    return this.columns('quasi-identifier')
      .filter((name) => this.settings.hierarchies[name])
      .map((name) => `${name}=${this.settings.hierarchies[name]}`);
  }

  /** The hierarchies of these columns, as an option. */
  specsOf(columns: string[]): string[] {
    return this.specs.filter((spec) => columns.includes(spec.slice(0, spec.indexOf('='))));
  }

  /** Whose the rows are, as options. */
  get personOptions(): Record<string, string | boolean> {
    const { person, roles } = this.settings;
    if (person === '') return { 'rows-are-people': true };
    return person && roles[person] === 'identifier' ? { person } : {};
  }

  get roleOptions(): Record<string, string[] | string | boolean> {
    return {
      ...this.personOptions,
      id: this.columns('identifier'),
      qi: this.columns('quasi-identifier'),
      sensitive: this.columns('sensitive'),
      insensitive: this.columns('insensitive'),
      hierarchy: this.specs,
      ...(this.dateForms.length && { 'date-form': this.dateForms }),
    };
  }

  /** Those of the allowed columns that leave as they are. */
  get allowed(): string[] {
    return this.settings.allowed.filter((name) => ['sensitive', 'insensitive'].includes(this.settings.roles[name] ?? ''));
  }

  get modelOptions(): Record<string, number> {
    const { l, t, suppression } = this.settings;
    return { ...(l > 1 && { l }), ...(t > 0 && { t }), ...(suppression > 0 && { suppression }) };
  }

  releasePath(method: string, k: number): string {
    const { l, t } = this.settings;
    return besides(this.file, `-${method}-k${k}${l > 1 ? `-l${l}` : ''}${t > 0 ? `-t${t}` : ''}.csv`);
  }
}

const usualIntervals = 'interval:5,10,20';

function suggestedHierarchy(column: ColumnProfile): string {
  const name = column.name.toLowerCase();
  if (column.type === 'date') return 'date';
  if (/\b(zip|postcode|postal)/.test(name.replaceAll('_', ' '))) return 'prefix';
  if (/\b(icd|diagnos)/.test(name.replaceAll('_', ' '))) return 'icd9';
  if (column.type === 'integer' || column.type === 'decimal') return column.distinct > 8 ? usualIntervals : 'flat';
  return 'flat';
}

// Numbers that name a person are not counted: they never leave.
const needsWidths = (column: ColumnProfile): boolean => column.suggested_role !== 'identifier' && suggestedHierarchy(column) === usualIntervals;

async function widthsFor(file: string, columns: string[]): Promise<Map<string, string>> {
  const widths = new Map<string, string>();
  try {
    for (const column of (await api.distributions(file, columns)).columns) {
      const low = column.bins.find((bin) => bin.low !== undefined)?.low;
      const high = column.bins.findLast((bin) => bin.high !== undefined)?.high;
      if (low !== undefined && high !== undefined) widths.set(column.name, suggestedIntervals(low, high));
    }
  } catch {
    // The usual widths do.
  }
  return widths;
}
