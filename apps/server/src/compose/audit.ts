import { classificationRank } from '@osprey/contract';
import { auditCheckpoints, missingTail } from '../base/audit/checkpoints.ts';
import { auditDirectories } from '../base/audit/directories.ts';
import { type AuditIntents, auditIntents } from '../base/audit/intents.ts';
import { auditRepository } from '../base/audit/repository.ts';
import { publicKeysOf, signingKey } from '../base/audit/signing-key.ts';
import { auditViews } from '../base/audit/views.ts';
import { type AuditWriter, auditWriter } from '../base/audit/writer.ts';
import type { Http } from '../base/http/call-route.ts';
import type { Hub } from '../base/ws/hub.ts';
import { userMessages } from '../features/activity/messages.ts';
import { activityRepository } from '../features/activity/repository.ts';
import { activityRoutes } from '../features/activity/routes.ts';
import { openSessions } from '../features/activity/sessions.ts';
import { auditRoutes } from '../features/audit/routes.ts';
import type { Dependencies } from './dependencies.ts';

export type Audit = {
  writer: AuditWriter;
  intents: AuditIntents;
  /** A sentence where signed rows are missing from the end of a chain; otherwise null. */
  missingTail: () => Promise<string | null>;
  close: () => Promise<void>;
};

/**
 * Opens the audit of the api process: its writer and its signed checkpoints. Also writes the rows of changes that an
 * earlier process left unfinished.
 */
export async function openAudit({ db, config, log, nowUs, nowMs }: Dependencies): Promise<Audit> {
  const directories = auditDirectories(config.dataDir);
  const checkpoints = auditCheckpoints({
    db,
    key: await signingKey(directories.keys),
    file: directories.checkpoints,
    // Logged as a warning, so that it is forwarded at the default log level too.
    forward: config.syslog === null ? undefined : (signed) => log.warn({ checkpoint: signed }, 'audit checkpoint'),
    nowUs,
    nowMs,
    log,
  });
  const writer = auditWriter({ db, node: 'api', committed: checkpoints.written, log });
  const intents = auditIntents({ db, node: 'api', log });
  await intents.settle(writer);
  return {
    writer,
    intents,
    missingTail: () => missingTail(db, directories.checkpoints),
    async close() {
      await writer.drain();
      await checkpoints.close();
    },
  };
}

type Options = {
  http: Http;
  dependencies: Dependencies;
  hub: Pick<Hub, 'pagesOf'>;
  /** Notifies an account's open pages of a change that was made to the account. */
  notifyAccount: (userId: string, action: string) => void;
};

/** Serves the audit: the record of users' actions for admins and group admins, and the whole audit. */
export function serveAudit({ http, dependencies, hub, notifyAccount }: Options): void {
  const { db, config, items, nowUs, nowMs } = dependencies;
  const { keys, checkpoints: checkpointFile } = auditDirectories(config.dataDir);
  const rows = auditRepository({ db, items, systemHigh: classificationRank(config.systemHigh) });
  const views = auditViews(nowMs);
  activityRoutes({
    ...http,
    views,
    activity: activityRepository({ db, items, audit: rows }),
    sessions: openSessions({ db, nowUs }),
    messages: userMessages({ db, nowUs }),
    notifyAccount,
    pagesOf: hub.pagesOf,
  });
  auditRoutes({ ...http, db, rows, views, checkpointFile, publicKeys: () => publicKeysOf(keys), nowMs });
}
