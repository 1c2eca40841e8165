// The link graph of two lists: which sample may be whose, by where both were seen.

export type Reserved = 'none' | 'deidentified' | 'identified';
export interface LinkGraph {
  people: { name: string; trail: string[] }[];
  samples: { name: string; trail: string[] }[];
  /** Index of a person, index of a sample. */
  links: { person: number; sample: number; certain: boolean }[];
}

function trailsOf(rows: string[][]): { name: string; trail: string[] }[] {
  const trails = new Map<string, Set<string>>();
  for (const [location, ...element] of rows) {
    const name = element.join(' ');
    if (!trails.has(name)) trails.set(name, new Set());
    trails.get(name)!.add(location!);
  }
  return [...trails]
    .map(([name, seen]) => ({ name, trail: [...seen].sort() }))
    .sort((a, b) => a.trail.join().localeCompare(b.trail.join()) || a.name.localeCompare(b.name, 'en', { numeric: true }));
}

const within = (part: string[], whole: string[]): boolean => part.every((one) => whole.includes(one));

/** Rows are location, element. A list that may be incomplete holds parts of the other's trails. */
export function linkGraph(identified: string[][], deidentified: string[][], reserved: Reserved, certain: string[][]): LinkGraph {
  const people = trailsOf(identified);
  const samples = trailsOf(deidentified);
  const sure = new Set(certain.map(([sample, ...person]) => `${sample}\0${person.join(' ')}`));
  const links: LinkGraph['links'] = [];
  samples.forEach((sample, s) =>
    people.forEach((person, p) => {
      const possible =
        reserved === 'deidentified'
          ? within(sample.trail, person.trail)
          : reserved === 'identified'
            ? within(person.trail, sample.trail)
            : sample.trail.join() === person.trail.join();
      if (possible) links.push({ person: p, sample: s, certain: sure.has(`${sample.name}\0${person.name}`) });
    }),
  );
  return { people, samples, links };
}

export interface TrailsAttack {
  identified: number;
  deidentified: number;
  locations: number;
  reserved: Reserved;
  reidentified: number;
  share: number;
  by_rank?: { location: string; visitors: number; locations: number; identified: number; deidentified: number; reidentified: number; share: number }[];
}
export interface TrailsProtection {
  k: number;
  samples_in: number;
  samples_out: number;
  records_in: number;
  records_out: number;
  /** Samples that one person only fits, and that fewer than k people fit. */
  before: { reidentified: number; k_reidentified: number };
  after: { reidentified: number; k_reidentified: number };
  k_verified: number;
  out: string;
}
