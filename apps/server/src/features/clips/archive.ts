import { CLIP_SENSORS_MAX, CLIPS_MAX, clipFields, micros, sensorName } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { archivedFrame, authorsNamed, frameIn } from '../../base/items/archived.ts';
import type { ArchivedContent, ArchiveMaking, ArchiveWriting } from '../../base/items/content.ts';
import { nameOfSensor } from '../../base/items/sensors.ts';

const archivedCut = z.strictObject({
  sensor: sensorName.nullable(),
  in: archivedFrame.nullable(),
  out: archivedFrame.nullable(),
  /** UTC of its frames when the archive was made; its stored times if the frames were not found. */
  inTime: micros,
  outTime: micros,
});

/** A clip in `clips-1.json`. It describes what to cut and contains no video. */
const archivedClip = clipFields.extend({
  cuts: z.array(archivedCut).min(1).max(CLIP_SENSORS_MAX),
  created: micros,
  author: z.string().max(256),
  editor: z.string().max(256),
});
type ArchivedClip = z.output<typeof archivedClip>;

/** Exports and imports the clips of a mission. Authors are treated as those of bookmarks. */
export const clipArchive = (db: Kysely<Database>): ArchivedContent => ({
  name: 'clips',
  max: CLIPS_MAX,
  plan: async () => ({ listed: [], sizes: [], lists: 1 }),

  async *write(writing) {
    for (const one of await archiveClips(db, writing)) yield { one };
  },

  async check({ list }) {
    for await (const _one of list(archivedClip));
    return 0;
  },

  async make(making) {
    const clips: ArchivedClip[] = [];
    for await (const one of making.list(archivedClip)) clips.push(one);
    const names = clips.flatMap(({ author, editor }) => [author, editor]);
    const authorOf = names.length === 0 ? null : await authorsNamed(db, names);
    for (const [index, clip] of clips.entries()) {
      const { title, note, tags, created } = clip;
      const own = { id: making.idOf(index), mission_id: making.mission.id, title, note, tags, created };
      const by = { ...authorOf!(clip.author), editor: authorOf!(clip.editor).author };
      await db.transaction().execute(async (tx) => {
        const made = await asSystem(tx, 'import')
          .insertInto('clips')
          .values({ ...own, ...by })
          .onConflict((conflict) => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (made === undefined) return;
        const cuts = clip.cuts.map((cut, position) => ({ clip_id: own.id, position, ...cutColumns(cut, making) }));
        await tx.insertInto('clip_cuts').values(cuts).execute();
      });
    }
    return 0;
  },
});

function cutColumns(cut: ArchivedClip['cuts'][number], { sensorIds, frameOf }: ArchiveMaking) {
  const [first, last] = [frameOf(cut.in), frameOf(cut.out)];
  // If only one of the two frames is found, neither is used.
  const isComplete = first.file_id !== null && last.file_id !== null;
  const [from, to] = isComplete ? [first, last] : [frameOf(null), frameOf(null)];
  return {
    sensor_id: (cut.sensor !== null && sensorIds.get(cut.sensor)) || null,
    ...{ in_file: from.file_id, in_run: from.run, in_pts: from.pts },
    ...{ out_file: to.file_id, out_run: to.run, out_pts: to.pts },
    ...{ in_time: cut.inTime, out_time: cut.outTime },
  };
}

async function archiveClips(db: Kysely<Database>, { missionId, originals }: ArchiveWriting): Promise<ArchivedClip[]> {
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
    .selectAll('clip_cuts')
    .select(nameOfSensor('clip_cuts.sensor_id').as('sensor'))
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
