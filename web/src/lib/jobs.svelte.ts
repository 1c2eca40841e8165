// Jobs of the server. A Run is one command on a screen: it finds the job that ran it before (so a reload, the back
// button and a second tab lose nothing), starts it, and follows it by server-sent events.
import { tick, untrack } from 'svelte';
import { api, ApiError, asProblem, type Invocation, type Job, type Problem, type Progress, type RiskUtilityPoint } from './api';
import { catalogue } from './catalogue.svelte';
import { fingerprint, toArguments, toShell, trimmed } from './command';
import { files } from './files.svelte';
import { valuesOf } from './pairs';

export const isActive = (job: Job | null | undefined): boolean => job?.state === 'queued' || job?.state === 'running';

class Jobs {
  all = $state.raw<Job[]>([]);
  problem = $state.raw<Problem | null>(null);
  private timer: ReturnType<typeof setTimeout> | undefined;

  get active(): Job[] {
    return this.all.filter(isActive);
  }

  async load(): Promise<Job[]> {
    try {
      this.all = await api.jobs();
      this.problem = null;
    } catch (error) {
      this.problem = asProblem(error);
    }
    clearTimeout(this.timer);
    // Looked at again only while something moves.
    if (this.active.length > 0 || this.problem) this.timer = setTimeout(() => void this.load(), 2000);
    return this.all;
  }
}

export const jobs = new Jobs();

/** What spends a privacy budget writes to its ledger, and its answer holds whatever was spent since. */
const spends = (job: Job): boolean => job.noun === 'dp' && ['open', 'query', 'histogram', 'synthesize', 'kmeans'].includes(job.verb);

/** A result is stale once one of its inputs was written after it was read, or another version of the program runs. */
function stillHolds(job: Job, what: Invocation): boolean {
  // A map that was broken off keeps its points.
  if (job.state === 'failed' || (job.state === 'cancelled' && job.verb !== 'explore')) return false;
  if (job.version !== catalogue.status?.version && !spends(job)) return false;
  const paths = [...(what.inputs ?? []), ...Object.values(what.options ?? {}).flat()].filter(
    (value): value is string => typeof value === 'string',
  );
  const out = what.options?.['out'];
  if (typeof out === 'string' && job.state === 'done' && !files.all.some((file) => file.path === out || file.path.startsWith(out + '/')))
    return false;
  return paths.every((path) => {
    const file = path === out ? undefined : [path, ...valuesOf(path)].map((one) => files.find(one)).find((one) => one !== undefined);
    return !file || (file.kind === 'ledger' && spends(job)) || Date.parse(file.modified) <= Date.parse(job.started ?? job.created);
  });
}

/** Runs a command and waits for what it says, for figures behind a picture. `anew`: what it wrote before is gone. */
export async function resultOf<Result>(what: Invocation, anew = false): Promise<Result> {
  const print = fingerprint(toArguments(what, catalogue.commands));
  if (!anew && !files.loaded) await files.load();
  const before = anew ? undefined : (await jobs.load()).find((job) => job.state === 'done' && fingerprint(job.arguments) === print && stillHolds(job, what));
  let job = before ? await api.job(before.id) : await api.run(trimmed(what));
  while (isActive(job)) {
    await new Promise((done) => setTimeout(done, 150));
    job = await api.job(job.id);
  }
  if (job.problem) throw new ApiError(job.problem);
  return job.result as Result;
}

/** `Point` is what the command finds on its way: a point of a map. */
export class Run<Result = Record<string, unknown>, Point = RiskUtilityPoint> {
  job = $state.raw<Job | null>(null);
  points = $state.raw<Point[]>([]);
  problem = $state.raw<Problem | null>(null);
  /** The server is away; the run is picked up again when it is back. */
  lost = $state(false);
  /** The command for which an earlier job was looked for, or one was started. */
  private answered = $state('');
  /** The server was asked to start it, and has not answered. */
  private asking = $state(false);
  private events: EventSource | undefined;
  private retry: ReturnType<typeof setTimeout> | undefined;
  private pending: ReturnType<typeof setTimeout> | undefined;
  private generation = 0;
  /** The job that runs was asked for as it is: it is followed to its end, whatever the command would be by now. */
  private held = false;

  /** With `auto`, a command that has no result yet is started by itself. */
  constructor(
    private readonly wanted: () => Invocation | null,
    auto: () => boolean = () => false,
    private readonly onEnd: (job: Job) => void = () => {},
  ) {
    // A text, so that only another command counts as a change.
    const key = $derived(JSON.stringify(wanted()));
    let first = true;
    $effect(() => {
      const what = JSON.parse(key) as Invocation | null;
      if (this.held) return;
      // Typing and sliding make many commands in a row.
      this.pending = setTimeout(() => void this.adopt(what, auto()), first ? 0 : 200);
      first = false;
      return () => {
        clearTimeout(this.pending);
        if (this.held) return;
        this.close();
        // What belonged to the last command is gone at once.
        ++this.generation;
        untrack(() => {
          this.job = null;
          this.asking = false;
          this.points = [];
        });
      };
    });
    $effect(() => () => {
      ++this.generation;
      this.close();
    });
  }

