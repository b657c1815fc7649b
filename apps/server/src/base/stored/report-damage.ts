import type { Db } from '../access/as-system.ts';
import { aboutNow } from '../audit/about-now.ts';
import type { RequestAudit } from '../audit/request-audit.ts';

/** Number of damaged files that are named each. More at once have one cause, so they share one line and one row. */
export const NAMED = 10;

/** `text`: place and fault. `itemId`: mission or document. */
export type FoundDamage = { id: string; itemId: string; text: string };

export type ReportDamageDeps = {
  db: Db;
  audit: Pick<RequestAudit, 'write'>;
  log: { error: (fields: object, text: string) => void };
};

/** Writes damaged files to the log and the audit. */
export async function reportDamage({ db, audit, log }: ReportDamageDeps, found: readonly FoundDamage[]): Promise<void> {
  const first = found.slice(0, NAMED).map(({ text }) => text);
  if (found.length > NAMED) {
    log.error({ files: found.length, first }, 'stored files are damaged');
    const reason = `${found.length} files, the first: ${first.join('; ')}`;
    // The files may be of items with any label.
    return audit.write({ action: 'file.damaged', itemLabel: 'TOP SECRET', result: 'found', reason });
  }
  for (const { id, itemId, text } of found) {
    log.error({ item: id, fault: text }, 'a stored file is damaged');
    await audit.write({ action: 'file.damaged', ...(await aboutNow(db, itemId)), result: 'found', reason: text });
  }
}
