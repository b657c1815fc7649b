import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import {
  launchBrowser,
  makeSeat,
  type Seat,
  type SignedIn,
  type View,
  type Watched,
} from '../../tools/test-support/browser/browser.ts';
import { fillLogin, untilListed } from '../../tools/test-support/browser/screens.ts';
import { type Api, apiOf } from '../../tools/test-support/data/api.ts';
import { makeRecordings, type Recordings } from '../../tools/test-support/data/recordings.ts';
import { ADMIN, type RunningServer } from '../../tools/test-support/server.ts';
import { ownServer, sharedServer } from './housed-server.ts';
import { noteFailure } from './on-failure.ts';

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
  /** API client signed in as superAdmin. */
  api: Api;
  /** Opens a browser for one person, which is closed at the end. */
  open: (view?: View) => Promise<Visitor>;
  /**
   * Opens a browser, signed in and on a page, by default that of the missions. The login form is used only once for
   * each account.
   */
  signedIn: (view?: View, account?: Account, path?: string) => Promise<Visitor>;
};

/**
 * Pixel density. Half the density leaves a quarter of the pixels to draw in software, without a change to the layout.
 * Screenshots to be looked at have full density.
 */
const DENSITY = process.env.OSPREY_TEST_SHOTS ? 1 : 0.5;

type How = {
  /** The test measures the browser, so it has one of its own. */
  isMeasured?: boolean;
  /** The test checks lines of one pixel, so the full density is used. */
  isFine?: boolean;
  /**
   * Six participants call each other from this machine, which could not handle twenty pictures per second of each
   * camera.
   */
  hasSlowCameras?: boolean;
  /** The test creates only missions, users and user groups, so its server is reused by the next file that shares it. */
  isShared?: boolean;
};

/** A browser and its free contexts, separately for touch screens and mouse. */
type Room = { browser: Browser; free: Record<'touch' | 'mouse', Seat[]> };

const roomWith = (browser: Browser): Room => ({ browser, free: { touch: [], mouse: [] } });

/** Kept by the worker across test files. */
const ofWorker = { room: null as Promise<Room> | null };

async function roomOfWorker(): Promise<Room> {
  if (!(await ofWorker.room)?.browser.isConnected())
    ofWorker.room = launchBrowser({ isMeasured: false }).then(roomWith);
  return ofWorker.room!;
}

/**
 * Provides a server, browsers and a folder of recordings for the tests of one file, and removes them afterwards. Fails
 * if a page requested anything from another machine (T-111), or violated its content security policy.
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
    // Reused contexts are suitable only for tests with the usual density.
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
          // The test may have stopped the server.
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
    // Closes contexts that the tests did not close.
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
      // A visitor who is not logged in is sent to the login, and from there to the requested page.
      await fillLogin(page, account);
      await page.waitForURL(({ pathname }) => pathname === path.split('?')[0]);
      cached.set(account.username, await context.storageState());
    }
    if (path === MISSIONS) await untilListed(page);
    return watched;
  };
}