  get words(): string[] {
    const what = this.wanted();
    return what ? toArguments(what, catalogue.commands) : [];
  }
  get shell(): string {
    return this.words.length ? toShell(this.words) : '';
  }
  get active(): boolean {
    return this.asking || isActive(this.job);
  }
  /** Nothing more comes of the command as it is now, unless somebody starts it. */
  get settled(): boolean {
    return !this.active && this.answered === JSON.stringify(this.wanted());
  }
  get progress(): Progress | null {
    return this.job?.progress ?? null;
  }
  get result(): Result | null {
    return this.job?.state === 'done' || this.job?.exit === 1 ? ((this.job?.result as Result | undefined) ?? null) : null;
  }

  /** Follows a job that is known already. */
  watch(job: Job): void {
    ++this.generation;
    this.close();
    this.follow(job);
  }

  /** With `hold`, a command that changes while the job runs (a file was read meanwhile) does not let go of it. */
  async start(hold = false): Promise<void> {
    const what = this.wanted();
    if (!what) return;
    this.held = hold;
    const generation = ++this.generation;
    clearTimeout(this.pending);
    this.close();
    this.problem = null;
    this.points = [];
    this.asking = true;
    this.answered = JSON.stringify(what);
    try {
      const job = await api.run(trimmed(what));
      if (generation !== this.generation) return;
      this.asking = false;
      this.follow(job);
      if (!isActive(job)) await this.finish(job);
      void jobs.load();
    } catch (error) {
      if (generation !== this.generation) return;
      this.asking = false;
      this.held = false;
      this.problem = asProblem(error);
    }
  }

  async cancel(): Promise<void> {
    if (!this.job || !this.active) return;
    try {
      await api.endJob(this.job.id);
    } catch (error) {
      this.problem = asProblem(error);
    }
    void jobs.load();
  }

  private async adopt(what: Invocation | null, start: boolean): Promise<void> {
    const generation = ++this.generation;
    this.asking = false;
    this.job = null;
    this.points = [];
    this.problem = null;
    if (!what) {
      this.answered = JSON.stringify(what);
      return;
    }
    const print = fingerprint(toArguments(what, catalogue.commands));
    if (!files.loaded) await files.load();
    const known = await jobs.load();
    if (generation !== this.generation) return;
    if (jobs.problem || files.problem) {
      // Nothing is known yet: asked again when the server answers.
      this.pending = setTimeout(() => void this.adopt(what, start), 1000);
      return;
    }
    const same = known.filter((job) => fingerprint(job.arguments) === print && stillHolds(job, what));
    const before = same.find((job) => job.state === 'done' || isActive(job)) ?? same[0];
    if (before) {
      try {
        const job = await api.job(before.id);
        if (generation === this.generation) this.follow(job);
      } catch (error) {
        if (generation === this.generation) this.problem = asProblem(error);
      }
    } else if (start) {
      await this.start();
    }
    if (generation === this.generation) this.answered = JSON.stringify(what);
  }

  private follow(job: Job): void {
    this.job = job;
    this.points = (job.points ?? []) as Point[];
    if (!isActive(job)) {
      this.lost = false;
      return;
    }
    const events = new EventSource(api.jobEvents(job.id));
    this.events = events;
    let points: Point[] = [];
    events.addEventListener('open', () => {
      this.lost = false;
      points = [];
    });
    events.addEventListener('progress', (event: MessageEvent<string>) => {
      if (this.job) this.job = { ...this.job, state: 'running', progress: JSON.parse(event.data) as Progress };
    });
    events.addEventListener('point', (event: MessageEvent<string>) => {
      points = [...points, JSON.parse(event.data) as Point];
      this.points = points;
    });
    events.addEventListener('end', (event: MessageEvent<string>) => {
      this.close();
      const ended = JSON.parse(event.data) as Job;
      void this.finish(ended);
    });
    events.addEventListener('error', () => {
      if (this.events !== events) return;
      this.close();
      this.retry = setTimeout(() => void this.pickUp(job.id), 700);
    });
  }

  private async finish(ended: Job): Promise<void> {
    const generation = this.generation;
    let job = ended;
    if (job.result === undefined && job.state === 'done') {
      try {
        job = await api.job(ended.id);
      } catch {
        // It is done, and its result is still to be had.
        if (generation === this.generation) this.retry = setTimeout(() => void this.pickUp(ended.id), 700);
        return;
      }
    }
    if (generation !== this.generation) return;
    this.lost = false;
    this.job = job;
    if (job.points?.length) this.points = job.points as Point[];
    await Promise.all([jobs.load(), files.load()]);
    // What it wrote may make the next command another one: this result is still the one that was asked for.
    await tick();
    if (generation !== this.generation) return;
    this.held = false;
    this.onEnd(job);
  }

  private async pickUp(id: string): Promise<void> {
    const generation = this.generation;
    try {
      const job = await api.job(id);
      if (generation !== this.generation) return;
      if (isActive(job)) this.follow(job);
      else await this.finish(job);
    } catch (error) {
      if (generation !== this.generation) return;
      if (error instanceof ApiError && error.problem.status !== 0) {
        this.held = false;
        this.problem = error.problem;
        return;
      }
      this.lost = true;
      this.retry = setTimeout(() => void this.pickUp(id), 1000);
    }
  }

  private close(): void {
    clearTimeout(this.retry);
    this.events?.close();
    this.events = undefined;
  }
}
