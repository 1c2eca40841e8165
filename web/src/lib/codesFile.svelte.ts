// Which columns of a file of codes hold the patient and the code, and what else it has.
import { api } from './api';

export class CodesFile {
  private columns = $state.raw<string[]>([]);
  /** Other columns that may leave as they are, as far as somebody chose them. */
  chosen = $state<string[]>([]);

  constructor(private readonly path: () => string) {
    $effect(() => {
      const file = path();
      if (!file || file.endsWith('.dat')) return;
      let gone = false;
      void api.rows(file, 0, 1).then(
        (page) => {
          if (!gone) this.columns = page.columns;
        },
        () => {},
      );
      return () => {
        gone = true;
      };
    });
  }

  get ready(): boolean {
    return this.path() !== '' && (this.columns.length > 0 || this.path().endsWith('.dat'));
  }
  private get patient(): string {
    return this.columns.find((name) => /^patient/i.test(name)) ?? this.columns[0] ?? 'patient';
  }
  /** Several numbered columns of diagnoses are found by the program itself. */
  private get numbered(): string[] {
    return this.columns.filter((name) => /(dx|diag|dgns|icd)\D*\d+$/i.test(name));
  }
  private get code(): string {
    return this.numbered.length > 1 ? '' : (this.columns.find((name) => /code|icd/i.test(name)) ?? this.columns[1] ?? 'code');
  }
  /** As options, where they are not called as usual. */
  get named(): Record<string, string> {
    return { ...(this.patient !== 'patient' && { patient: this.patient }), ...(this.code && this.code !== 'code' && { code: this.code }) };
  }
  get others(): string[] {
    return this.columns.filter((name) => name !== this.patient && name !== this.code && !this.numbered.includes(name));
  }
  get kept(): string[] {
    return this.chosen.filter((name) => this.others.includes(name));
  }
}
