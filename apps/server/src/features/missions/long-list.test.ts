import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { addMission } from '../../../test/missions.ts';
import { testServer } from '../../../test/server.ts';

/** More than the buffers between a server and a client that stops reading can hold. */
const MISSIONS = 10_000;

const server = await testServer();
const { db, groups } = server;
const address = await server.listen();

it('that is read slowly ends with the rights that its rows were chosen by', async () => {
  const fields = { classification: 3, audience: 'groups', state: 'Ready' } as const;
  const template = await addMission(db, { ...fields, description: 'x'.repeat(2000) });
  await sql`insert into missions (name, description, classification, marked, audience, rating, tags, state,
      platform_name, platform_type, platform_color, sort_order, creation_time)
    select 'm-' || n, description, classification, marked, audience, rating, tags, state,
      platform_name, platform_type, platform_color, sort_order, creation_time
    from missions, generate_series(1, ${MISSIONS}) n where id = ${template}`.execute(db);
  await sql`insert into mission_usergroups select id, ${groups.G1}::uuid from missions`.execute(db);
  const headers = server.headersOf('U1');
  const answer = await fetch(`${address}/api/missions/brief`, { headers });
  const reader = answer.body!.getReader();
  await reader.read();

  await db.updateTable('users').set({ clearance: 1 }).where('id', '=', server.userId('U1')).execute();

  const rest = async () => {
    for (let part = await reader.read(); !part.done; part = await reader.read());
  };
  expect(answer.status).toBe(200);
  await expect(rest()).rejects.toThrow();
});
