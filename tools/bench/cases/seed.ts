import type pg from 'pg';
import { addAnnotation, pointAt } from '../../../apps/server/test/annotations.ts';
import { addBookmark, addCase, addClip } from '../../../apps/server/test/cases.ts';
import { addDocument } from '../../../apps/server/test/documents.ts';
import { addMission, addSensor } from '../../../apps/server/test/missions.ts';
import type { Db } from './versions.ts';

const MISSIONS = 20;
const KINDS = ['bookmark', 'clip', 'annotation', 'snapshot', 'document', 'track', 'note'] as const;
/** Number of rows that do not belong to the case, so that PostgreSQL does not scan whole tables. */
const OTHERS = 5000;
const SECOND_US = 1_000_000;

/**
 * Adds a case with this many parts, alternating between seven kinds, to a database of the earlier version. Returns its
 * id.
 */
export async function seedCase(db: Db, client: pg.Client, parts: number): Promise<string> {
  const missions: { missionId: string; sensorId: string }[] = [];
  for (let at = 0; at < MISSIONS; at += 1) {
    const missionId = await addMission(db, { name: `Mission ${at}`, state: 'Ready' });
    missions.push({ missionId, sensorId: await addSensor(db, missionId, { state: 'Ready' }) });
  }
  const others = [missions[0]!.missionId, OTHERS];
  await client.query(
    `insert into bookmarks (mission_id, last_time, title, text, color, tags, author, editor, created)
      select $1, n, 'other ' || n, '', '#000000', '{}', 'a', 'a', n from generate_series(1, $2::int) n`,
    others,
  );
  await client.query(
    `insert into clips (mission_id, title, note, tags, author, editor, created)
      select $1, 'other ' || n, '', '{}', 'a', 'a', n from generate_series(1, $2::int) n`,
    others,
  );
  const caseId = await addCase(db);
  for (let at = 0; at < parts; at += 1) {
    const kind = KINDS[at % KINDS.length]!;
    const { missionId, sensorId } = missions[at % MISSIONS]!;
    const title = `${kind} ${at}`;
    const time = at * SECOND_US;
    const row = { case_id: caseId, position: at, kind, title, remark: '', author: 'a', added: 0 };
    const columns = await subjectOf();
    await db
      .insertInto('case_parts')
      .values({ ...row, ...columns } as never)
      .execute();

    async function subjectOf(): Promise<object> {
      switch (kind) {
        case 'bookmark': {
          const bookmark = { title, sensor_id: sensorId, last_time: time, thumbnail: `${at}.webp` };
          return { mission_id: missionId, bookmark_id: await addBookmark(db, missionId, bookmark), start_time: time };
        }
        case 'clip': {
          const clip_id = await addClip(db, missionId, { title });
          await db.updateTable('clip_cuts').set({ sensor_id: sensorId }).where('clip_id', '=', clip_id).execute();
          return { mission_id: missionId, clip_id, start_time: time, end_time: time + SECOND_US };
        }
        case 'annotation': {
          const place = [pointAt(24 + at / 1000, 37), pointAt(24, 37 + at / 1000)];
          const fields = { title, mission_id: missionId, sensor_id: sensorId, start_time: time };
          return { mission_id: missionId, annotation_id: await addAnnotation(db, fields, [], place) };
        }
        case 'snapshot': {
          const document_id = await addDocument(db, { title, document_type: 'Image', thumbnail: true } as never);
          const snapshot = { document_id, mission_id: missionId, sensor_id: sensorId, sensor_name: 'EO/IR' };
          await db
            .insertInto('snapshots')
            .values({
              ...snapshot,
              file_id: null,
              run: null,
              pts: null,
              taken_time: time,
              picture: 'server',
              telemetry: null,
            })
            .execute();
          return { document_id, start_time: time };
        }
        case 'document': {
          const document_id = await addDocument(db, { title });
          await client.query(
            `insert into document_shapes (document_id, shape) values ($1, polygon(box(point(24, 37), point(24.5, 37.5))))`,
            [document_id],
          );
          return { document_id };
        }
        case 'track':
          return { mission_id: missionId, sensor_id: sensorId, start_time: time, end_time: time + SECOND_US };
        case 'note':
          return { text: 'Words of a **note**.' };
      }
    }
  }
  return caseId;
}
