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

/** Chromium built without windows (headless shell): drawing windows takes a third of the processor time of a page. */
const LIGHT = '/usr/lib/chromium/chromium-headless-shell';
const CHROMIUM = process.env.OSPREY_CHROMIUM ?? (existsSync(LIGHT) ? LIGHT : '/usr/bin/chromium');

/** A loaded machine of two cores draws the map in software: what it waits for may take long, but comes. */
const PATIENCE_MS = 90_000;

/**
 * The flags that a headless Chromium needs to stay on this machine and to draw the map in software. Only the map goes
 * through the software GPU: every page through it as well would take a third of the processors' time.
 */
export const flags = [
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Without this limit Chromium keeps a spare process for a next page: a fifth of the cost of a page.
  '--renderer-process-limit=1',
  // Other hosts are blocked here: Playwright's routes would delay each request, and switch the page's cache off.
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  '--disable-gpu-compositing',
  '--use-gl=angle',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  '--autoplay-policy=no-user-gesture-required',
  // A camera that shows a clock, and a microphone that beeps; calls between pages of this machine.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--allow-loopback-in-peer-connection',
];

/**
 * A page that lives for some seconds is not worth optimised code: its compiling took a quarter of the processors' time.
 * Quick compilation is worth it, and is kept for the next page.
 */
const SHORT_LIVED = '--js-flags=--no-maglev --no-turbofan --always-sparkplug --no-flush-bytecode';

/** One camera for each of six people. Where a flag is given twice, the last one holds. */
const SLOW_CAMERAS = '--use-fake-device-for-media-stream=device-count=6,fps=5';

/** `isMeasured`: figures are held against it, so that its code is optimised as at its users'. */
export async function launchBrowser({ isMeasured = true, hasSlowCameras = false } = {}): Promise<Browser> {
  const more = [...(isMeasured ? [] : [SHORT_LIVED]), ...(hasSlowCameras ? [SLOW_CAMERAS] : [])];
  return chromium.launch({ executablePath: CHROMIUM, args: [...flags, ...more] });
}

/** A browser with a profile: its cache and compiled code stay in this folder. Others forget, as private windows do. */
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
  /** A further page of the same browser, as large as the first one. */
  another: () => Promise<Page>;
  /** Requests that wanted to leave the server's own address; another machine's was blocked. */
  foreign: string[];
  /** Uncaught errors and console errors of the page. */
  errors: string[];
  /** Violations of the content security policy: directive and address. */
  violations: string[];
  /** Requests that keep the page busy; empty once it has all it wants. */
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
export async function openPage(browser: Browser, address: string, view: View = {}): Promise<Watched> {
  return (await makeSeat(browser, address, view)).take(view);
}

/** A browser of its own for one person after another. */
export type Seat = {
  /** Resets a used page as if it were new, in the same process, with all that it compiled. */
  take: (view: View) => Promise<Watched>;
  /** Ends what the page does. */
  leave: () => Promise<void>;
};

/** A page of the server without any code: another origin would end the process. */
const NOWHERE = '/api/health';

/** A seat that takes longer to leave, as where the page was leaving for elsewhere, is not waited for: it is given up. */
const LEAVING_MS = 10_000;

/** Events that a test may listen to. */
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

/** `density`: pixels that are drawn for one of the page, from side to side. */
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
      // Dark is the default, for any preference of the browser.
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
      // The pointer is over no element.
      await page.mouse.move(-1, -1);
      await page.goto(NOWHERE, { timeout: LEAVING_MS });
      // Only now: what a page asks for while it ends is its own still.
      for (const event of EVENTS) page.removeAllListeners(event);
      context.removeAllListeners('request');
    },
  };
}

const sizeOf = ({ width = 1440, height = 900 }: View) => ({ width, height });

/** Moving elements can slip away between the press and the release of a click on a busy machine. */
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

/** After this time without a request a page has what it wants. */
const QUIET_MS = 500;

/**
 * Requests that keep a page busy: those that wait for their answer, or were begun just now; none of an earlier
 * document.
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
