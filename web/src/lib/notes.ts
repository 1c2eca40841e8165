// Notes and the spans in them. A span counts code points, end exclusive, as the files do.
export interface NoteSpan {
  start: number;
  end: number;
  type: string;
  certainty: number;
}
export interface Note {
  id: string;
  text: string;
  patient?: string;
  spans?: NoteSpan[];
}
export interface Piece {
  text: string;
  start: number;
  end: number;
  span: NoteSpan | null;
}

/** The key that marks words as a type. */
export const typeKeys: Record<string, string> = { n: 'name', d: 'date', a: 'age', l: 'location', h: 'hospital', o: 'organisation', p: 'phone', e: 'email', m: 'mrn', i: 'id', j: 'profession' };

export function parseLines<Line>(text: string): Line[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line.trim() ? [JSON.parse(line) as Line] : [];
    } catch {
      return []; // The program lists lines that are no notes.
    }
  });
}

/** Words between blanks, which the cursor steps over. */
export function wordsOf(points: string[]): { start: number; end: number }[] {
  const words: { start: number; end: number }[] = [];
  for (let at = 0; at < points.length; ) {
    const start = at;
    while (at < points.length && points[at]!.trim() !== '') ++at;
    if (at > start) words.push({ start, end: at });
    else ++at;
  }
  return words;
}

/** Without what surrounds a word: quotes, commas, points. */
export function trimmedPlace(points: string[], start: number, end: number): { start: number; end: number } {
  const tells = (point: string): boolean => /[\p{L}\p{N}\p{M}]/u.test(point);
  let [from, to] = [start, end];
  while (from < to && !tells(points[from]!)) ++from;
  while (to > from && !tells(points[to - 1]!)) --to;
  return from < to ? { start: from, end: to } : { start, end };
}

const apart = (span: NoteSpan, start: number, end: number): boolean => span.end <= start || span.start >= end;

/** Whatever was marked there gives way. */
export function marked(spans: NoteSpan[], start: number, end: number, type: string): NoteSpan[] {
  return [...spans.filter((span) => apart(span, start, end)), { start, end, type, certainty: 1 }].sort((a, b) => a.start - b.start);
}

export function unmarked(spans: NoteSpan[], start: number, end: number): NoteSpan[] {
  return spans.filter((span) => apart(span, start, end));
}

/** The text cut where a span or the cursor begins or ends. */
export function piecesOf(points: string[], spans: NoteSpan[], cursor: { start: number; end: number } | null): Piece[] {
  const cuts = new Set([0, points.length]);
  for (const span of spans) cuts.add(span.start).add(span.end);
  if (cursor) cuts.add(cursor.start).add(cursor.end);
  const places = [...cuts].filter((at) => at >= 0 && at <= points.length).sort((a, b) => a - b);
  return places.slice(0, -1).map((start, i) => {
    const end = places[i + 1]!;
    return { text: points.slice(start, end).join(''), start, end, span: spans.find((span) => span.start <= start && end <= span.end) ?? null };
  });
}

/** As the program reads it: a line for each note. */
export function toLines(notes: Note[]): string {
  return notes.map((note) => JSON.stringify({ id: note.id, text: note.text, ...(note.patient && { patient: note.patient }), spans: (note.spans ?? []).map(({ start, end, type }) => ({ start, end, type })) }) + '\n').join('');
}

/** What belongs to a file of notes lies beside it: spans, corrections, a model. */
export const notesBeside = (file: string, ending: string): string => file.replace(/\.(jsonl|ndjson)$/, '') + ending;

/** `notes protect` */
export interface NotesProtection {
  notes: number;
  released: number;
  rejected: unknown[];
  replaced: number;
  before: { leaks: number; notes_with_leaks: number };
  after: { leaks: number; notes_with_leaks: number };
  /** Where the identifiers of the file are marked. */
  finding?: { marked: number; miss_rate_at_most: number; confidence: number };
  out: string;
}
/** `notes attack`: of notes that were not released yet there is no other side. */
export interface NotesFound {
  tried: boolean;
  note?: string;
  before: { leaks: number; reidentified: number } | null;
  after: { leaks: number; reidentified: number };
}
