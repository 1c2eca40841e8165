// What the steward decided about one table: roles, hierarchies, models. It is a project: a file beside the table that
// anybody who may see the folder opens, and that `--config` runs (project.ts). This browser keeps a copy for a page that
// is left before the file is written. A link may bring settings of its own; they count until something is changed.
import { untrack } from 'svelte';
import { api, type OptionValue, type StoredFile } from './api';
import { files } from './files.svelte';
import { History } from './history.svelte';
import { pairOf, pairsAmong } from './pairs';
import { parseProject, projectOf, writeProject } from './project';
import { fromQuery, link, router, toQuery } from './router.svelte';

export type Role = 'identifier' | 'quasi-identifier' | 'sensitive' | 'insensitive';
export interface ColumnProfile {
  name: string;
  type: string;
  distinct: number;
  missing: number;
  suggested_role: Role;
  why: string;
  by_search?: boolean; // neither its name nor its values speak
  hierarchy?: string; // what it takes where nobody says otherwise; none of identifiers
  several_rows_each?: boolean; // it names people, and some in several rows
  may_name_people?: string; // why it leaves as it is only if allowed to
}
export interface Profile {
  rows: number;
  columns: ColumnProfile[];
  quasi_identifiers: { columns: string[]; distinction: number; separation: number; unique_share: number }[];
  safe_harbor: { column: string; identifier: string; paragraph: string; why: string }[];
  /** Only so many rows were looked at. */
  first?: number;
}

export interface Settings {
  roles: Record<string, Role>;
  person: string | null; // the column that says whose each row is; '': every row is a different person; null: not decided
  allowed: string[]; // columns that leave as they are although they may name people
  hierarchies: Record<string, string>;
  dateForms: Record<string, string>; // which number is the month, where the dates do not show it
  ks: number[];
  methods: string[];
  l: number; // 0: not asked for
  t: number; // 0: not asked for
  suppression: number;
  populationSize: number; // people of whom the table has some; 0: not known
  more: Record<string, string>; // any other option of the search, as typed; a line for each value
  register: string;
  on: string[];
}

export const usualSuppression = 0.02;
const defaults: Settings = {
  roles: {},
  person: null,
  allowed: [],
  hierarchies: {},
  dateForms: {},
  ks: [2, 3, 5, 11, 25, 50],
  methods: ['optimal', 'local', 'mondrian'],
  l: 0,
  t: 0,
  suppression: usualSuppression,
  populationSize: 0,
  more: {},
  register: '',
  on: [],
};

type Options = Record<string, OptionValue>;
const roleOption: [Role, string][] = [
  ['identifier', 'id'],
  ['quasi-identifier', 'qi'],
  ['sensitive', 'sensitive'],
  ['insensitive', 'insensitive'],
];
/** Wishes for single columns: of those that are no longer known to others, nothing is asked. */
const byColumn = ['weight', 'max-level', 'max-loss'];
/** Options that say nothing of the settings: what is made of them, and where it goes. */
const notSettings = ['out', 'k', 'method', 'seed', 'private', 'force', 'threads', 'memory'];

