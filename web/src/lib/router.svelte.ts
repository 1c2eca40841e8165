// Routes by the history API. Files stand in the query, because the server answers paths with a dot as assets.

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

  go(url: string, how: { replace?: boolean; keepFocus?: boolean } = {}): void {
    if (url === location.pathname + location.search) return;
    if (how.replace) history.replaceState(null, '', url);
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

/** /risk?file=world/patients.csv */
export function link(path: string, query: Record<string, string | number | undefined | null> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  const text = pairs
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2F', '/').replaceAll('%2C', ',')}`)
    .join('&');
  return text ? `${path}?${text}` : path;
}
