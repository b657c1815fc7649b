import { CASE_UNDO_MS } from '@osprey/contract';
import { asSystem, type Db } from '../../base/access/as-system.ts';

/** Time for which the bin keeps deleted cases: 30 days, in microseconds. */
const BIN_US = 30 * 24 * 3_600_000_000;

type Deps = {
  db: Db;
  nowUs: () => number;
  log: { info: (fields: object, text: string) => void };
};

/**
 * Permanently deletes cases that have been in the bin for 30 days, and parts that can no longer be restored. Call it
 * every hour.
 */
export async function sweepCases({ db, nowUs, log }: Deps): Promise<void> {
  const gone = await asSystem(db, 'sweep')
    .deleteFrom('cases')
    .where('deleted_time', '<', nowUs() - BIN_US)
    .returning('id')
    .execute();
  if (gone.length > 0) log.info({ emptied: gone.length }, 'cases removed for good');
  await asSystem(db, 'sweep')
    .deleteFrom('case_parts')
    .where('removed_time', '<', nowUs() - CASE_UNDO_MS * 1000)
    .execute();
}
