import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { type Api, apiOf } from './api.ts';
import { launchBrowser, makeSeat, type Seat, type SignedIn, type View, type Watched } from './browser.ts';
import { ownServer, sharedServer } from './housed-server.ts';
import { noteFailure } from './on-failure.ts';
import { makeRecordings, type Recordings } from './recordings.ts';
import { fillLogin, untilListed } from './screens.ts';
import { ADMIN, type RunningServer } from './server.ts';

const MISSIONS = '/missions';

type Account = { username: string; password: string };

/** A user in a browser of their own. */
export type Visitor = Watched & {
  /** Leaves the browser to the next user, without any state. */
  close: () => Promise<void>;
};

export type Stage = {
  server: RunningServer;
  recordings: Recordings;
  /** As the superAdmin. */
  api: Api;
  /** A browser of its own for one person; closed at the end. */
  open: (view?: View) => Promise<Visitor>;
  /**
   * The same, signed in and on a page, by default that of the missions; an account goes through the login form once
   * only.
   */
  signedIn: (view?: View, account?: Account, path?: string) => Promise<Visitor>;
};

/**
 * A quarter of the pixels, which are all drawn in software; layout is not changed by it. Pictures that are kept to be
 * looked at have all of them.
 */
const DENSITY = process.env.OSPREY_TEST_SHOTS ? 1 : 0.5;

type How = {
  /** The test measures the browser, which it then does not share with others. */
  isMeasured?: boolean;
  /** The test looks for lines as thin as a pixel: all pixels are drawn. */
  isFine?: boolean;
  /** Six people call each other from this machine, which twenty pictures a second of each camera would stop. */
  hasSlowCameras?: boolean;
  /** The test makes only missions, users and usergroups: its server is handed on to the next file that shares it. */
  isShared?: boolean;
};

/** A browser and its free seats, by whether the screen is touched. */
type Room = { browser: Browser; free: Record<'touch' | 'mouse', Seat[]> };

const roomWith = (browser: Browser): Room => ({ browser, free: { touch: [], mouse: [] } });

/** Kept by the worker for one file after another. */
const ofWorker = { room: null as Promise<Room> | null };

async function roomOfWorker(): Promise<Room> {
  if (!(await ofWorker.room)?.browser.isConnected())
    ofWorker.room = launchBrowser({ isMeasured: false }).then(roomWith);
  return ofWorker.room!;
}

/**
 * A server, browsers and a folder of recordings for the tests of one file; all of it gone afterwards. No page of any
 * test may have asked another machine for anything (T-111), or tried what its content security policy forbids.
 */
export function stageFor(
  env: Record<string, string> = {},
  { isMeasured = false, isFine = false, hasSlowCameras = false, isShared = false }: How = {},
): Stage {
  const stage = {} as Stage;
  const seated = new Set<Visitor>();
  const all: Watched[] = [];
  let room: Room | null = null;
  let removeServer = async () => {};
  const isOwn = isMeasured || hasSlowCameras;
  const density = isMeasured || isFine ? 1 : DENSITY;
  const entering = async () => {
    if (isOwn) return roomWith(await launchBrowser({ isMeasured, hasSlowCameras }));
    const ofAll = await roomOfWorker();
    // Pooled contexts fit scenes of the usual density only.
    return isFine ? roomWith(ofAll.browser) : ofAll;
  };
  const housed = async () => {
    if (isShared) return sharedServer();
    const { server, remove } = await ownServer(env, isMeasured);
    removeServer = remove;
    return server;
  };
  beforeAll(async () => {
    const [server, entered, recordings] = await Promise.all([housed(), entering(), makeRecordings()]);
    room = entered;
    const { browser, free } = entered;
    const open = async (view: View = {}): Promise<Visitor> => {
      const seats = view.touch ? free.touch : free.mouse;
      const seat = seats.pop() ?? (await makeSeat(browser, server.address, view, density));
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
    // Contexts that the tests did not close.
    await Promise.all([...seated].map(({ context }) => context.close()));
    await Promise.all([isOwn && room?.browser.close(), removeServer(), stage.recordings?.remove()]);
    expect(all.flatMap(({ foreign }) => foreign)).toEqual([]);
    expect(all.flatMap(({ violations }) => violations)).toEqual([]);
  });
  return stage;
}

function signer(open: Stage['open']): Stage['signedIn'] {
  const cached = new Map<string, SignedIn>();
  return async (view = {}, account = ADMIN, path = MISSIONS) => {
    const known = cached.get(account.username);
    const watched = await open(known ? { ...view, kept: known } : view);
    const { page, context } = watched;
    await page.goto(path);
    if (known === undefined) {
      // Strangers are sent to the login, and from there to where they wanted to go.
      await fillLogin(page, account);
      await page.waitForURL(({ pathname }) => pathname === path.split('?')[0]);
      cached.set(account.username, await context.storageState());
    }
    if (path === MISSIONS) await untilListed(page);
    return watched;
  };
}
