import { asSystem, type Db } from '../../base/access/as-system.ts';
import { isFreeOfCases } from '../../base/items/case-hold.ts';

/** The bin keeps what was thrown into it for 30 days. */
const BIN_US = 30 * 24 * 3_600_000_000;

type Deps = {
  db: Db;
  nowUs: () => number;
  log: { info: (fields: object, text: string) => void };
};

/** Empties the bin of what has lain in it for 30 days; what went with its mission goes with it. Call it every hour. */
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
