import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { databaseRoot, removeLeftOver } from '../../tools/test-support/memory-folder.ts';
import { type Api, apiOf } from './api.ts';
import { launchBrowser, openPage, type SignedIn, type View, type Watched } from './browser.ts';
import { noteFailure } from './on-failure.ts';
import { makeRecordings, type Recordings } from './recordings.ts';
import { fillLogin, untilListed } from './screens.ts';
import { ADMIN, type RunningServer, startServer } from './server.ts';

const MISSIONS = '/missions';

type Account = { username: string; password: string };

export type Stage = {
  server: RunningServer;
  browser: Browser;
  recordings: Recordings;
  /** As the superAdmin. */
  api: Api;
  /** A browser of its own for one person; closed at the end. */
  open: (view?: View) => Promise<Watched>;
  /** The same, signed in and on a page, that of the missions unless said; an account goes through the login form once only. */
  signedIn: (view?: View, account?: Account, path?: string) => Promise<Watched>;
};

const DATABASES = 'osprey-e2e-database-';

/**
 * A server, a browser and a folder of recordings for the tests of one file; all of it gone afterwards. No page of any
 * test may have asked another machine for anything (T-111), or tried what its content security policy forbids.
 */
export function stageFor(env: Record<string, string> = {}): Stage {
  const stage = {} as Stage;
  const opened: Watched[] = [];
  let databases: string | null = null;
  beforeAll(async () => {
    await removeLeftOver(DATABASES);
    databases = await mkdtemp(join(databaseRoot(), `${DATABASES}${process.pid}-`));
    // PostgreSQL, which does not run as root, must be able to pass through.
    await chmod(databases, 0o755);
    const [server, browser, recordings] = await Promise.all([
      startServer({ OSPREY_DATABASE_DIR: join(databases, 'postgres'), ...env }),
      launchBrowser(),
      makeRecordings(),
    ]);
    const open = async (view?: View) => {
      const watched = await openPage(browser, server.address, view);
      opened.push(watched);
      return watched;
    };
    const signedIn = signer(open);
    Object.assign(stage, { server, browser, recordings, open, signedIn, api: apiOf(server.address) });
  });
  beforeEach((test) => noteFailure(test, opened, () => stage.server));
  afterAll(async () => {
    await Promise.all([stage.browser?.close(), stage.server?.stop(), stage.recordings?.remove()]);
    if (databases !== null) await rm(databases, { recursive: true, force: true });
    expect(opened.flatMap(({ foreign }) => foreign)).toEqual([]);
    expect(opened.flatMap(({ violations }) => violations)).toEqual([]);
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
