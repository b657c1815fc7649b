import { expect, it } from 'vitest';
import { addPlatform } from '../../test/platforms.ts';
import { testServer } from '../../test/server.ts';
import { actorsById } from '../access/actors.ts';
import { openReads } from '../access/open-reads.ts';
import { audience, type Listener } from './audience.ts';
import { delivery } from './delivery.ts';

const server = await testServer();
const { db } = server;

type Told = { name: string; payload: unknown };

it('tells of a platform that went with a usergroup though the lost membership was worked off before', async () => {
  const { id: group } = await db
    .insertInto('usergroups')
    .values({ name: 'Harbour', classification: 1, created: 0 })
    .returning('id')
    .executeTakeFirstOrThrow();
  const userId = server.userId('U1');
  await db.insertInto('user_usergroups').values({ user_id: userId, usergroup_id: group }).execute();
  const platform = await addPlatform(db, { usergroups: [group] });
  const people = audience({ db });
  const told: Told[] = [];
  const listener: Listener = {
    userId,
    credentialId: null,
    status: null,
    channels: new Set(),
    emit: (name, payload) => told.push({ name, payload }),
    close: () => {},
  };
  people.join(listener, (await actorsById(db, [userId])).get(userId)!);
  const deliver = delivery({ db, audience: people, reads: openReads() });

  await db.deleteFrom('platform_usergroups').where('usergroup_id', '=', group).execute();
  await db.deleteFrom('usergroups').where('id', '=', group).execute();
  await deliver([{ user: userId, epoch: 1 }], []);
  const was = { securityClassification: 'UNCLASSIFIED' as const, audience: 'groups' as const, usergroups: [group] };
  await deliver([], [{ kind: 'platforms', id: platform, was }]);

  expect(told).toContainEqual({ name: 'revoked', payload: { noun: 'platforms', ids: [platform] } });
});
