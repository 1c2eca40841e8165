// SHA-256 (FIPS 180-4) of a text, at once: the browser's own is asynchronous, and names of files are needed where pages
// are drawn.
const whole = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;
const primes: number[] = [];
for (let n = 2; primes.length < 64; ++n) if (primes.every((p) => n % p !== 0)) primes.push(n);
const roundConstants = primes.map((p) => whole(Math.cbrt(p)));
const start = primes.slice(0, 8).map((p) => whole(Math.sqrt(p)));

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

export function sha256(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const padded = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  bytes.forEach((byte, i) => padded.setUint8(i, byte));
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(bytes.length / 2 ** 29));
  padded.setUint32(padded.byteLength - 4, (bytes.length << 3) >>> 0);
  const state = Int32Array.from(start);
  const w = new Int32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let i = 0; i < 16; ++i) w[i] = padded.getInt32(block + 4 * i);
    for (let i = 16; i < 64; ++i) {
      const [a, b] = [w[i - 15]!, w[i - 2]!];
      w[i] = w[i - 16]! + (turned(a, 7) ^ turned(a, 18) ^ (a >>> 3)) + w[i - 7]! + (turned(b, 17) ^ turned(b, 19) ^ (b >>> 10));
    }
    let [a, b, c, d, e, f, g, h] = state as unknown as [number, number, number, number, number, number, number, number];
    for (let i = 0; i < 64; ++i) {
      const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + roundConstants[i]! + w[i]!) | 0;
      const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, i) => (state[i] = state[i]! + word));
  }
  return [...state].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
