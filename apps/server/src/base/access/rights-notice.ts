import { type Actor, can, classificationOf } from '@osprey/contract';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Database } from '../db/schema.ts';
import type { ItemFacts } from './authorize.ts';
import { factsOfDocument, groupsOfDocument } from './document-facts.ts';
import { platformFacts } from './platform-facts.ts';
import { asSystem } from './visibility.ts';

const itemChange = {
  epoch: z.int().optional(),
  was: z
    .object({
      label: z.int(),
      audience: z.enum(['everyone', 'groups']),
      draft: z.boolean(),
      deleted: z.boolean(),
    })
    .optional(),
  gained: z.string().optional(),
  lost: z.string().optional(),
};

/** What the triggers of migrations 0002, 0003, 0010 and 0014 say on the channel osprey_rights. */
export const rightsNotice = z.union([
  z.object({ user: z.string(), epoch: z.int() }),
  z.object({ credential: z.string(), of: z.string() }),
  z.object({ mission: z.string(), ...itemChange }),
  z.object({ document: z.string(), ...itemChange }),
  // It, its audience or one of its sources; and when a recording of it begins, whose mission may be for fewer.
  z.object({ platform: z.string() }),
  // Where its bytes lie, or when they were, is not what it was. No right has changed.
  z.object({ sensor: z.string() }),
]);
export type RightsNotice = z.output<typeof rightsNotice>;
export type ItemNotice = Extract<RightsNotice, { mission: string } | { document: string }>;

export const itemOfNotice = (notice: ItemNotice): string => ('mission' in notice ? notice.mission : notice.document);

/** Facts of a mission, document or platform for events; one in the bin keeps them. */
export type EventFacts = ItemFacts & { id: string; noun: 'missions' | 'documents' | 'platforms'; deleted: boolean };

/** The bin aside. */
export function maySee(actor: Actor, facts: EventFacts): boolean {
  if (facts.noun === 'documents') return can(actor, 'document.read', { ...facts, locked: false }).allowed;
  return can(actor, facts.noun === 'missions' ? 'mission.read' : 'platform.read', facts).allowed;
}

export const mayRead = (actor: Actor, facts: EventFacts | undefined): boolean =>
  facts !== undefined && !facts.deleted && maySee(actor, facts);

/** By id, whichever noun it is of. */
export async function eventFacts(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, EventFacts>> {
  if (ids.length === 0) return new Map();
  const missions = await missionEventFacts(db, ids);
  const others = ids.filter((id) => !missions.has(id));
  if (others.length === 0) return missions;
  const rows = await asSystem(db, 'events')
    .selectFrom('documents')
    .select(['id', 'classification', 'audience', 'edit_lock', 'deleted_time'])
    .select(groupsOfDocument.as('usergroups'))
    .where('id', 'in', others)
    .execute();
  for (const row of rows) {
    missions.set(row.id, { ...factsOfDocument(row), noun: 'documents', deleted: row.deleted_time !== null });
  }
  const left = others.filter((id) => !missions.has(id));
  for (const [id, facts] of await platformFacts(db, left)) {
    missions.set(id, { ...facts, noun: 'platforms', deleted: false });
  }
  return missions;
}

async function missionEventFacts(db: Kysely<Database>, ids: readonly string[]): Promise<Map<string, EventFacts>> {
  const rows = await asSystem(db, 'events')
    .selectFrom('missions')
    .leftJoin('mission_usergroups as link', 'link.mission_id', 'missions.id')
    .where('missions.id', 'in', [...ids])
    .select(['missions.id', 'classification', 'audience', 'state', 'deleted_time', 'link.usergroup_id'])
    .execute();
  const facts = new Map<string, EventFacts & { usergroups: string[] }>();
  for (const row of rows) {
    const known = facts.get(row.id);
    if (known) {
      if (row.usergroup_id) known.usergroups.push(row.usergroup_id);
      continue;
    }
    facts.set(row.id, {
      id: row.id,
      noun: 'missions',
      securityClassification: classificationOf(row.classification),
      audience: row.audience,
      usergroups: row.usergroup_id ? [row.usergroup_id] : [],
      draft: row.state === 'Created',
      deleted: row.deleted_time !== null,
    });
  }
  return facts;
}

/** What held before the notices: the first `was` is the oldest, groups are wound back. */
export function factsBefore(now: EventFacts, notices: readonly ItemNotice[]): EventFacts {
  const was = notices.find((notice) => notice.was)?.was;
  const groups = new Set(now.usergroups);
  for (const { gained, lost } of [...notices].reverse()) {
    if (gained) groups.delete(gained);
    if (lost) groups.add(lost);
  }
  return {
    ...now,
    usergroups: [...groups],
    ...(was
      ? {
          securityClassification: classificationOf(was.label),
          audience: was.audience,
          draft: was.draft,
          deleted: was.deleted,
        }
      : {}),
  };
}
