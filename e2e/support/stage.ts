import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, inject } from 'vitest';
import { copyCluster } from '../../tools/test-support/copy-cluster.ts';
import { freePort } from '../../tools/test-support/free-port.ts';
import { databaseRoot, removeLeftOver } from '../../tools/test-support/memory-folder.ts';
import { type Api, apiOf } from './api.ts';
import { launchBrowser, makeSeat, type Seat, type SignedIn, type View, type Watched } from './browser.ts';
import { noteFailure } from './on-failure.ts';
import { makeRecordings, type Recordings } from './recordings.ts';
import { fillLogin, untilListed } from './screens.ts';
import { ADMIN, type RunningServer, startServer } from './server.ts';

const MISSIONS = '/missions';

type Account = { username: string; password: string };

/** Who sits in a browser of their own. */
export type Visitor = Watched & {
  /** Leaves the browser to the next one, who finds nothing of this one there. */
  close: () => Promise<void>;
};

export type Stage = {
  server: RunningServer;
  recordings: Recordings;
  /** As the superAdmin. */
  api: Api;
  /** A browser of its own for one person; closed at the end. */
  open: (view?: View) => Promise<Visitor>;
  /** The same, signed in and on a page, that of the missions unless said; an account goes through the login form once only. */
  signedIn: (view?: View, account?: Account, path?: string) => Promise<Visitor>;
};

const DATABASES = 'osprey-e2e-database-';

/** Below those that systems give to connections: between two servers nobody else gets it. */
const [PORTS_FROM, PORTS] = [20_000, 10_000];

type How = {
  /** It holds figures against the browser, which then is its own. */
  isMeasured?: boolean;
};

/** A browser and its seats where nobody sits, by whether the screen is touched. */
type Room = { browser: Browser; free: Record<'touch' | 'mouse', Seat[]> };

const roomWith = async (launched: Promise<Browser>): Promise<Room> => ({
  browser: await launched,
  free: { touch: [], mouse: [] },
});

/**
 * Of the worker that runs the tests, for one file after another. Their servers listen at one port, so that a seat serves
 * them all: the first page of a new one costs as much as two of the next.
 */
const ofWorker = { room: null as Promise<Room> | null, port: null as Promise<number> | null };

async function roomOfWorker(): Promise<Room> {
  if (!(await ofWorker.room)?.browser.isConnected()) ofWorker.room = roomWith(launchBrowser({ isMeasured: false }));
  return ofWorker.room!;
}

function portOfWorker(): Promise<number> {
  ofWorker.port ??= freePort(PORTS_FROM + (process.pid % PORTS));
  return ofWorker.port;
}

/**
 * A server, browsers and a folder of recordings for the tests of one file; all of it gone afterwards. No page of any
 * test may have asked another machine for anything (T-111), or tried what its content security policy forbids.
 */
export function stageFor(env: Record<string, string> = {}, { isMeasured = false }: How = {}): Stage {
  const stage = {} as Stage;
  const seated = new Set<Visitor>();
  const all: Watched[] = [];
  let room: Room | null = null;
  let databases: string | null = null;
  beforeAll(async () => {
    await removeLeftOver(DATABASES);
    databases = await mkdtemp(join(databaseRoot(), `${DATABASES}${process.pid}-`));
    // PostgreSQL, which does not run as root, must be able to pass through.
    await chmod(databases, 0o755);
    const database = join(databases, 'postgres');
    await copyCluster(inject('readyCluster').folder, database);
    const port = isMeasured ? 0 : await portOfWorker();
    const [server, entered, recordings] = await Promise.all([
      startServer({ OSPREY_DATABASE_DIR: database, OSPREY_PORT: String(port), ...env }),
      isMeasured ? roomWith(launchBrowser()) : roomOfWorker(),
      makeRecordings(),
    ]);
    room = entered;
    const { browser, free } = entered;
    const open = async (view: View = {}): Promise<Visitor> => {
      const seats = view.touch ? free.touch : free.mouse;
      const seat = seats.pop() ?? (await makeSeat(browser, server.address, view));
      const visitor: Visitor = {
        ...(await seat.take(view)),
        async close() {
          if (!seated.delete(visitor)) return;
          // A test may have taken the server away.
          await seat.leave().then(
            () => void seats.push(seat),
            () => visitor.context.close(),
          );
        },
      };
      seated.add(visitor);
      all.push(visitor);
      return visitor;
    };
    const signedIn = signer(open);
    Object.assign(stage, { server, recordings, open, signedIn, api: apiOf(server.address) });
  });
  beforeEach((test) => noteFailure(test, seated, () => stage.server));
  afterAll(async () => {
    // Those that nobody left.
    await Promise.all([...seated].map(({ context }) => context.close()));
    await Promise.all([isMeasured && room?.browser.close(), stage.server?.stop(), stage.recordings?.remove()]);
    if (databases !== null) await rm(databases, { recursive: true, force: true });
    expect(all.flatMap(({ foreign }) => foreign)).toEqual([]);
    expect(all.flatMap(({ violations }) => violations)).toEqual([]);
  });
  return stage;
}

function signer(open: Stage['open']): Stage['signedIn'] {
  const kept = new Map<string, SignedIn>();
  return async (view = {}, account = ADMIN, path = MISSIONS) => {
    const known = kept.get(account.username);
    const watched = await open(known ? { ...view, kept: known } : view);
    const { page, context } = watched;
    await page.goto(path);
    if (known === undefined) {
      // Strangers are sent to the login, and from there to where they wanted to go.
      await fillLogin(page, account);
      await page.waitForURL(({ pathname }) => pathname === path.split('?')[0]);
      kept.set(account.username, await context.storageState());
    }
    if (path === MISSIONS) await untilListed(page);
    return watched;
  };
}
