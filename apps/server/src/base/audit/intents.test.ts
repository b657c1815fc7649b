import { expect, it } from 'vitest';
import { addMission } from '../../../test/missions.ts';
import { askAs } from '../../../test/recordings.ts';
import { testServer } from '../../../test/server.ts';
import { auditIntents, INTERRUPTED } from './intents.ts';
import { auditWriter } from './writer.ts';

const server = await testServer();
const { db } = server;
const log = { warn: () => undefined, error: () => undefined };
const noted = () => db.selectFrom('audit_intents').select(['node', 'entry']).execute();
const descriptionOf = async (id: string) =>
  (await db.selectFrom('missions').select('description').where('id', '=', id).executeTakeFirstOrThrow()).description;
const rowsOf = (id: string) =>
  db
    .selectFrom('audit')
    .select(['actor_id', 'action', 'item_label', 'result', 'decision'])
    .where('item_id', '=', id)
    .execute();

const described = async (description: string) => {
  const id = await addMission(db, { classification: 4 });
  const answer = await askAs(server, 'SA').put('/api/missions', { _id: id, name: 'Named', description });
  return { id, status: answer.status };
};

it('nothing is left of a note once the change has its row, or was refused', async () => {
  const { id, status } = await described('Plain');
  expect(status).toBe(200);
  expect((await askAs(server, 'U2').put('/api/missions', { _id: id, name: 'Named', description: 'No' })).status).toBe(
    404,
  );
  expect((await askAs(server, 'SA').put('/api/missions', { _id: id, rating: 'high' })).status).toBe(400);

  await expect.poll(noted).toEqual([]);
  expect(await rowsOf(id)).toHaveLength(1);
});

it('a change whose row could not be kept gets it at the next start, once', async () => {
  await db.schema.alterTable('audit').renameTo('audit_away').execute();
  const { id, status } = await described('Unheard').finally(() =>
    db.schema.alterTable('audit_away').renameTo('audit').execute(),
  );
  expect(status).toBe(503);
  expect(await descriptionOf(id)).toBe('Unheard');
  expect(await rowsOf(id)).toEqual([]);

  const next = auditIntents({ db, node: 'api', log });
  const writer = auditWriter({ db, node: 'api', log });
  expect(await auditIntents({ db, node: 'other', log }).settle(writer)).toBe(0);
  expect(await next.settle(writer)).toBe(1);
  expect(await next.settle(writer)).toBe(0);

  expect(await rowsOf(id)).toEqual([
    {
      ...{ actor_id: server.userId('SA'), action: 'mission.update', item_label: 4, decision: 'allowed' },
      result: `PUT /missions ${INTERRUPTED}`,
    },
  ]);
});

it('nothing is changed where the note cannot be kept', async () => {
  const id = await addMission(db, { description: 'Kept' });
  await db.schema.alterTable('audit_intents').renameTo('intents_away').execute();
  const answer = await askAs(server, 'SA')
    .put('/api/missions', { _id: id, name: 'Named', description: 'Lost' })
    .finally(() => db.schema.alterTable('intents_away').renameTo('audit_intents').execute());

  expect(answer.status).toBe(503);
  expect(await descriptionOf(id)).toBe('Kept');
});
