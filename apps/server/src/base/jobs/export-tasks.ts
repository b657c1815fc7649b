import { type Actor, AppError, classifications, clipContainers, EXPORTS_MAX } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { ceilingRankOf } from '../access/actors.ts';
import type { Database } from '../db/schema.ts';
import type { Storage } from '../storage/storage.ts';
import { openExports } from './export-slots.ts';

/** Clips that are made in the background: of each sensor a span, in UTC microseconds. */
const clipOrder = z.object({
  container: z.enum(clipContainers),
  cuts: z.array(z.object({ sensorId: z.uuid(), inUs: z.int(), outUs: z.int() })).min(1),
});
export type ClipOrder = z.output<typeof clipOrder>;

/** Input of an export: an archive of missions, or clips of them. */
export const exportInput = z.object({ missions: z.array(z.uuid()), clips: clipOrder.optional() });
export type ExportInput = z.output<typeof exportInput>;

/** The right on the missions that the receiver of the export needs. */
export const exportAction = ({ clips }: ExportInput) =>
  clips ? ('clip.export' as const) : ('mission.export' as const);

/**
 * Version of the cutting procedure. Increment it whenever the same cut yields different bytes: zips made by an earlier
 * version, including unfinished ones, are then made again.
 */
export const CLIP_CUTTING = 4;

export const exportResult = z.object({
  fileName: z.string(),
  /** The CLIP_CUTTING that clips were made by; absent for other exports. */
  cutting: z.int().optional(),
  /** Highest label of the archive's content; annotations may be above their missions. */
  label: z.enum(classifications).optional(),
});
export const exportKey = (id: string): string => `exports/${id}.zip`;
/**
 * Storage keys of a zip of clips while it is being written, and of the state that records how far it is complete. An
 * interrupted export resumes from both.
 */
export const makingKey = (id: string): string => `exports/${id}.making`;
export const stateKey = (id: string): string => `exports/${id}.state.json`;

/** Removes all files of an export from the disk. */
export async function removeExportFiles(storage: Pick<Storage, 'remove'>, id: string): Promise<void> {
  for (const key of [exportKey(id), makingKey(id), stateKey(id)]) await storage.remove(key);
}

type Deps = { db: Kysely<Database>; storage: Pick<Storage, 'remove'>; nowUs: () => number };

/**
 * Orders an export and removes old finished exports of the user to make room for it. Returns its id. @throws AppError
 * tooManyRequests
 */
export async function beginExport(
  { db, storage, nowUs }: Deps,
  actor: Actor,
  { title, input }: { title: string; input: ExportInput },
): Promise<string> {
  const row = {
    ...{ kind: 'export', user_id: actor.id, state: 'waiting', title, input: JSON.stringify(input) },
    ...{ result: null, error: null, size_bytes: null, offset_bytes: null, storage_key: null },
    ...{ created: nowUs(), ended: null, heartbeat: null, ceiling: ceilingRankOf(actor) },
  };
  const id = await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`exports/${actor.id}`}, 0))`.execute(tx);
    if ((await openExports(tx, actor.id)) >= EXPORTS_MAX) throw new AppError('tooManyRequests', { seconds: '60' });
    return (await tx.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow()).id;
  });
  // Old exports are removed, since each one is a copy on the same disk.
  const ended = await ownExports(db, actor.id).where('ended', 'is not', null).orderBy('created', 'desc').execute();
  for (const { id: old } of ended.slice(EXPORTS_MAX - 1)) {
    await db.deleteFrom('tasks').where('id', '=', old).execute();
    await removeExportFiles(storage, old);
  }
  return id;
}

export const ownExports = (db: Kysely<Database>, userId: string) =>
  db.selectFrom('tasks').selectAll().where('kind', '=', 'export').where('user_id', '=', userId);

/** Makes clip exports again that are finished and ready to be downloaded but were made by an earlier version. */
export async function remakeOldClips({ db, storage }: Pick<Deps, 'db' | 'storage'>): Promise<void> {
  const old = await db
    .selectFrom('tasks')
    .where('kind', '=', 'export')
    .where('state', '=', 'done')
    .where(sql<boolean>`input -> 'clips' is not null`)
    .where(sql<boolean>`coalesce((result ->> 'cutting')::int, 1) < ${CLIP_CUTTING}`)
    .select('id')
    .execute();
  const again = { attempts: 0, progress: 0, result: null, ended: null, heartbeat: null, storage_key: null };
  for (const { id } of old) {
    // Remove the files first, since new ones may be written as soon as the task is waiting again.
    await removeExportFiles(storage, id);
    await db
      .updateTable('tasks')
      .set({ state: 'waiting', ...again })
      .where('id', '=', id)
      .where('state', '=', 'done')
      .execute();
  }
}
