/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page, type Request } from 'playwright-core';

/** The same Chromium without windows, which cost a third of the processors' time of a page. */
const LIGHT = '/usr/lib/chromium/chromium-headless-shell';
const CHROMIUM = process.env.OSPREY_CHROMIUM ?? (existsSync(LIGHT) ? LIGHT : '/usr/bin/chromium');

/** A loaded machine of two cores draws the map in software: what it waits for may take long, but comes. */
const PATIENCE_MS = 45_000;

/**
 * The flags that a headless Chromium needs to stay on this machine and to draw the map in software. Only the map goes
 * through the software GPU: every page through it as well would take a third of the processors' time.
 */
const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Else a process stands ready for a page that mostly never comes: a fifth of what a page costs.
  '--renderer-process-limit=1',
  // Not by Playwright's routes: those let each request wait for the test, and leave the page without its cache.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  '--disable-gpu-compositing',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--autoplay-policy=no-user-gesture-required',
];

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM, args: flags });
}

export type Watched = {
  context: BrowserContext;
  page: Page;
  /** Requests that wanted to leave the server's own address; another machine's was blocked. */
  foreign: string[];
  /** Uncaught errors and console errors of the page. */
  errors: string[];
  /** What the content security policy forbade: directive and address. */
  violations: string[];
  /** What keeps the page busy; empty once it has what it wants. */
  restless: () => string[];
};

export type View = {
  width?: number;
  height?: number;
  scheme?: 'dark' | 'light';
  touch?: boolean;
  /** The map of places is open: seconds to draw in software, so only for those who look at it. */
  places?: boolean;
  /** Cookies and local storage of a browser that logged in before. */
  kept?: SignedIn;
  /** Another server that the page may lead to: host and port. */
  besides?: string;
};

export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** A page that can reach the server alone, and remembers every attempt to go elsewhere. */
export async function openPage(browser: Browser, address: string, options: View = {}): Promise<Watched> {
  const { width = 1440, height = 900, scheme = 'dark', touch = false, places = false, kept, besides } = options;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: scheme,
    hasTouch: touch,
    // What still moves can slip away between the press and the release of a click on a busy machine.
    reducedMotion: 'reduce',
    baseURL: address,
    ...(kept && { storageState: kept }),
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const foreign: string[] = [];
  const errors: string[] = [];
  const violations: string[] = [];
  const home = new URL(address).host;
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (host !== home && host !== besides && !['blob:', 'data:', 'mailto:'].includes(protocol))
      foreign.push(request.url());
  });
  await context.exposeBinding('ospreyTestViolation', (_source, text: string) => void violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      (window as unknown as { ospreyTestViolation: (text: string) => void }).ospreyTestViolation(
        `${effectiveDirective} ${blockedURI}`,
      ),
    );
  });
  if (scheme === 'light') await context.addInitScript(chooseLight);
  if (!places)
    await context.addInitScript(() => localStorage.setItem('missionsTopHeight', '{"height":344,"closed":true}'));
  const page = await context.newPage();
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { context, page, foreign, errors, violations, restless: requestsOf(page) };
}

/** After so long without a request a page has what it wants. */
const QUIET_MS = 500;

/** What keeps a page busy: requests that wait for their answer, or were begun just now; none of a document before. */
function requestsOf(page: Page): () => string[] {
  const asked = new Map<Request, { ended: boolean; atMs: number }>();
  const note = (ended: boolean) => (request: Request) => void asked.set(request, { ended, atMs: performance.now() });
  page.on('request', note(false));
  page.on('requestfinished', note(true));
  page.on('requestfailed', note(true));
  page.on('framenavigated', () => asked.clear());
  return () =>
    [...asked]
      .filter(([, { ended, atMs }]) => !ended || performance.now() - atMs < QUIET_MS)
      .map(([request, { ended }]) => `${request.url()} ${ended ? 'ended' : 'waits'}`);
}

/** Dark is what nobody has chosen, whatever the browser prefers. Once a tab: what is chosen later in a test stays. */
function chooseLight(): void {
  if (sessionStorage.getItem('osprey-test-light') !== null) return;
  sessionStorage.setItem('osprey-test-light', '');
  localStorage.setItem('mui-mode', 'light');
}
