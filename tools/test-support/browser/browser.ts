/// <reference lib="dom" />
import { existsSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
  type Request,
} from 'playwright-core';

/** Chromium built without windows (headless shell), since drawing windows takes a third of a page's processor time. */
const LIGHT = '/usr/lib/chromium/chromium-headless-shell';
const CHROMIUM = process.env.OSPREY_CHROMIUM ?? (existsSync(LIGHT) ? LIGHT : '/usr/bin/chromium');

/** Default timeout in milliseconds. A loaded machine with two cores draws the map in software, so waits may be long. */
const PATIENCE_MS = 90_000;

/**
 * Flags with which headless Chromium makes no external requests and draws the map in software. Only the map uses the
 * software GPU; using it for whole pages would take a third of the processor time.
 */
export const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without this limit, Chromium keeps a spare process for the next page, which costs a fifth of a page.
  '--renderer-process-limit=1',
  // Blocks other hosts. Playwright's routes are not used, since they would delay each request and disable the page's
  // cache.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  '--disable-gpu-compositing',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--autoplay-policy=no-user-gesture-required',
  // Provides a fake camera that shows a clock and a fake microphone that beeps, and allows calls between pages of this
  // machine.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
];

/**
 * Disables the optimising compilers, which took a quarter of the processor time, for pages that live only some seconds.
 * Baseline compilation is worthwhile, and its code is kept for the next page.
 */
const SHORT_LIVED = '--js-flags=--no-maglev --no-turbofan --always-sparkplug --no-flush-bytecode';

/** One fake camera for each of six participants. If a flag is given twice, the last one applies. */
const SLOW_CAMERAS = '--use-fake-device-for-media-stream=device-count=6,fps=5';

/** `isMeasured`: the test measures performance, so code is optimised as for real users. */
export async function launchBrowser({ isMeasured = true, hasSlowCameras = false } = {}): Promise<Browser> {
  const more = [...(isMeasured ? [] : [SHORT_LIVED]), ...(hasSlowCameras ? [SLOW_CAMERAS] : [])];
  return chromium.launch({ executablePath: CHROMIUM, args: [...flags, ...more] });
}

/**
 * Starts a browser with a persistent profile in this folder, which keeps its cache and compiled code. Other browsers
 * forget both, like private windows.
 */
export async function launchProfile(folder: string, options: BrowserContextOptions): Promise<BrowserContext> {
  return chromium.launchPersistentContext(folder, { executablePath: CHROMIUM, args: flags, ...options });
}

/** Copies the sign-in state of another browser. */
export async function takeOver(context: BrowserContext, address: string, retained: SignedIn): Promise<void> {
  await context.addCookies(retained.cookies);
  const page = await context.newPage();
  await page.goto(`${address}${NOWHERE}`);
  await page.evaluate(startWith, storedOf(retained));
  await page.close();
}

export type Watched = {
  context: BrowserContext;
  page: Page;
  /** Opens a further page in the same browser, with the size of the first one. */
  another: () => Promise<Page>;
  /** Requests to addresses other than the server's; those to other machines were blocked. */
  foreign: string[];
  /** Uncaught errors and console errors of the page. */
  errors: string[];
  /** Violations of the content security policy: directive and address. */
  violations: string[];
  /** Returns the requests that keep the page busy; empty once everything is loaded. */
  restless: () => string[];
};

export type View = {
  width?: number;
  height?: number;
  scheme?: 'dark' | 'light';
  touch?: boolean;
  /** Opens the map of places. It takes seconds to draw in software, so it is only opened by tests that need it. */
  places?: boolean;
  /** Cookies and local storage of a browser that is already logged in. */
  kept?: SignedIn;
  /** Host and port of another server that the page may access. */
  besides?: string;
};

export type SignedIn = Awaited<ReturnType<BrowserContext['storageState']>>;

/** Opens a page that can access only the server, and records every attempt to access others. */
export async function openPage(browser: Browser, address: string, view: View = {}): Promise<Watched> {
  return (await makeSeat(browser, address, view)).take(view);
}

/** A browser context that is used by one person after another. */
export type Seat = {
  /** Resets a used page to a new state, in the same process with its compiled code. */
  take: (view: View) => Promise<Watched>;
  /** Ends all activity of the page. */
  leave: () => Promise<void>;
};

/** A page of the server without any code: another origin would end the process. */
const NOWHERE = '/api/health';

