// What a map costs, before it is drawn and while it is: as `tables plan` foretells, and as points that are done show.

export interface Plan {
  settings: number;
  seconds: number;
  reading: number;
  methods: { method: string; seconds: number; time_limit?: number }[];
}
interface Done {
  method: string;
  k: number;
  seconds?: number;
  provisional?: boolean;
}

/** Longer than this, a smaller search is offered. */
export const tooLong = 120;

/** For the points that are not done yet, `since` seconds after the last that is. */
export function secondsLeft(plan: Plan, ks: number[], points: Done[], since: number): number {
  let left = 0;
  let current: number | null = null;
  for (const { method, seconds } of plan.methods) {
    const done = points.filter((point) => point.method === method && !point.provisional);
    // What it took counts more than what was foretold.
    const each = done.length ? done.reduce((sum, point) => sum + (point.seconds ?? seconds), 0) / done.length : seconds;
    const open = Math.max(0, ks.length - done.length);
    if (open > 0 && current === null) current = each;
    left += open * each;
  }
  return Math.max(0, left - Math.min(since, current ?? 0));
}

/** A point that is told again takes the place of the first, provisional one. */
export function settled<Point extends { method: string; k: number }>(points: Point[]): Point[] {
  const same = (a: Point, b: Point): boolean => a.method === b.method && a.k === b.k && (a as { m?: number }).m === (b as { m?: number }).m;
  return points.filter((point, i) => !points.slice(i + 1).some((later) => same(later, point)));
}
