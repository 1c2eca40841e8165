// Routes by the history API. Files stand in the query, because the server answers paths with a dot as assets.
import type { OptionValue } from './api';
import { listItems } from './checks';
export { link } from './link';

class Router {
  path = $state(location.pathname);
  query = $state(new URLSearchParams(location.search));

  constructor() {
    addEventListener('popstate', () => this.read());
    addEventListener('click', (event) => this.follow(event));
  }

  param(name: string): string {
    return this.query.get(name) ?? '';
  }

  /** `own`: the page writes its own address, which is no link that somebody followed. */
  go(url: string, how: { replace?: boolean; keepFocus?: boolean; own?: boolean } = {}): void {
    if (url === location.pathname + location.search) return;
    if (how.replace) history.replaceState(how.own ? { own: true } : history.state, '', url);
    else history.pushState(null, '', url);
    const samePage = this.path === location.pathname;
    const before = document.querySelector('h1');
    this.read();
    if (!how.keepFocus && !(how.replace && samePage)) void this.land(before);
  }

  private read(): void {
    this.path = location.pathname;
    this.query = new URLSearchParams(location.search);
  }

  // Somebody with a screen reader or a keyboard starts at the new page's heading, which may have to be loaded first.
  private async land(before: Element | null): Promise<void> {
    scrollTo(0, 0);
    const at = location.href;
    for (let frame = 0; frame < 180; ++frame) {
      await new Promise(requestAnimationFrame);
      if (location.href !== at) return;
      const heading = document.querySelector<HTMLElement>('h1');
      if (heading && (heading !== before || frame > 30)) {
        heading.focus({ preventScroll: true });
        return;
      }
    }
  }

  private follow(event: MouseEvent): void {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (link.pathname.startsWith('/api/') || (link.hash && link.pathname === location.pathname)) return;
    event.preventDefault();
    this.go(link.pathname + link.search);
  }
}

export const router = new Router();

/** Options of a command as words of an address: lists as the command line writes them, \, being a comma in an item. */
export const toQuery = (options: Record<string, OptionValue>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(options).map(([name, value]) => [name, Array.isArray(value) ? value.map((item) => String(item).replaceAll(',', '\\,')).join(',') : String(value)]),
  );
export const fromQuery = (query: URLSearchParams, lists: string[], without: string[]): Record<string, OptionValue> =>
  Object.fromEntries([...query].filter(([name]) => !without.includes(name)).map(([name, text]) => [name, lists.includes(name) ? listItems(text) : text]));