/** All settings as options of commands; a link and a project hold the same. */
export function toOptions(settings: Settings): Options {
  const columns = (role: Role): string[] => Object.keys(settings.roles).filter((name) => settings.roles[name] === role);
  const qi = columns('quasi-identifier');
  const { person, roles, l, t, suppression, dateForms, hierarchies } = settings;
  const forms = qi.filter((name) => hierarchies[name] === 'date' && dateForms[name]).map((name) => `${name}=${dateForms[name]}`);
  const allowed = settings.allowed.filter((name) => ['sensitive', 'insensitive'].includes(roles[name] ?? ''));
  return {
    ...(person === '' ? { 'rows-are-people': true } : person && roles[person] === 'identifier' ? { person } : {}),
    ...Object.fromEntries(roleOption.map(([role, option]) => [option, columns(role)])),
    hierarchy: qi.filter((name) => hierarchies[name]).map((name) => `${name}=${hierarchies[name]}`),
    ...(forms.length && { 'date-form': forms }),
    ...(allowed.length && { allow: allowed }),
    ...(l > 1 && { l }),
    ...(t > 0 && { t }),
    ...(suppression > 0 && { suppression }),
    ...Object.fromEntries(Object.entries(settings.more).map(([name, text]) => [name, byColumn.includes(name) ? pairsAmong(text, qi) : text] as const).flatMap(([name, text]) => (text.trim() ? [[name, text.includes('\n') ? text.split('\n').filter(Boolean) : text === 'true' ? true : text]] : []))),
    ks: settings.ks,
    methods: settings.methods,
    ...(settings.populationSize > 0 && { 'population-size': settings.populationSize }),
    ...(settings.register && { register: settings.register }),
    ...(settings.on.length && { on: settings.on }),
  };
}

/** The other way round; what is not said keeps its default. */
export function fromOptions(options: Record<string, OptionValue | null>): Settings {
  const told = Object.fromEntries(Object.entries(options).filter(([name, value]) => value !== null && !notSettings.includes(name))) as Options;
  const texts = (option: string): string[] => [told[option] ?? []].flat().map(String);
  const pairs = (option: string, last = false): Record<string, string> => Object.fromEntries(texts(option).map((spec) => pairOf(spec, Object.keys(settings.roles), last)));
  const settings = structuredClone(defaults);
  for (const [role, option] of roleOption) for (const name of texts(option)) settings.roles[name] = role;
  settings.person = told['rows-are-people'] ? '' : told['person'] ? String(told['person']) : null;
  settings.allowed = texts('allow');
  settings.hierarchies = pairs('hierarchy');
  settings.dateForms = pairs('date-form', true);
  for (const name of ['l', 't'] as const) {
    // 3@diagnosis is for one column alone.
    const value = texts(name);
    if (value.length === 1 && Number.isFinite(Number(value[0]))) settings[name] = Number(value[0]);
    else if (value.length) settings.more[name] = value.join('\n');
  }
  settings.suppression = Number(told['suppression'] ?? 0);
  if (told['ks']) settings.ks = texts('ks').map(Number).filter((k) => k >= 1);
  if (told['methods']) settings.methods = texts('methods');
  settings.populationSize = Number(told['population-size'] ?? 0) || 0;
  settings.register = texts('register')[0] ?? '';
  settings.on = texts('on');
  const own = [...roleOption.map(([, option]) => option), 'rows-are-people', 'person', 'allow', 'hierarchy', 'date-form', 'l', 't', 'suppression', 'ks', 'methods', 'population-size', 'register', 'on'];
  for (const name of Object.keys(told)) if (!own.includes(name)) settings.more[name] = texts(name).join('\n');
  return settings;
}

/** Lists in links; every other option is one text. */
const lists = ['id', 'qi', 'sensitive', 'insensitive', 'allow', 'hierarchy', 'date-form', 'ks', 'methods', 'on'];
const inAddress = (): boolean => roleOption.some(([, option]) => router.param(option) !== '');
/** Pages that are about a file and not about settings use these words of the address themselves. */
const ofPages = ['file', 'known', 'column', 'type', 'method', 'k', 'as-of'];

const keyOf = (file: string): string => `pratique:${file}`;
interface Copy {
  settings: Settings;
  /** The project's time when this copy was the same. */
  seen: string;
  /** Changed since, and the page was left before the project was written. */
  ahead?: boolean;
  /** What was being written then: met again, it is one's own. */
  writing?: string;
}
function copyOf(file: string): Copy | null {
  try {
    const copy = JSON.parse(localStorage.getItem(keyOf(file)) ?? 'null') as Copy | null;
    return copy?.settings ? { ...copy, settings: { ...structuredClone(defaults), ...copy.settings } } : null;
  } catch {
    return null; // Settings that cannot be read are asked for again.
  }
}

