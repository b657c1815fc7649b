import { createHash, type Hash, randomUUID } from 'node:crypto';
import { AppError } from '@osprey/contract';
import type { Selectable } from 'kysely';
import type { Db } from '../base/access/as-system.ts';
import type { Database } from '../base/db/schema.ts';
import type { Storage } from '../base/storage/storage.ts';
import { hashOf } from './receive.ts';

export type UploadRow = Selectable<Database['uploads']>;

/** Time for which unfinished uploads are kept after their last byte. */
export const EXPIRES_MS = 72 * 3_600_000;
/** Maximum number of unfinished uploads of one user: enough for any form, but too few to fill a table. */
const BEGUN_MAX = 1000;
/** Maximum number of running hashes in memory. An upload without one is hashed from the disk when it is complete. */
const HASHES_MAX = 2000;

export type TusStore = ReturnType<typeof tusStore>;

/**
 * Manages rows and bytes of resumable uploads. The first `offset_bytes` bytes are durable; any bytes after them are
 * truncated before more are received.
 */
export function tusStore({ db, storage, nowUs }: { db: Db; storage: Storage; nowUs: () => number }) {
  const hashes = new Map<string, Hash>();
  const writers = new Map<string, { stop: AbortController; done: Promise<unknown> }>();

  return {
    async create(upload: Pick<UploadRow, 'user_id' | 'sensor_id' | 'name' | 'size_bytes' | 'last_modified'>) {
      const { begun } = await db
        .selectFrom('uploads')
        .select((eb) => eb.fn.countAll<number>().as('begun'))
        .where('user_id', '=', upload.user_id)
        .where((eb) => eb('offset_bytes', '<', eb.ref('size_bytes')))
        .executeTakeFirstOrThrow();
      if (Number(begun) >= BEGUN_MAX) throw new AppError('tooManyRequests', { seconds: '60' });
      const id = randomUUID();
      const times = { created: nowUs(), updated: nowUs() };
      const row = { id, ...upload, ...times, storage_key: `uploads/${id}.part` };
      remember(id, createHash('sha256'));
      return db.insertInto('uploads').values(row).returningAll().executeTakeFirstOrThrow();
    },

    /** Finds an upload of this user; uploads of other users are not found. */
    find: (id: string, userId: string): Promise<UploadRow | undefined> =>
      db.selectFrom('uploads').selectAll().where('id', '=', id).where('user_id', '=', userId).executeTakeFirst(),

    /**
     * Runs `work` as the only writer of an upload. A new writer aborts the previous one, whose connection is most
     * likely dead.
     */
    async alone<T>(id: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
      for (let current = writers.get(id); current !== undefined; current = writers.get(id)) {
        current.stop.abort();
        await current.done.catch(() => undefined);
      }
      const stop = new AbortController();
      const done = work(stop.signal);
      writers.set(id, { stop, done });
      try {
        return await done;
      } finally {
        writers.delete(id);
      }
    },

    /**
     * Opens the file, truncated to its durable bytes, and its running hash. The hash is null if this process has not
     * seen every byte.
     */
    async open(row: UploadRow) {
      const file = await storage.append(row.storage_key);
      if (file.sizeBytes() < row.offset_bytes) {
        await file.close();
        throw new AppError('notFound');
      }
      if (file.sizeBytes() > row.offset_bytes) await file.truncate(row.offset_bytes);
      const hash = row.offset_bytes === 0 ? createHash('sha256') : (hashes.get(row.id) ?? null);
      if (hash !== null) remember(row.id, hash);
      return { file, hash };
    },

    async setOffset(id: string, offset: number): Promise<void> {
      const row = { offset_bytes: offset, updated: nowUs() };
      await db.updateTable('uploads').set(row).where('id', '=', id).execute();
    },

    /** Drops a hash that includes bytes which were not kept. */
    forgetHash: (id: string) => void hashes.delete(id),
    useHash: remember,

    async sha256(row: UploadRow): Promise<string> {
      const hash = hashes.get(row.id);
      // Digest a copy, since finishing the upload may fail and be retried.
      return hash ? hash.copy().digest('hex') : hashOf(storage.read(row.storage_key));
    },

    /**
     * Records that the bytes of an upload have become a file. The row is kept until it expires, so that a client that
     * lost the reply can still query it.
     */
    async finish(id: string, key: string): Promise<void> {
      hashes.delete(id);
      await db.updateTable('uploads').set({ storage_key: key, updated: nowUs() }).where('id', '=', id).execute();
    },

    async remove(row: UploadRow): Promise<void> {
      hashes.delete(row.id);
      await db.deleteFrom('uploads').where('id', '=', row.id).execute();
      if (!isFinished(row)) await storage.remove(row.storage_key);
    },
  };

  function remember(id: string, hash: Hash): void {
    hashes.delete(id);
    const [oldest] = hashes.size >= HASHES_MAX ? hashes.keys() : [];
    if (oldest !== undefined) hashes.delete(oldest);
    hashes.set(id, hash);
  }
}

export const isFinished = (row: Pick<UploadRow, 'storage_key'>): boolean => !row.storage_key.startsWith('uploads/');
export const isComplete = (row: Pick<UploadRow, 'offset_bytes' | 'size_bytes'>): boolean =>
  row.offset_bytes === row.size_bytes;
