// Light or dark: as the system says, or as chosen here.
type Choice = 'auto' | 'light' | 'dark';
const names = ['ink', 'soft', 'line', 'card', 'sea', 'good', 'bad', 'warn'] as const;
export type Colours = Record<(typeof names)[number], string> & { series: string[] };

class Theme {
  choice = $state<Choice>('auto');
  private readonly system = matchMedia('(prefers-color-scheme: dark)');
  private systemDark = $state(false);

  constructor() {
    const kept = localStorage.getItem('pratique:theme');
    if (kept === 'light' || kept === 'dark') this.choice = kept;
    this.systemDark = this.system.matches;
    this.system.addEventListener('change', () => (this.systemDark = this.system.matches));
    this.apply();
  }

  get dark(): boolean {
    return this.choice === 'auto' ? this.systemDark : this.choice === 'dark';
  }

  toggle(): void {
    this.choice = this.dark ? 'light' : 'dark';
    localStorage.setItem('pratique:theme', this.choice);
    this.apply();
  }

  private apply(): void {
    if (this.choice === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = this.choice;
  }

  /** The stylesheet's colours, for what is drawn by script. */
  colours(): Colours {
    const dark = this.dark;
    const probe = document.createElement('span');
    document.body.append(probe);
    const found = Object.fromEntries(
      names.map((name) => {
        probe.style.color = `var(--${name})`;
        return [name, getComputedStyle(probe).color];
      }),
    ) as Record<(typeof names)[number], string>;
    probe.remove();
    // Told apart by people who see few colours, too (after Okabe and Ito); shapes differ as well.
    const series = dark
      ? ['#6cc3df', '#f0a03c', '#7fd39c', '#e58fc0', '#f0e442', '#ff9f8a', '#b7a5f2']
      : ['#0b5f7a', '#b45309', '#1d7a46', '#a8327c', '#6b5e00', '#a3301c', '#5b45b0'];
    return { ...found, series };
  }
}

export const theme = new Theme();
