// Undo and redo of what a page edits: every settled state, as text; what is typed into a field at one go is one step.
// Ctrl+Z and Ctrl+Shift+Z (or Ctrl+Y) work wherever the keyboard is, but in fields that are typed into, which have their own.
import { untrack } from 'svelte';

const typed = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && !['checkbox', 'radio', 'range', 'button', 'file'].includes(target.type));

/** What the buttons and keys of undoing work on. */
export interface Undoable {
  readonly canUndo: boolean;
  readonly canRedo: boolean;
  /** What was done last, for whoever does not see the page. */
  readonly said: string;
  undo(): void;
  redo(): void;
}

/** Within an effect, or where a component begins. */
export function undoByKeys(what: Undoable): void {
  $effect(() => {
    const key = (event: KeyboardEvent): void => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || typed(event.target)) return;
      const letter = event.key.toLowerCase();
      if (letter !== 'z' && letter !== 'y') return;
      event.preventDefault();
      if (letter === 'z' && !event.shiftKey) what.undo();
      else what.redo();
    };
    addEventListener('keydown', key);
    return () => removeEventListener('keydown', key);
  });
}

/** The field that is typed into, if one is: from when it has the focus until it loses it. */
export class Typing {
  private field: EventTarget | null = null;
  private latest: EventTarget | null = null;
  constructor() {
    $effect(() => {
      const left = (): void => void (this.field = null);
      const put = (event: Event): void => void (this.latest = typed(event.target) ? event.target : null);
      addEventListener('focusout', left);
      addEventListener('input', put, true);
      return () => {
        removeEventListener('focusout', left);
        removeEventListener('input', put, true);
      };
    });
  }
  /** Whether this edit goes on with the one before. */
  goesOn(): boolean {
    const on = this.latest !== null && this.latest === this.field;
    this.field = this.latest;
    this.latest = null;
    return on;
  }
  end(): void {
    this.field = null;
  }
}

export class History<T> implements Undoable {
  private past = $state.raw<string[]>([]);
  private future = $state.raw<string[]>([]);
  private now: string | null = null;
  private readonly typing = new Typing();
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
          if (!this.typing.goesOn()) this.past = [...this.past.slice(-199), this.now];
          this.future = [];
        }
        this.now = text;
      });
    });
    undoByKeys(this);
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
    this.typing.end();
    this.now = text;
    this.set(JSON.parse(text) as T);
  }
}
