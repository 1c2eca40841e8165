// Smaller PNGs: Chromium compresses a screenshot quickly rather than well. Nothing that is seen changes.
import { deflateSync, inflateSync } from 'node:zlib';

const bytesPerPixel: Record<number, number> = { 2: 3, 6: 4 };

const paeth = (a: number, b: number, c: number): number => {
  const p = a + b - c;
  const [toA, toB, toC] = [Math.abs(p - a), Math.abs(p - b), Math.abs(p - c)];
  return toA <= toB && toA <= toC ? a : toB <= toC ? b : c;
};
/** What the five filters of PNG predict from the byte to the left, above, and above to the left. */
const predictors = [() => 0, (a: number) => a, (_: number, b: number) => b, (a: number, b: number) => (a + b) >> 1, paeth];

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(named.length + 8);
  framed.writeUInt32BE(data.length, 0);
  named.copy(framed, 4);
  framed.writeUInt32BE(crc(named), named.length + 4);
  return framed;
}

function crc(bytes: Buffer): number {
  let sum = 0xffffffff;
  for (const byte of bytes) {
    sum ^= byte;
    for (let bit = 0; bit < 8; ++bit) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  }
  return ~sum >>> 0;
}

/** The pixels without their filters, row by row. */
function pixelsOf(filtered: Buffer, width: number, height: number, depth: number): Buffer {
  const stride = width * depth;
  const pixels = Buffer.alloc(stride * height);
  for (let y = 0; y < height; ++y) {
    const predict = predictors[filtered[y * (stride + 1)]!]!;
    for (let x = 0; x < stride; ++x) {
      const at = y * stride + x;
      const left = x >= depth ? pixels[at - depth]! : 0;
      const above = y > 0 ? pixels[at - stride]! : 0;
      const corner = x >= depth && y > 0 ? pixels[at - stride - depth]! : 0;
      pixels[at] = filtered[y * (stride + 1) + 1 + x]! + predict(left, above, corner);
    }
  }
  return pixels;
}

/** The same pixels again: as a palette where 256 colours are enough, else as RGB; whichever filter compresses best. */
export function smaller(png: Buffer): Buffer {
  const width = png.readUInt32BE(16);
  const height = png.readUInt32BE(20);
  const depth = bytesPerPixel[png[25]!];
  if (png[24] !== 8 || png[28] !== 0 || !depth) return png;
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const pixels = pixelsOf(inflateSync(Buffer.concat(data)), width, height, depth);
  const colours = new Map<number, number>();
  const colourAt = (i: number): number => (pixels[i * depth]! << 16) | (pixels[i * depth + 1]! << 8) | pixels[i * depth + 2]!;
  for (let i = 0; i < width * height; ++i) {
    const colour = colourAt(i);
    if (!colours.has(colour)) colours.set(colour, colours.size);
  }
  const indexed = colours.size <= 256;
  const size = indexed ? 1 : 3;
  const bytes = Buffer.alloc(width * height * size);
  for (let i = 0; i < width * height; ++i) {
    if (indexed) bytes[i] = colours.get(colourAt(i))!;
    else bytes.writeUIntBE(colourAt(i), i * 3, 3);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, indexed ? 3 : 2, 0, 0, 0], 8);
  const palette = Buffer.from([...colours.keys()].flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  const best = [bestFilters, (rows: Buffer, stride: number) => filteredBy(0, rows, stride, size)]
    .map((filter) => deflateSync(filter(bytes, width * size, size), { level: 9, memLevel: 9 }))
    .reduce((a, b) => (a.length <= b.length ? a : b));
  const again = Buffer.concat([png.subarray(0, 8), chunk('IHDR', head), ...(indexed ? [chunk('PLTE', palette)] : []), chunk('IDAT', best), chunk('IEND', Buffer.alloc(0))]);
  return again.length < png.length ? again : png;
}

function filteredRow(filter: number, rows: Buffer, y: number, stride: number, depth: number): Buffer {
  const row = Buffer.alloc(stride + 1);
  row[0] = filter;
  const predict = predictors[filter]!;
  for (let x = 0; x < stride; ++x) {
    const at = y * stride + x;
    row[x + 1] = rows[at]! - predict(x >= depth ? rows[at - depth]! : 0, y > 0 ? rows[at - stride]! : 0, x >= depth && y > 0 ? rows[at - stride - depth]! : 0);
  }
  return row;
}

function filteredBy(filter: number, rows: Buffer, stride: number, depth: number): Buffer {
  return Buffer.concat(Array.from({ length: rows.length / stride }, (_, y) => filteredRow(filter, rows, y, stride, depth)));
}

/** For each row the filter whose bytes are nearest to zero: the usual rule of thumb. */
function bestFilters(rows: Buffer, stride: number, depth: number): Buffer {
  return Buffer.concat(
    Array.from({ length: rows.length / stride }, (_, y) =>
      predictors
        .map((_, filter) => filteredRow(filter, rows, y, stride, depth))
        .map((row) => ({ row, weight: row.reduce((sum, byte) => sum + Math.min(byte, 256 - byte), 0) }))
        .reduce((a, b) => (a.weight <= b.weight ? a : b)).row,
    ),
  );
}
