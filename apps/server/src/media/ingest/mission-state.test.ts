import { expect, it } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { endWithoutRendition } from './mission-state.ts';

const SENTENCE = 'The picture could not be converted.';

it('a sensor with one file that cannot be converted is Ready only when no other is being converted', async () => {
  const db = await testDatabase();
  const missionId = await addMission(db, { state: 'Processing' });
  const sensorId = await addSensor(db, missionId, { state: 'Processing' });
  const fileIds = await Promise.all(['a', 'b'].map((name) => addFile(db, sensorId, { storage_key: name })));
  const job = { kind: 'transcode', mission_id: missionId, sensor_id: sensorId, created: 0 };
  const rest = { document_id: null, error: null, heartbeat: null };
  await db
    .insertInto('jobs')
    .values(fileIds.map((file_id, n) => ({ ...job, ...rest, file_id, state: n === 0 ? 'failed' : 'running' })))
    .execute();
  const states = async () => [
    await db.selectFrom('missions').select(['state', 'message']).executeTakeFirst(),
    await db.selectFrom('sensors').select(['state', 'message']).executeTakeFirst(),
  ];

  await endWithoutRendition(db, { sensorId, fileId: fileIds[0]!, sentence: SENTENCE });
  const during = { state: 'Processing', message: SENTENCE };
  expect(await states()).toEqual([during, during]);
  await db.updateTable('jobs').set({ state: 'failed' }).execute();
  await endWithoutRendition(db, { sensorId, fileId: fileIds[1]!, sentence: SENTENCE });

  const after = { state: 'Ready', message: SENTENCE };
  expect(await states()).toEqual([after, after]);
});
