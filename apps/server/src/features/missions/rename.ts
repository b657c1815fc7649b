import { type Actor, AppError, type RenamedMission, recordingMissionName } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Recording } from '../../recorder-wire/protocol.ts';
import { isUploadedTo } from '../../uploads/under-way.ts';
import { claimName } from './changes.ts';
import { exactlyOne } from './repository.ts';
import { factsOf, type MissionRow } from './rows.ts';

/**
 * Time without new bytes after which an upload no longer prevents renaming. It can still be resumed, since uploads
 * refer to the id of their sensor.
 */
const QUIET_US = 10 * 60 * 1_000_000;

export type RenameDeps = {
  db: Kysely<Database>;
  nowUs: () => number;
  /** Returns the journals of the recordings in progress. */
  recordings: () => readonly Recording[];
};

export type Rename = ReturnType<typeof missionRename>;

/** Renames a mission, and records its former name. Returns the row as it was before. */
export function missionRename({ db, nowUs, recordings }: RenameDeps) {
  /** @throws AppError notFound, forbidden, missionNameAmbiguous, missionRenamed, revisionConflict, missionNameTaken, ruleRefused */
  return (actor: Actor, ref: string, { name, revision }: RenamedMission): Promise<MissionRow> =>
    db.transaction().execute(async (tx) => {
      const { id } = await exactlyOne(tx, actor, ref);
      await asSystem(tx, 'authorized change')
        .selectFrom('missions')
        .select('id')
        .where('id', '=', id)
        .forUpdate()
        .execute();
      // Read again under the lock, since the row may have changed between the first read and the lock.
      const row = await exactlyOne(tx, actor, id);
      authorize(actor, 'mission.update', factsOf(row));
      if (revision !== undefined && revision !== row.revision) throw new AppError('revisionConflict');
      const isNamed = !recordings().some((recording) => isUnnamed(recording, row));
      const busy = await busyWith(tx, row, { isNamed, quietSince: nowUs() - QUIET_US });
      if (busy !== null) throw new AppError('ruleRefused', { reason: busy });
      await claimName(tx, actor, name);

      await asSystem(tx, 'authorized change')
        .updateTable('missions')
        .set({ name, revision: sql`revision + 1` })
        .where('id', '=', id)
        .execute();
      const old = { mission_id: id, name: row.name, until: nowUs(), renamed_by: actor.id };
      await asSystem(tx, 'authorized change')
        .insertInto('mission_old_names')
        .values(old)
        .onConflict((conflict) => conflict.columns(['mission_id', 'name']).doUpdateSet(old))
        .execute();
      await asSystem(tx, 'authorized change')
        .deleteFrom('mission_old_names')
        .where('mission_id', '=', id)
        .where('name', '=', name)
        .execute();
      return row;
    });
}

/**
 * Returns whether a recording was started without a mission name, so that the mission still has the generated name of
 * platform and time.
 */
function isUnnamed({ missionId, cause, platform, startedUs }: Recording, { id, name }: MissionRow): boolean {
  return missionId === id && cause === 'manual' && name === recordingMissionName(platform.name, startedUs);
}

type Busy = { isNamed: boolean; quietSince: number };

/** Returns the reason why a mission cannot be renamed now; null if nothing is using it. */
async function busyWith(
  tx: Db,
  { id, name, state }: MissionRow,
  { isNamed, quietSince }: Busy,
): Promise<string | null> {
  if (state === 'Running' && isNamed)
    return `${name} is being recorded. Please rename it when the recording has ended.`;
  if (await isUploadedTo(tx, id, quietSince))
    return `A file is being uploaded to ${name}. Please rename it when the upload has ended.`;
  const exporting = await tx
    .selectFrom('tasks')
    .select('id')
    .where('kind', '=', 'export')
    .where('state', 'in', ['waiting', 'running'])
    .where(sql<boolean>`input -> 'missions' ? ${id}::text`)
    .limit(1)
    .executeTakeFirst();
  return exporting ? `${name} is being exported. Please rename it when the export has ended.` : null;
}