/** What was decided about a file, if anything was. */
export async function storedSettings(file: string): Promise<Settings | null> {
  const copy = copyOf(file);
  const project = files.find(projectOf(file));
  if (!project || copy?.seen === project.modified) return copy?.settings ?? null;
  try {
    const options = parseProject(await api.text(project.path));
    return options ? fromOptions(options) : (copy?.settings ?? null);
  } catch {
    return copy?.settings ?? null;
  }
}

/** Who treats people is named in many rows, too: only of patients are the rows somebody's. */
const staff = /attend|doctor|physician|provider|surgeon|operat|nurse|prescriber|refer|staff|clerk|arzt|ärzt|medecin|médecin|medico|médico|opnemer/i;
/** The column that says whose the rows are: of those that name people and repeat, the one with the most of them. */
export function likelyPerson(profile: Profile): string | null {
  const named = profile.columns.filter((column) => column.several_rows_each && !staff.test(column.name));
  return named.sort((a, b) => b.distinct - a.distinct)[0]?.name ?? null;
}

export class Study {
  settings = $state<Settings>(structuredClone(defaults));
  /** The project was read, if there is one. */
  loaded = $state(false);
  /** The settings are those of the link that was followed, and not the project's. */
  linked = $state(false);
  /** The project was written in a way that no page reads: it is left alone. */
  foreign = $state(false);
  readonly history: History<Settings>;
  private readonly key: string;
  private seen = '';
  private writing = '';
  private saving: ReturnType<typeof setTimeout> | undefined;
  private last = '';
  /** What was suggested and nobody changed: a look at more rows may suggest otherwise. */
  private suggested = new Map<string, { role: Role; hierarchy: string }>();
  private readonly ready: Promise<void>;

  /** With a path, the address of the page always holds the settings. */
  constructor(
    readonly file: string,
    path = '',
    extra: () => Record<string, string | number | undefined> = () => ({}),
  ) {
    this.key = keyOf(file);
    // A page's own address, met again by the back button, is no link that somebody sent.
    this.linked = inAddress() && (history.state as { own?: boolean } | null)?.own !== true;
    const copy = copyOf(file);
    if (this.linked) this.settings = fromOptions(fromQuery(router.query, lists, ofPages));
    else if (copy) this.settings = copy.settings;
    this.seen = copy?.seen ?? '';
    const seen = this.seen;
    this.ready = this.read().then(() => {
      this.last = JSON.stringify(this.settings);
      if (copy?.ahead && (this.seen === seen || copy.writing) && !this.linked) this.keep();
      this.loaded = true;
    });
    $effect(() => {
      const text = JSON.stringify(this.settings);
      if (!this.loaded || text === this.last) return;
      this.last = text;
      untrack(() => this.keep());
    });
    $effect(() => {
      const changed = (event: StorageEvent): void => {
        const copied = event.key === this.key ? copyOf(file) : null;
        if (!copied) return;
        this.last = JSON.stringify(copied.settings);
        this.settings = copied.settings;
        this.seen = copied.seen;
      };
      addEventListener('storage', changed);
      return () => removeEventListener('storage', changed);
    });
    $effect(() => {
      if (!path || !this.known) return;
      const query = toQuery(toOptions(this.settings));
      router.go(link(path, { file, ...extra(), ...query }), { replace: true, keepFocus: true, own: true });
    });
    this.history = new History(
      () => this.settings,
      (settings) => (this.settings = settings),
      () => this.known,
    );
  }

  private async read(): Promise<void> {
    const project = files.find(projectOf(this.file));
    if (this.linked || !project || project.modified === this.seen) return;
    try {
      const text = await api.text(project.path);
      const options = parseProject(text);
      this.foreign = options === null;
      // What this browser wrote last, before it heard that it was written, is not newer than what it has.
      if (options && text !== copyOf(this.file)?.writing) this.settings = fromOptions(options);
      this.seen = project.modified;
    } catch {
      // The copy in this browser does.
    }
  }

