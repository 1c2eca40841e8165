// Made-up people and releases of them.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { program, type Server } from './workbench';

export const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** 240 people: every pair of age and sex is of five people or more, postcodes single them out. */
export function table(): string {
  const diagnoses = ['flu', 'asthma', 'angina', 'gout', 'migraine'];
  const rows = Array.from({ length: 240 }, (_, i) => `N${i},${20 + (i % 24)},${i % 2 ? 'F' : 'M'},${2130 + (i * 7) % 40},${diagnoses[(i * i + (i >> 3)) % 5]}`);
  return `name,age,sex,zip,diagnosis\n${rows.join('\n')}\n`;
}
export const roles = ['--id', 'name', '--qi', 'age,sex,zip', '--sensitive', 'diagnosis', '--hierarchy', 'age=interval:5,10,20', '--hierarchy', 'zip=prefix'];
/** A release made on the command line, beside its table in the server's folder. */
export function protect(server: Server, file: string, method: string, out: string, secrets = 'diagnosis', k = 4): void {
  execFileSync(program, ['tables', 'protect', file, ...roles.map((word) => (word === 'diagnosis' ? secrets : word)), '--k', String(k), '--l', '2', '--suppression', '0.05', '--method', method, '--seed', '1', '--out', out], { cwd: server.data });
}