/**
 * Maximum time to leave a page, in milliseconds, after which the context is discarded, for example if the page was
 * navigating.
 */
const LEAVING_MS = 10_000;

/** Events that tests may listen to, whose listeners are removed afterwards. */
const EVENTS = [
  'console',
  'dialog',
  'download',
  'filechooser',
  'framenavigated',
  'pageerror',
  'popup',
  'request',
  'requestfailed',
  'requestfinished',
  'response',
  'websocket',
] as const;

/** `density`: device pixels per CSS pixel, along each axis. */
export async function makeSeat(browser: Browser, address: string, view: View, density = 1): Promise<Seat> {
  const context = await browser.newContext({
    deviceScaleFactor: density,
    hasTouch: view.touch ?? false,
    viewport: sizeOf(view),
    ...mediaOf(view),
    baseURL: address,
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write', 'camera', 'microphone'],
  });
  context.setDefaultTimeout(PATIENCE_MS);
  let violations: string[] = [];
  await context.exposeBinding('ospreyTestViolation', (_source, text: string) => void violations.push(text));
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      (window as unknown as { ospreyTestViolation: (text: string) => void }).ospreyTestViolation(
        `${effectiveDirective} ${blockedURI}`,
      ),
    );
  });
  const page = await context.newPage();
  await page.goto(NOWHERE);
  return {
    async take(view) {
      const { scheme = 'dark', places = false, kept: retained, besides } = view;
      const fit = async (what: Page) => {
        await what.setViewportSize(sizeOf(view));
        await what.emulateMedia(mediaOf(view));
      };
      const another = async () => {
        const further = await context.newPage();
        await fit(further);
        return further;
      };
      await fit(page);
      await context.clearCookies();
      await context.addCookies(retained?.cookies ?? []);
      const stored = new Map(retained && storedOf(retained));
      // Dark is the default, regardless of the browser's preference.
      if (scheme === 'light') stored.set('mui-mode', 'light');
      else stored.delete('mui-mode');
      if (places) stored.delete('missionsTopHeight');
      else stored.set('missionsTopHeight', '{"height":344,"closed":true}');
      await page.evaluate(startWith, [...stored]);
      const watched = { ...watch(context, page, [new URL(address).host, besides]), another };
      violations = watched.violations;
      return watched;
    },
    async leave() {
      for (const other of context.pages()) if (other !== page) await other.close();
      await page.unrouteAll({ behavior: 'ignoreErrors' });
      // Moves the pointer away from all elements.
      await page.mouse.move(-1, -1);
      await page.goto(NOWHERE, { timeout: LEAVING_MS });
      // Listeners are removed only now, since requests made while a page ends still belong to it.
      for (const event of EVENTS) page.removeAllListeners(event);
      context.removeAllListeners('request');
    },
  };
}

const sizeOf = ({ width = 1440, height = 900 }: View) => ({ width, height });

/**
 * Returns the media settings. Motion is reduced, since on a busy machine a moving element can slip away between press
 * and release of a click.
 */
const mediaOf = ({ scheme = 'dark' }: View) => ({ colorScheme: scheme, reducedMotion: 'reduce' }) as const;

const storedOf = (retained: SignedIn): [name: string, value: string][] =>
  retained.origins[0]?.localStorage.map(({ name, value }) => [name, value]) ?? [];

/** Runs inside the page. */
async function startWith(stored: [string, string][]): Promise<void> {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) {
    await new Promise((resolve, reject) =>
      Object.assign(indexedDB.deleteDatabase(name!), { onsuccess: resolve, onerror: reject, onblocked: reject }),
    );
  }
  for (const [name, value] of stored) localStorage.setItem(name, value);
}

function watch(context: BrowserContext, page: Page, known: readonly (string | undefined)[]): Omit<Watched, 'another'> {
  const [foreign, errors]: [string[], string[]] = [[], []];
  context.on('request', (request) => {
    const { host, protocol } = new URL(request.url());
    if (!known.includes(host) && !['blob:', 'data:', 'mailto:'].includes(protocol)) foreign.push(request.url());
  });
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') errors.push(message.text());
  });
  return { context, page, foreign, errors, violations: [], restless: requestsOf(page) };
}

/** Time without requests after which a page counts as loaded, in milliseconds. */
const QUIET_MS = 500;

/**
 * Returns the requests that keep a page busy: those without an answer, and those that started just now. Requests of an
 * earlier document do not count.
 */
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
