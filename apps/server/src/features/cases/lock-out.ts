import { type Actor, AppError, can, classificationOf, isAdmin } from '@osprey/contract';
import type { Db } from '../../base/access/as-system.ts';
import { readersOf } from './people.ts';
import { factsOfCase, type StoredCase } from './rows.ts';

/**
 * Checks parts that raise the label of a case to `rank`: asks for confirmation if current readers would lose access.
 * The number of these readers is shown to admins alone, who may list every account.
 *
 * @throws AppError hidesFromMaker, wouldLockOut
 */
export async function refuseLockOut(
  tx: Db,
  actor: Actor,
  row: StoredCase,
  { rank, confirmed }: { rank: number; confirmed: boolean },
): Promise<void> {
  if (rank <= row.classification) return;
  const now = factsOfCase(row);
  const label = classificationOf(rank);
  const after = { ...now, securityClassification: label };
  if (!can(actor, 'case.read', after).allowed) throw new AppError('hidesFromMaker');
  if (confirmed) return;
  const lost = (await readersOf(tx, now)).filter((account) => !can(account, 'case.read', after).allowed);
  if (lost.length > 0) {
    throw new AppError('wouldLockOut', { label, count: isAdmin(actor) ? String(lost.length) : '' });
  }
}
