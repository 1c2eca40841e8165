// Undo and redo of what a page edits: every settled state, as text. Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) work wherever
// the keyboard is, but in fields that are typed into, which have their own.
import { untrack } from 'svelte';

const typed = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button', 'file'].includes(target.type));

export class History<T> {
  private past = $state.raw<string[]>([]);
  private future = $state.raw<string[]>([]);
  private now: string | null = null;
  /** What was done last, for whoever does not see the page. */
  said = $state('');

  /** Nothing counts as an edit before `ready`. */
  constructor(
    get: () => T,
    private readonly set: (value: T) => void,
    ready: () => boolean = () => true,
  ) {
    $effect(() => {
      if (!ready()) return;
      const text = JSON.stringify(get());
      untrack(() => {
        if (this.now !== null && text !== this.now) {
          this.past = [...this.past.slice(-199), this.now];
          this.future = [];
        }
        this.now = text;
      });
    });
    $effect(() => {
      const key = (event: KeyboardEvent): void => {
        if (!(event.ctrlKey || event.metaKey) || event.altKey || typed(event.target)) return;
        const letter = event.key.toLowerCase();
        if (letter !== 'z' && letter !== 'y') return;
        event.preventDefault();
        if (letter === 'z' && !event.shiftKey) this.undo();
        else this.redo();
      };
      addEventListener('keydown', key);
      return () => removeEventListener('keydown', key);
    });
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }
  get canRedo(): boolean {
    return this.future.length > 0;
  }
  undo(): void {
    const before = this.past.at(-1);
    if (before === undefined || this.now === null) return;
    this.past = this.past.slice(0, -1);
    this.future = [...this.future, this.now];
    this.become(before);
    this.said = 'Undone';
  }
  redo(): void {
    const after = this.future.at(-1);
    if (after === undefined || this.now === null) return;
    this.future = this.future.slice(0, -1);
    this.past = [...this.past, this.now];
    this.become(after);
    this.said = 'Done again';
  }

  private become(text: string): void {
    this.now = text;
    this.set(JSON.parse(text) as T);
  }
}
