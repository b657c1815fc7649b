import { CLIP_SENSORS_MAX, CLIPS_MAX, clipFields, micros, sensorName } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { Zip } from '../../media/formats/zip.ts';
import { idFor } from './import-plan.ts';
import type { ArchivedMission } from './manifest.ts';
import { type ArchivedFrame, archivedFrame, authorsNamed, frameIn, placesFor, readMarks } from './mark-files.ts';

const archivedCut = z.strictObject({
  sensor: sensorName.nullable(),
  in: archivedFrame.nullable(),
  out: archivedFrame.nullable(),
  /** UTC of its frames when the archive was made; where they are not found, its times. */
  inTime: micros,
  outTime: micros,
});

/** One clip in `clips.json`: what it is cut from, not what was cut. */
const archivedClip = clipFields.extend({
  cuts: z.array(archivedCut).min(1).max(CLIP_SENSORS_MAX),
  created: micros,
  author: z.string().max(256),
  editor: z.string().max(256),
});
type ArchivedClip = z.output<typeof archivedClip>;

/** Clips of a mission as its archive holds them. `originals`: paths by the ids of files. */
export async function archivedClips(
  db: Kysely<Database>,
  missionId: string,
  originals: ReadonlyMap<string, string>,
): Promise<ArchivedClip[]> {
  const clips = await asSystem(db, 'export')
    .selectFrom('clips')
    .selectAll()
    .where('mission_id', '=', missionId)
    .orderBy('created')
    .orderBy('id')
    .execute();
  const cuts = await asSystem(db, 'export')
    .selectFrom('clip_cuts')
    .innerJoin('clips', 'clips.id', 'clip_cuts.clip_id')
    .leftJoin('sensors', 'sensors.id', 'clip_cuts.sensor_id')
    .selectAll('clip_cuts')
    .select('sensors.name as sensor')
    .where('clips.mission_id', '=', missionId)
    .orderBy('position')
    .execute();
  const byClip = Map.groupBy(cuts, ({ clip_id }) => clip_id);
  return clips.map(({ id, title, note, tags, created, author, editor }) => ({
    ...{ title, note, tags, created, author, editor },
    cuts: (byClip.get(id) ?? []).map((cut) => ({
      sensor: cut.sensor,
      in: frameIn(originals, { file: cut.in_file, run: cut.in_run, pts: cut.in_pts }),
      out: frameIn(originals, { file: cut.out_file, run: cut.out_run, pts: cut.out_pts }),
      inTime: cut.in_time,
      outTime: cut.out_time,
    })),
  }));
}

/** Reads the clips of one mission in an archive. @throws AppError badArchive */
export const readClips = (zip: Zip, mission: Pick<ArchivedMission, 'marks'>): Promise<ArchivedClip[]> =>
  readMarks(zip, mission, { kind: 'clips', schema: archivedClip, max: CLIPS_MAX });

type Making = { taskId: string; missionId: string; archived: ArchivedMission; clips: readonly ArchivedClip[] };

/** Makes the rows, once however often it is tried; authors as those of bookmarks. */
export async function makeClips(db: Kysely<Database>, { taskId, missionId, archived, clips }: Making): Promise<void> {
  if (clips.length === 0) return;
  const { sensorIds, paths } = await placesFor(db, missionId, archived.sensors);
  const names = clips.flatMap(({ author, editor }) => [author, editor]);
  const authorOf = await authorsNamed(db, names);
  const isHere = (frame: ArchivedFrame | null) => frame !== null && paths.has(frame.original);
  for (const [index, clip] of clips.entries()) {
    const { title, note, tags, created } = clip;
    const id = idFor(taskId, `clip/${missionId}/${index}`);
    const cuts = clip.cuts.map((cut, position) => {
      // Half an anchor is none.
      const [first, last] = isHere(cut.in) && isHere(cut.out) ? [cut.in, cut.out] : [null, null];
      return {
        clip_id: id,
        position,
        sensor_id: (cut.sensor !== null && sensorIds.get(cut.sensor)) || null,
        in_file: first && idFor(taskId, first.original),
        in_run: first?.run ?? null,
        in_pts: first?.pts ?? null,
        out_file: last && idFor(taskId, last.original),
        out_run: last?.run ?? null,
        out_pts: last?.pts ?? null,
        in_time: cut.inTime,
        out_time: cut.outTime,
      };
    });
    await db.transaction().execute(async (tx) => {
      const made = await asSystem(tx, 'import')
        .insertInto('clips')
        .values({
          ...{ id, mission_id: missionId, title, note, tags, created },
          ...authorOf(clip.author),
          editor: authorOf(clip.editor).author,
        })
        .onConflict((conflict) => conflict.column('id').doNothing())
        .returning('id')
        .executeTakeFirst();
      if (made !== undefined) await tx.insertInto('clip_cuts').values(cuts).execute();
    });
  }
}