  private keep(): void {
    this.linked = false;
    this.store(true);
    if (this.foreign) return;
    clearTimeout(this.saving);
    this.saving = setTimeout(() => void this.save(), 200);
  }

  private store(ahead: boolean): void {
    const settings = $state.snapshot(this.settings) as Settings;
    localStorage.setItem(this.key, JSON.stringify({ settings, seen: this.seen, ...(ahead && { ahead }), ...(this.writing && { writing: this.writing }) } satisfies Copy));
  }

  /** The suggestions, too, for whoever runs it from the command line. */
  saveNow(): void {
    this.keep();
  }

  /** The project as it is now; anybody with access to the folder opens it. */
  private async save(): Promise<void> {
    const text = writeProject(this.file, toOptions($state.snapshot(this.settings) as Settings));
    this.writing = text;
    this.store(true);
    try {
      const written = (await (await api.put(projectOf(this.file), text, true)).json()) as StoredFile;
      this.seen = written.modified;
      files.note(written);
      this.writing = '';
      // Something may have been changed meanwhile: it is written next.
      this.store(text !== writeProject(this.file, toOptions($state.snapshot(this.settings) as Settings)));
    } catch {
      // A folder that cannot be written: the copy in this browser does.
    }
  }

  /** Every column has a role, and a way to be made coarser. */
  get known(): boolean {
    const names = Object.keys(this.settings.roles);
    return this.loaded && names.length > 0 && names.every((name) => this.settings.hierarchies[name] !== undefined);
  }

  /** Takes what the profile suggests for columns that nobody decided about, and forgets those that are gone. */
  async suggest(profile: Profile): Promise<void> {
    await this.ready;
    const kept = JSON.stringify(this.settings) === this.last;
    const names = new Set(profile.columns.map((column) => column.name));
    for (const kept of [this.settings.roles, this.settings.hierarchies]) for (const name of Object.keys(kept)) if (!names.has(name)) delete kept[name];
    this.settings.on = this.settings.on.filter((name) => names.has(name));
    for (const { name, suggested_role: role, hierarchy = 'flat' } of profile.columns) {
      const before = this.suggested.get(name);
      const { roles, hierarchies } = this.settings;
      if (roles[name] === undefined || roles[name] === before?.role) roles[name] = role;
      if (hierarchies[name] === undefined || hierarchies[name] === before?.hierarchy) hierarchies[name] = hierarchy;
      if (roles[name] === role && hierarchies[name] === hierarchy) this.suggested.set(name, { role, hierarchy });
      else this.suggested.delete(name);
    }
    if (this.settings.person === null || (this.settings.person && !names.has(this.settings.person)))
      this.settings.person = likelyPerson(profile);
    // What is suggested is nobody's decision, and not kept; a decision of a moment ago is.
    if (kept) this.last = JSON.stringify(this.settings);
  }

  columns(role: Role): string[] {
    return Object.entries(this.settings.roles)
      .filter(([, one]) => one === role)
      .map(([name]) => name);
  }

  /** The hierarchies of these columns, as an option. */
  specsOf(columns: string[]): string[] {
    return columns.filter((name) => this.settings.hierarchies[name]).map((name) => `${name}=${this.settings.hierarchies[name]}`);
  }

  /** Whose the rows are, as options. */
  get personOptions(): Record<string, OptionValue> {
    const { person, 'rows-are-people': rows } = toOptions(this.settings);
    return { ...(person && { person }), ...(rows && { 'rows-are-people': rows }) };
  }

  /** What both a search and a release are told. */
  get shared(): Options {
    const { ks, methods, register, on, allow, 'population-size': size, ...rest } = toOptions(this.settings);
    return rest;
  }
  get allowed(): string[] {
    return (toOptions(this.settings)['allow'] ?? []) as string[];
  }
  /** All settings, for a link. */
  get query(): Record<string, string> {
    return toQuery(toOptions(this.settings));
  }
}
