import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { type Api, apiOf } from './api.ts';
import { launchBrowser, openPage, type SignedIn, type View, type Watched } from './browser.ts';
import { makeRecordings, type Recordings } from './recordings.ts';
import { logIn, untilListed } from './screens.ts';
import { ADMIN, type RunningServer, startServer } from './server.ts';

type Account = { username: string; password: string };

export type Stage = {
  server: RunningServer;
  browser: Browser;
  recordings: Recordings;
  /** As the superAdmin. */
  api: Api;
  /** A browser of its own for one person; closed at the end. */
  open: (view?: View) => Promise<Watched>;
  /** The same, signed in and on the missions page; an account goes through the login form once only. */
  signedIn: (view?: View, account?: Account) => Promise<Watched>;
};

/** A server, a browser and a folder of recordings for the tests of one file; all of it gone afterwards. */
export function stageFor(env: Record<string, string> = {}): Stage {
  const stage = {} as Stage;
  beforeAll(async () => {
    const [server, browser, recordings] = await Promise.all([startServer(env), launchBrowser(), makeRecordings()]);
    const open = (view?: View) => openPage(browser, server.address, view);
    const signedIn = signer(open);
    Object.assign(stage, { server, browser, recordings, open, signedIn, api: apiOf(server.address) });
  });
  afterAll(async () => {
    await stage.browser?.close();
    await stage.server?.stop();
    await stage.recordings?.remove();
  });
  return stage;
}

function signer(open: Stage['open']): Stage['signedIn'] {
  const kept = new Map<string, SignedIn>();
  return async (view = {}, account = ADMIN) => {
    const known = kept.get(account.username);
    const watched = await open(known ? { ...view, kept: known } : view);
    if (known === undefined) {
      await logIn(watched.page, account);
      kept.set(account.username, await watched.context.storageState());
      return watched;
    }
    await watched.page.goto('/missions');
    await untilListed(watched.page);
    return watched;
  };
}
