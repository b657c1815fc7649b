import { auditDirectories } from '../base/audit/directories.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import { publicKeysOf } from '../base/audit/signing-key.ts';
import { auditWriter } from '../base/audit/writer.ts';
import type { Config } from '../base/config/config.ts';
import { connect } from '../base/db/connect.ts';
import { removeOldAudit } from '../features/audit/retention.ts';

const DAY_MS = 24 * 3600 * 1000;
/** Statements have no time limit, since the first run may remove millions of rows. */
const STATEMENT_TIMEOUT_MS = 0;

export type AuditKeeping = { stop: () => void };

type Keeping = {
  config: Readonly<Config>;
  /**
   * Returns the address of the database for the schema's owner. Called at each run, since the address changes if the
   * database was restarted elsewhere.
   */
  ownerUrl: () => string;
  warn: (line: string) => void;
};

/**
 * Removes expired audit rows at the start and once a day. The main process does this, since the serving processes have
 * no right to remove audit rows.
 */
export function keepAudit({ config, ownerUrl, warn }: Keeping): AuditKeeping {
  const { auditKeepDays: keepDays, dataDir } = config;
  if (keepDays === null) return { stop: () => undefined };
  const nowUs = () => Date.now() * 1000;

  async function remove(days: number): Promise<void> {
    const db = connect({ url: ownerUrl(), max: 1, statementTimeoutMs: STATEMENT_TIMEOUT_MS });
    try {
      const writer = auditWriter({ db, node: 'main', log: { error: (_fields, text) => warn(text) } });
      const audit = requestAudit(writer, { actor: null, session: null, address: '' }, nowUs);
      const keys = await publicKeysOf(auditDirectories(dataDir).keys);
      await removeOldAudit({ db, keys, keepDays: days, nowUs, audit });
    } finally {
      await db.destroy();
    }
  }

  let working: Promise<void> = Promise.resolve();
  function run(days: number): void {
    working = working
      .then(() => remove(days))
      .catch((error: Error) => warn(`Old rows of the audit were not removed: ${error.message}`));
  }
  const timer = setInterval(() => run(keepDays), DAY_MS);
  run(keepDays);
  // No need to wait for a run in progress: it is one transaction, which is rolled back when its connection closes.
  return { stop: () => clearInterval(timer) };
}
