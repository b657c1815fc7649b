import { asSystem, type Db } from '../../base/access/as-system.ts';
import { isFreeOfCases } from '../../base/items/case-hold.ts';

/** Time for which the bin keeps deleted annotations: 30 days, in microseconds. */
const BIN_US = 30 * 24 * 3_600_000_000;

type Deps = {
  db: Db;
  nowUs: () => number;
  log: { info: (fields: object, text: string) => void };
};

/**
 * Permanently deletes annotations that have been in the bin for 30 days. Those deleted with their mission are deleted
 * with it. Call it every hour.
 */
export async function sweepAnnotations({ db, nowUs, log }: Deps): Promise<void> {
  const gone = await asSystem(db, 'sweep')
    .deleteFrom('annotations')
    .where('deleted_time', '<', nowUs() - BIN_US)
    .where('deleted_with_mission', '=', false)
    .where(isFreeOfCases('subject_id', 'annotations.id'))
    .returning('id')
    .execute();
  if (gone.length > 0) log.info({ emptied: gone.length }, 'annotations removed for good');
}
