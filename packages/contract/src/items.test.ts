import { expect, expectTypeOf, it } from 'vitest';
import { type Action, accessOf, actions, can } from './access/can.ts';
import {
  type AccessFacts,
  type Actor,
  acting,
  type CaseFacts,
  type DocumentFacts,
  forRoles,
  reading,
} from './access/rules.ts';
import { changedEvents, changedEventsOf, revokedEvent } from './events.ts';
import {
  type ActionOf,
  type FactsFor,
  type FactsOf,
  type ItemAction,
  itemNames,
  itemNouns,
  items,
  ownItemsOf,
} from './items.ts';

const admin: Actor = { id: 'a', username: 'a', role: 'admin', clearance: 'SECRET', groups: [], administered: [] };
const facts: AccessFacts = {
  securityClassification: 'RESTRICTED',
  audience: 'everyone',
  usergroups: [],
  draft: false,
};

it('derives actions, nouns and events from the table', () => {
  expect(itemNames).toEqual(expect.arrayContaining(['mission', 'document', 'platform']));
  expect(itemNames).not.toContain('sensor');
  expect(itemNouns).toEqual(expect.arrayContaining(['missions', 'documents', 'platforms']));
  expect(actions).toEqual(expect.arrayContaining(['mission.read', 'document.lock', 'platform.watch', 'user.read']));
  expect(changedEvents.document.name).toBe('updateDocuments');
  expect(changedEvents.bookmark.name).toBe('bookmarks');
  expect(Object.keys(changedEvents).sort()).toEqual([...itemNames, 'bookmark', 'clip', 'ground'].sort());
  expect(revokedEvent.payload.shape.noun.options).toEqual([...itemNouns, 'session']);
});

it('decides over the items of any table', () => {
  const toys = {
    ...items,
    toy: {
      plural: 'toys',
      title: 'Toy',
      event: 'toys',
      plain: { list: forRoles('admin') },
      rules: { read: reading, wind: acting((actor) => actor.role === 'user') },
    },
    wheel: { plural: 'wheels', partOf: 'toy', rules: {} },
  };
  const access = accessOf(toys);

  expect(access.can(admin, 'toy.read', facts)).toEqual({ allowed: true });
  expect(access.can(admin, 'toy.wind', facts)).toEqual({ allowed: false, code: 'forbidden' });
  expect(access.can(admin, 'toy.wind', { ...facts, securityClassification: 'TOP SECRET' })).toEqual({
    allowed: false,
    code: 'notFound',
  });
  expect(access.can(admin, 'toy.list')).toEqual({ allowed: true });
  expect(access.can(null, 'toy.list')).toEqual({ allowed: false, code: 'notSignedIn' });
  expect([access.needsFacts('toy.wind'), access.needsFacts('toy.list')]).toEqual([true, false]);
  expect(ownItemsOf(toys)).toEqual([...itemNames, 'toy']);
  expect(changedEventsOf(toys)).toHaveProperty('toy.name', 'toys');
  expect(changedEventsOf(toys)).not.toHaveProperty('wheel');
});

it('refuses an unknown action, and one over an item that is asked without facts', () => {
  const { can: decide, needsFacts } = accessOf(items);

  for (const action of ['mission.fly', 'toy.read', 'sensor.read', 'toString']) {
    expect(() => decide(admin, action, facts)).toThrow(`Unknown action: ${action}`);
    expect(() => needsFacts(action)).toThrow(`Unknown action: ${action}`);
  }
  expect(() => decide(admin, 'mission.read')).toThrow('mission.read is asked without facts');
});

it('types each action with the facts that its rule needs', () => {
  expectTypeOf<FactsOf<'mission'>>().toEqualTypeOf<AccessFacts>();
  expectTypeOf<FactsOf<'document'>>().toEqualTypeOf<DocumentFacts>();
  expectTypeOf<ActionOf<'sensor'>>().toBeNever();
  expectTypeOf<FactsFor<'document.update'>>().toEqualTypeOf<DocumentFacts>();
  expectTypeOf<FactsFor<'case.read'>>().toEqualTypeOf<CaseFacts>();
  expectTypeOf<'document.update'>().toExtend<ItemAction>();
  expectTypeOf<'platform.controlAny'>().not.toExtend<ItemAction>();
  expectTypeOf<'platform.controlAny'>().toExtend<Action>();
  expectTypeOf<'mission.fly'>().not.toExtend<Action>();
  // @ts-expect-error: whether it is locked must be known
  can(admin, 'document.read', facts);
  // @ts-expect-error: it needs the facts of the mission
  expect(() => can(admin, 'mission.read')).toThrow();
});
