import { type Actor, audiences, classificationRank, classifications } from '@osprey/contract';
import { z } from 'zod';
import type { Db } from '../access/as-system.ts';
import { knowsGroup } from '../access/known-groups.ts';
import type { MissionFacts } from './mission-facts.ts';

/** A frame of an original: its path in the archive, run of its clock and PTS. */
export const archivedFrame = z.strictObject({
  original: z.string().min(1).max(255),
  run: z.int().min(0).max(1_000_000),
  pts: z
    .int()
    .min(-(2 ** 50))
    .max(2 ** 50),
});
export type ArchivedFrame = z.output<typeof archivedFrame>;

/** Columns that store the frame of a mark. Either all are set, or none. */
export type FrameColumns = { file_id: string | null; run: number | null; pts: number | null };
export type NamedFrame = { original: string | null; run: number | null; pts: number | null };

type Frame = { file: string | null; run: number | null; pts: number | null };

/** Converts the frame in a row to the form used in archives. Null if the archive does not contain its file. */
export function frameIn(originals: ReadonlyMap<string, string>, { file, run, pts }: Frame): ArchivedFrame | null {
  const original = file === null ? undefined : originals.get(file);
  return original === undefined || run === null || pts === null ? null : { original, run, pts };
}

/** Label and audience of an object that belongs to a mission but has its own rights. */
export const archivedRights = {
  label: z.string().max(64),
  marked: z.boolean(),
  audience: z.enum(audiences),
  /** Names of the usergroups. */
  usergroups: z.array(z.string().max(256)).max(200),
};
type ArchivedRights = z.output<z.ZodObject<typeof archivedRights>>;

type Rights = {
  /** If absent, the highest label of the installation applies, as unmarked. */
  securityClassification?: (typeof classifications)[number];
  audience: ArchivedRights['audience'];
  usergroups: string[];
};

/**
 * Determines the rights of an imported object of a mission: its label is at least the mission's, and its audience at
 * most the mission's. Groups are looked up by name among those that the actor may name.
 */
export async function rightsWithin(
  db: Db,
  actor: Actor,
  { mission, archived }: { mission: MissionFacts; archived: ArchivedRights },
): Promise<Rights> {
  const own = archived.marked ? classifications.find((word) => word === archived.label) : undefined;
  const floor = mission.securityClassification;
  const label = own && (classificationRank(own) < classificationRank(floor) ? floor : own);
  const given = label === undefined ? {} : { securityClassification: label };
  if (archived.audience === 'everyone' && mission.audience === 'everyone') {
    return { ...given, audience: 'everyone', usergroups: [] };
  }
  const rank = classificationRank(label ?? 'TOP SECRET');
  const rows = await db.selectFrom('usergroups').select(['id', 'name', 'classification']).execute();
  const usergroups = rows
    .filter(({ id, classification }) => {
      const isWithin = mission.audience === 'everyone' || mission.usergroups.includes(id);
      return knowsGroup(actor, id) && isWithin && classification >= rank;
    })
    .filter(({ name }) => archived.audience === 'everyone' || archived.usergroups.includes(name))
    .map(({ id }) => id);
  return { ...given, audience: 'groups', usergroups };
}

/** Author of an imported mark whose user name is unknown on this server. */
const IMPORTED_AUTHOR = 'imported';

/** Author of an imported mark. `author_id` is null if the user name in the archive is unknown on this server. */
type Author = { author_id: string | null; author: string };

/** Reads the accounts with these user names. Returns a function that gives the author for each name. */
export async function authorsNamed(db: Db, names: readonly string[]): Promise<(name: string) => Author> {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('username', 'in', [...new Set(names)])
    .execute();
  const byName = new Map(rows.map((row) => [row.username, row]));
  return (name) => {
    const user = byName.get(name);
    return { author_id: user?.id ?? null, author: user?.username ?? IMPORTED_AUTHOR };
  };
}
