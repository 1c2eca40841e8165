// The real program, serving a folder of its own to every file of tests.
import { test as base, expect, type BrowserContext, type Page } from '@playwright/test';
import axe from 'axe-core';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
export const program = resolve(here, process.env['PRATIQUE'] ?? '../../build/pratique');

export class Server {
  readonly data = mkdtempSync(join(tmpdir(), 'pratique-web-'));
  origin = '';
  private login = '';
  private child: ChildProcess | undefined;

  async start(port = 0): Promise<void> {
    const child = spawn(program, ['serve', '--port', String(port), '--data', this.data], { stdio: ['ignore', 'pipe', 'pipe'] });
    this.child = child;
    this.login = await new Promise<string>((found, failed) => {
      let said = '';
      const take = (text: Buffer): void => {
        said += text.toString();
        const url = /https?:\/\/\S+\/login\?token=\S+/.exec(said)?.[0];
        if (url) found(url);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('exit', (code) => failed(new Error(`pratique serve ended with ${code}: ${said}`)));
    });
    this.origin = new URL(this.login).origin;
  }

  get token(): string {
    return new URL(this.login).searchParams.get('token') ?? '';
  }

  get port(): number {
    return Number(new URL(this.origin).port);
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.child;
    if (!child || child.exitCode !== null) return;
    const gone = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await gone;
  }

  async open(page: Page, path = '/'): Promise<void> {
    if (path === '/' && !process.env['PRATIQUE_DIST']) {
      await page.goto(this.login);
      await page.waitForURL(`${this.origin}/`);
    } else {
      // The cookie alone; the first page need not be drawn.
      await page.request.get(this.login);
      await page.goto(this.origin + path);
    }
  }

  write(name: string, text: string): void {
    writeFileSync(join(this.data, name), text);
  }
}

/** Runs what the page shows, as somebody does who pasted it into a terminal in this folder. */
export function shell(command: string, folder: string): string {
  return execFileSync('sh', ['-c', `pratique() { "${program}" "$@"; }; ${command}`], { cwd: folder, encoding: 'utf8' });
}
export const commands = (page: Page): Promise<string[]> => page.getByRole('region', { name: 'The same on the command line' }).locator('.line').allTextContents();

/** What a page must never do, whatever is tested: errors, other hosts, breaches of the content security policy. */
export function watch(context: BrowserContext, origin: () => string): string[] {
  const faults: string[] = [];
  context.on('console', (message) => {
    if (message.type() === 'error') faults.push(`console: ${message.text()} ${message.location().url}`);
  });
  context.on('weberror', (error) => faults.push(`error: ${error.error().message}`));
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (url.protocol.startsWith('http') && url.origin !== origin()) faults.push(`request to ${url.origin}`);
  });
  return faults;
}

/** With PRATIQUE_DIST=dist the pages are those of that folder: what was just built, without linking the program anew. */
async function servePages(context: BrowserContext): Promise<void> {
  const dist = process.env['PRATIQUE_DIST'];
  if (!dist) return;
  await context.route(/^http:\/\/127/, async (route) => {
    const { pathname } = new URL(route.request().url());
    if (pathname.startsWith('/api/') || pathname === '/login') return route.continue();
    const file = join(resolve(here, '..', dist), pathname.includes('.') ? pathname : 'index.html');
    await route.fulfill({ path: file });
  });
}

/** The server of the file at hand. Another file has another: no test meets what one of another file left behind. */
class Servers {
  private of = '';
  private server: Server | undefined;

  async get(key: string): Promise<Server> {
    if (this.server && this.of === key) return this.server;
    await this.end();
    const server = new Server();
    await server.start();
    this.of = key;
    return (this.server = server);
  }
  async end(): Promise<void> {
    await this.server?.kill('SIGTERM');
    if (this.server) rmSync(this.server.data, { recursive: true, force: true });
    this.server = undefined;
  }
}

export const test = base.extend<{ server: Server; faults: string[]; expectFaults: boolean }, { servers: Servers }>({
  servers: [
    async ({}, use) => {
      const servers = new Servers();
      await use(servers);
      await servers.end();
    },
    { scope: 'worker' },
  ],
  server: async ({ servers }, use, info) => use(await servers.get(`${info.project.name} ${info.file}`)),
  expectFaults: [false, { option: true }],
  faults: [
    async ({ context, server, expectFaults }, use) => {
      await servePages(context);
      const faults = watch(context, () => server.origin);
      await use(faults);
      if (!expectFaults) expect(faults).toEqual([]);
    },
    { auto: true },
  ],
});
export { expect };

/** No serious or critical violation, in light and in dark (where only colours differ). */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // Colours are the same on a phone.
  const phone = (page.viewportSize()?.width ?? 0) < 640;
  for (const colorScheme of phone ? (['light'] as const) : (['light', 'dark'] as const)) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await page.evaluate(async (dark) => {
      const { axe } = window as unknown as { axe: typeof import('axe-core') };
      const runOnly = dark
        ? { type: 'rule' as const, values: ['color-contrast'] }
        : { type: 'tag' as const, values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] };
      const { violations } = await axe.run(document, { resultTypes: ['violations'], runOnly });
      return violations
        .filter((one) => one.impact === 'serious' || one.impact === 'critical')
        .map((one) => `${one.id}: ${one.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`);
    }, colorScheme === 'dark');
    expect(found, `${name}, ${colorScheme}`).toEqual([]);
    await shot(page, colorScheme === 'dark' ? `${name}-dark` : name);
  }
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
}

/** With PICTURES=1 kept in test-results/screenshots, to be looked at; they take a fifth of the time. */
export async function shot(page: Page, name: string): Promise<void> {
  if (!process.env['PICTURES']) return;
  const width = page.viewportSize()?.width ?? 0;
  await page.evaluate(() => scrollTo(0, 0));
  // Without a style element of the camera's own: the page's policy takes none.
  const position = (value: string) =>
    page.evaluate((to) => document.querySelectorAll<HTMLElement>('.foot').forEach((foot) => foot.style.setProperty('position', to)), value);
  await position('static');
  await page.screenshot({ path: resolve(here, `../test-results/screenshots/${name}-${width}.png`), fullPage: true, animations: 'disabled', caret: 'initial' });
  await position('');
}

/** Nothing sticks out to the right: a phone scrolls only up and down. */
export async function expectNoSideways(page: Page): Promise<void> {
  const [inner, outer] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]);
  expect(inner).toBeLessThanOrEqual(outer!);
}

/** The candidate that is looked at becomes a release, under the name that is offered. */
export async function makeRelease(page: Page): Promise<string> {
  await page.getByRole('button', { name: 'Make it a release' }).click();
  await expect(page.getByRole('heading', { level: 1, name: /^Release / })).toBeVisible();
  await expect(page.getByText('Every claim holds.')).toBeVisible();
  return new URL(page.url()).searchParams.get('file')!;
}

/** Tab until this has the focus, as somebody without a mouse does. */
export async function tabTo(page: Page, what: ReturnType<Page['locator']>, most = 150): Promise<void> {
  await expect(what).toBeVisible();
  for (let i = 0; i < most; ++i) {
    if (await what.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`the keyboard does not reach ${what.toString()}`);
}
