import { can, classifications, DEMO_GROUP } from '@osprey/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyActor } from '../../../test/any-actor.ts';
import { testDatabase } from '../../../test/database.ts';
import { addDocument } from '../../../test/documents.ts';
import { addMission } from '../../../test/missions.ts';
import { subjectNames, testServer } from '../../../test/server.ts';
import { actorsById } from '../access/actors.ts';
import { platformFacts } from './platform-facts.ts';
import { items } from './product.ts';
import { visible, visibleDocuments, visiblePlatforms } from './visibility.ts';

const eventFacts = items.factsById;

describe('visible', () => {
  it('T-027 agrees with can() over 10,000 random pairs of actor and mission', async () => {
    const db = await testDatabase();
    const groups = await db
      .insertInto('usergroups')
      .values(['north', 'south', 'west'].map((name) => ({ name, classification: 5, created: 0 })))
      .returning('id')
      .execute();
    const groupIds = groups.map(({ id }) => id);
    const sharings = [[], ...groupIds.map((id) => [id]), groupIds.slice(0, 2), groupIds];
    for (const classification of classifications.keys()) {
      for (const shared of sharings) {
        for (const state of ['Created', 'Ready']) {
          const audience = shared.length === 3 ? 'everyone' : 'groups';
          const id = await addMission(db, { classification: classification + 1, audience, state });
          const links = shared.map((usergroup_id) => ({ mission_id: id, usergroup_id }));
          if (links.length > 0) await db.insertInto('mission_usergroups').values(links).execute();
        }
      }
    }
    const ids = (await db.selectFrom('missions').select('id').execute()).map(({ id }) => id);
    const facts = [...(await eventFacts(db, ids)).values()];
    const actors = anyActor(groupIds);

    const property = fc.asyncProperty(actors, async (actor) => {
      const rows = await visible(db, actor).select('missions.id').execute();
      const allowed = facts.filter((one) => can(actor, 'mission.read', one).allowed);

      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(allowed.map(({ id }) => id)));
    });

    // 60 missions for each actor.
    expect(facts).toHaveLength(60);
    await fc.assert(property, { numRuns: 170 });
  });
});

describe('visiblePlatforms', () => {
  it('agrees with can() for every subject over labels, audiences and groups', async () => {
    const { db, groups } = await testServer();
    const row = { description: '', type: 'Plane', color: '#ffffff', marked: true, priority: 5, autostart: false };
    for (const classification of classifications.keys()) {
      for (const shared of [[], [groups.G1], [groups.G1, groups.G2], null]) {
        const audience = shared === null ? 'everyone' : 'groups';
        const { id } = await db
          .insertInto('platforms')
          .values({ ...row, name: 'P', classification: classification + 1, audience, ...blank })
          .returning('id')
          .executeTakeFirstOrThrow();
        const links = (shared ?? []).map((usergroup_id) => ({ platform_id: id, usergroup_id }));
        if (links.length > 0) await db.insertInto('platform_usergroups').values(links).execute();
      }
    }
    const ids = (await db.selectFrom('platforms').select('id').execute()).map(({ id }) => id);
    const facts = await platformFacts(db, ids);
    const users = await db.selectFrom('users').select('id').execute();
    const accounts = await actorsById(
      db,
      users.map(({ id }) => id),
    );

    expect(facts.size).toBe(20);
    for (const { actor } of accounts.values()) {
      const rows = await visiblePlatforms(db, actor).select('platforms.id').execute();
      const allowed = [...facts].filter(([, one]) => can(actor, 'platform.read', one).allowed);

      expect(new Set(rows.map(({ id }) => id)), actor.username).toEqual(new Set(allowed.map(([id]) => id)));
    }
  });
});

const blank = { record: '{}', created: 0, updated: 0, deleted_time: null };

describe('visibleDocuments', () => {
  it('T-027 agrees with can() over random pairs of actor and document', async () => {
    const db = await testDatabase();
    const names = ['north', 'south', 'west'];
    const groups = await db
      .insertInto('usergroups')
      .values(names.map((name) => ({ name, classification: 5, created: 0 })))
      .returning('id')
      .execute();
    const groupIds = groups.map(({ id }) => id);
    const sharings = [[], ...groupIds.map((id) => [id]), groupIds.slice(0, 2), groupIds];
    const ids: string[] = [];
    for (const classification of classifications.keys()) {
      for (const shared of sharings) {
        const audience = shared.length === 3 ? 'everyone' : 'groups';
        ids.push(await addDocument(db, { classification: classification + 1, audience }, shared));
      }
    }
    const facts = [...(await eventFacts(db, ids)).values()].map((one) => ({ ...one, locked: false }));
    const actors = anyActor(groupIds);

    const property = fc.asyncProperty(actors, async (actor) => {
      const rows = await visibleDocuments(db, actor).select('documents.id').execute();
      const allowed = facts.filter((one) => can(actor, 'document.read', one).allowed);

      expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(allowed.map(({ id }) => id)));
    });

    expect(facts).toHaveLength(30);
    await fc.assert(property, { numRuns: 340 });
  });
});

describe('missions/brief', () => {
  it('T-028 lists exactly what each subject may see', async () => {
    const { db, groups, asUser } = await testServer();
    const add = async (name: string, label: number, shared: string[], fields: object = {}) => {
      const id = await addMission(db, { name, classification: label, audience: 'groups', state: 'Ready', ...fields });
      const links = shared.map((usergroup_id) => ({ mission_id: id, usergroup_id }));
      if (links.length > 0) await db.insertInto('mission_usergroups').values(links).execute();
    };
    await add('M1', 1, [groups[DEMO_GROUP]]);
    await add('M2', 3, [groups.G1]);
    await add('M3', 4, [groups.G2]);
    await add('M4', 1, [], { audience: 'everyone' });
    await add('MX', 5, [], { marked: false });

    const seen: Record<string, string[]> = {};
    for (const name of subjectNames) {
      const answer = await asUser(name).inject({ method: 'GET', url: '/api/missions/brief' });
      seen[name] = (answer.json() as { name: string }[]).map((mission) => mission.name).sort();
    }

    expect(seen).toEqual({
      SA: ['M1', 'M2', 'M3', 'M4', 'MX'],
      A2: ['M1', 'M4'],
      GA: ['M1', 'M2', 'M4'],
      U1: ['M1', 'M2', 'M4'],
      U2: ['M1', 'M3', 'M4'],
      U0: ['M1', 'M4'],
      guest: ['M1'],
    });
  });
});
