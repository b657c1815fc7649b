import { classificationOf, type ItemName } from '@osprey/contract';
import { z } from 'zod';
import type { StoredFacts } from './facts.ts';
import type { ItemKind } from './kinds.ts';

const itemChange = {
  /** Transaction id, as returned by pg_current_xact_id(). */
  tx: z.string().optional(),
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

type ItemChange = z.output<z.ZodObject<typeof itemChange>>;
/** Notice of a change of an item. The item's id is in the field named after its kind. */
export type ItemNotice = { [Item in ItemName]: Readonly<Record<Item, string>> & ItemChange }[ItemName];

const others = [
  z.object({ user: z.string(), epoch: z.int() }),
  z.object({ credential: z.string(), of: z.string() }),
  // The location or the times of a sensor's bytes changed. No right has changed.
  z.object({ sensor: z.string() }),
] as const;

/** Payloads of triggers on the channel osprey_rights. */
export type RightsNotice = ItemNotice | z.output<(typeof others)[number]>;

/**
 * Schema of the notices for the items of a table. For platforms, a notice is also sent when their sources change, and
 * when a recording begins, since its mission may have a smaller audience.
 */
export function noticeSchema(kinds: readonly ItemKind[]): z.ZodType<RightsNotice> {
  const ofItems = kinds.map(({ item }) => z.object({ [item]: z.string(), ...itemChange }));
  return z.union([...others, ...ofItems]) as unknown as z.ZodType<RightsNotice>;
}

export type NoticedItem = { kind: ItemKind; id: string; change: ItemChange };

/** The item that a notice is about; null for those of users, credentials and sensors. */
export function itemOfNotice(kinds: readonly ItemKind[], notice: RightsNotice): NoticedItem | null {
  const kind = kinds.find(({ item }) => item in notice);
  if (kind === undefined) return null;
  return { kind, id: (notice as Readonly<Record<string, unknown>>)[kind.item] as string, change: notice as ItemChange };
}

/**
 * Reconstructs an item's facts before each transaction of the changes, oldest first, without the current facts. The
 * first `was` of a transaction gives the old values, and changes of groups are undone in reverse. `changes` must be in
 * the order in which they were sent.
 */
export function factsBefore(now: StoredFacts, changes: readonly ItemChange[]): StoredFacts[] {
  const states: StoredFacts[] = [];
  let after = now;
  for (const own of [...Map.groupBy(changes, ({ tx }) => tx ?? '').values()].reverse()) {
    after = factsBeforeOne(after, own);
    states.unshift(after);
  }
  return states;
}

function factsBeforeOne(now: StoredFacts, changes: readonly ItemChange[]): StoredFacts {
  const was = changes.find((change) => change.was)?.was;
  const groups = new Set(now.usergroups);
  for (const { gained, lost } of [...changes].reverse()) {
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
