// Names beside marks, such that no name stands on a mark or on another name: right of its mark, else left, above or
// below; a name for which no side is free is left out. Whatever is named stands in a table as well.
export interface Mark {
  x: number;
  y: number;
  size: number;
  /** Empty: a mark without a name. */
  text: string;
}
export type Side = 'right' | 'left' | 'top' | 'bottom';
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

const lineHeight = 15;
const gap = 3;
/** Between two names on a line. */
const room = 8;
/** Of the sans-serif at 12 pixels; rather too wide than too narrow. */
const widthOf = (text: string): number => 7 * text.length;
const apart = (a: Box, b: Box, room = 0): boolean => a.right + room <= b.left || b.right + room <= a.left || a.bottom <= b.top || b.bottom <= a.top;
const around = ({ x, y, size }: Mark): Box => ({ left: x - size / 2, right: x + size / 2, top: y - size / 2, bottom: y + size / 2 });

export function boxOf(mark: Mark, side: Side): Box {
  const [width, half] = [widthOf(mark.text), mark.size / 2 + gap];
  const left = side === 'right' ? mark.x + half : side === 'left' ? mark.x - half - width : mark.x - width / 2;
  const top = side === 'top' ? mark.y - half - lineHeight : side === 'bottom' ? mark.y + half : mark.y - lineHeight / 2;
  return { left, top, right: left + width, bottom: top + lineHeight };
}

/** The side of each name, in the order of the marks: the first come first. */
export function placeLabels(marks: Mark[], width: number, height: number): (Side | null)[] {
  const taken = marks.map(around);
  return marks.map((mark, i) => {
    if (!mark.text) return null;
    const free = (side: Side): boolean => {
      const box = boxOf(mark, side);
      return box.left >= 0 && box.right <= width && box.top >= 0 && box.bottom <= height && taken.every((other, j) => j === i || apart(box, other, j < marks.length ? 0 : room));
    };
    const side = (['right', 'left', 'top', 'bottom'] as const).find(free) ?? null;
    if (side) taken.push(boxOf(mark, side));
    return side;
  });
}

/** A round end of an axis from 0 that holds the largest: 0.031 gives 0.04. */
export function roundEnd(largest: number): number {
  if (largest < 1e-4) return 0.01; // nobody is at risk: a hundredth is as good as any
  const unit = 10 ** Math.floor(Math.log10(largest));
  return [1, 2, 3, 4, 5, 6, 8, 10].map((step) => Number((step * unit).toPrecision(3))).find((end) => end >= largest) ?? largest;
}
