import { setTimeout as delay } from 'node:timers/promises';
import { PRODUCT_VERSION } from '@osprey/contract';
import { requestAudit } from '../base/audit/request-audit.ts';
import { readSetting, writeSetting } from '../base/db/settings.ts';
import type { Http } from '../base/http/call-route.ts';
import type { Restart } from '../features/system/restart.ts';
import { updatePackages } from '../features/updates/packages.ts';
import { updateRoutes } from '../features/updates/routes.ts';
import { type UpdateRun, updateRun } from '../features/updates/run.ts';
import { backUpRows } from './backups.ts';
import type { Dependencies } from './dependencies.ts';

const CHECK_MS = 1000;

type Options = { http: Http; dependencies: Dependencies; databaseUrl: string; restart: Restart | null };

/** Lists and installs the site's update packages, and records the outcome of updates in the audit. */
export function serveUpdates({ http, dependencies, databaseUrl, restart }: Options): { close: () => Promise<void> } {
  const { config, db, nowUs, log } = dependencies;
  const { updateDir, updateKey } = config;
  const source = updateDir === null || updateKey === null ? null : { folder: updateDir, keyFile: updateKey };
  const ownAudit = requestAudit(http.auditWriter, { actor: null, session: null, address: '' }, nowUs);
  const run = updateRun({
    dataDir: config.dataDir,
    installed: PRODUCT_VERSION,
    backUp: () => backUpRows(config, databaseUrl),
    switchRelease: () => restart?.switchRelease(),
    nowUs,
    log,
  });
  updateRoutes({
    ...http,
    packages: source && updatePackages({ source, installed: PRODUCT_VERSION }),
    run,
    installed: PRODUCT_VERSION,
    canSwitch: restart !== null,
    ownAudit,
  });

  const notified = {
    read: () => readSetting(db, 'updateTold'),
    write: (time: number) => writeSetting(db, 'updateTold', time),
  };
  const closing = new AbortController();
  /**
   * Writes the audit row once the update's trial is over. A release is on trial for some seconds after its api process
   * has started.
   */
  async function notifyOnce(): Promise<void> {
    while (!closing.signal.aborted && (await run.isOnTrial())) {
      await delay(CHECK_MS, undefined, { signal: closing.signal }).catch(() => undefined);
    }
    if (!closing.signal.aborted) await notify(run, ownAudit, notified);
  }
  const notifying = notifyOnce().catch((error) => log.warn({ error }, 'the update was not noted'));
  return {
    async close() {
      closing.abort();
      await notifying;
    },
  };
}

type NotifiedTime = { read: () => Promise<number>; write: (time: number) => Promise<void> };

/** Writes one audit row for each update. It is written by the version that runs after the update. */
async function notify(run: UpdateRun, audit: ReturnType<typeof requestAudit>, notified: NotifiedTime): Promise<void> {
  const last = await run.last();
  if (last === null || last.result === 'failed' || last.time <= (await notified.read())) return;
  const restored = last.restored === null ? null : `The database is that of backup ${last.restored}.`;
  const reason = [last.reason, restored].filter((text) => text !== null).join(' ');
  const action = last.result === 'done' ? 'server.updated' : 'server.rolledBack';
  await audit.write({ action, result: `${last.from} to ${last.version}`, ...(reason !== '' && { reason }) });
  await notified.write(last.time);
}
