import type { Db } from '../access/as-system.ts';
import { aboutNow } from '../audit/about-now.ts';
import type { RequestAudit } from '../audit/request-audit.ts';

/**
 * Maximum number of damaged files that are reported individually. A larger number has a common cause and is reported in
 * a single log line and audit row.
 */
export const NAMED = 10;

/** `text`: place and fault. `itemId`: mission or document. */
export type FoundDamage = { id: string; itemId: string; text: string };

export type ReportDamageDeps = {
  db: Db;
  audit: Pick<RequestAudit, 'write'>;
  log: { error: (fields: object, text: string) => void };
};

/** Reports damaged files in the log and the audit. */
export async function reportDamage({ db, audit, log }: ReportDamageDeps, found: readonly FoundDamage[]): Promise<void> {
  const first = found.slice(0, NAMED).map(({ text }) => text);
  if (found.length > NAMED) {
    log.error({ files: found.length, first }, 'stored files are damaged');
    const reason = `${found.length} files, the first: ${first.join('; ')}`;
    // The highest label is used, since the files may belong to items of any label.
    return audit.write({ action: 'file.damaged', itemLabel: 'TOP SECRET', result: 'found', reason });
  }
  for (const { id, itemId, text } of found) {
    log.error({ item: id, fault: text }, 'a stored file is damaged');
    await audit.write({ action: 'file.damaged', ...(await aboutNow(db, itemId)), result: 'found', reason: text });
  }
}
