import { AppError } from '@osprey/contract';
import { type Expression, sql } from 'kysely';
import { asSystem, type Db } from '../base/access/as-system.ts';
import { uploadReserve } from '../base/storage/space-rule.ts';
import type { Storage } from '../base/storage/storage.ts';

/** Time without new bytes after which an upload is no longer counted, until it continues. */
const STALLED_MS = 10 * 60_000;
/** Number of bytes after which free space is checked again, since other uploads may have begun in the meantime. */
const SPACE_STEP_BYTES = 64 * 1024 * 1024;

/**
 * Returns a function that checks the free space for an upload that continues at `fromBytes`, once every
 * SPACE_STEP_BYTES.
 */
export function everySpaceStep(
  fromBytes: number,
  look: (sizeBytes: number) => Promise<void>,
): (sizeBytes: number) => Promise<void> {
  let lookedAt = fromBytes;
  return async (sizeBytes) => {
    if (sizeBytes - lookedAt < SPACE_STEP_BYTES) return;
    lookedAt = sizeBytes;
    await look(sizeBytes);
  };
}

export type Admission = ReturnType<typeof admission>;

export type AdmissionDeps = {
  db: Db;
  storage: Storage;
  /** Number of free bytes that uploads must leave on the disk; null: the default rule of the storage. */
  reserveBytes: number | null;
  /** Maximum number of bytes of one user, in files, unfinished uploads and archives; null: no limit. */
  userQuotaBytes: number | null;
  /** Returns a query for the sizes of the case packages that a user has created. */
  packagesOf: (db: Db, userId: string) => Expression<{ size_bytes: number }>;
  nowUs: () => number;
};

type Asked = { userId: string; bytes: number; madeBytes?: number; received?: number; uploadId?: string | null };

/**
 * Returns the estimated size of the transport stream that will be made from a recording in another container; it is
 * about the same as that of the recording. Before the file has arrived, its container is known only by the extension of
 * its name.
 */
export const bytesMadeOf = (name: string, sizeBytes: number): number =>
  /\.(?:mp4|m4v|mov|mkv|webm)$/i.test(name) ? sizeBytes : 0;

/** Checks whether there is room for an upload, before its first byte and while it grows. */
export function admission({ db, storage, reserveBytes, userQuotaBytes, packagesOf, nowUs }: AdmissionDeps) {
  /**
   * Returns the number of bytes that other uploads and imported archives have announced but not yet sent. For an upload
   * already in progress, only those that began before it count, so that later ones cannot stop it.
   */
  async function announcedBytes({ userId, uploadId, room }: { userId: string; uploadId: string | null; room: number }) {
    const { rows } = await sql<{ user_id: string; bytes: number }>`
      with coming as (
        select id, user_id, size_bytes - offset_bytes as bytes, created, updated from uploads
        union all
        select id, user_id, size_bytes - offset_bytes, created, heartbeat from tasks where state = 'uploading'),
      own as (select created, id from coming where id = ${uploadId}::uuid)
      select user_id, sum(bytes)::bigint as bytes from coming
      where updated > ${nowUs() - STALLED_MS * 1000}
        and (not exists (select from own) or (created, id) < (select created, id from own))
      group by user_id`.execute(db);
    const own = rows.find(({ user_id }) => user_id === userId)?.bytes ?? 0;
    const others = rows.filter(({ user_id }) => user_id !== userId).map(({ bytes }) => bytes);
    return own + sharesOf(others, Math.max(0, room));
  }

  /**
   * Returns the number of bytes that a user has uploaded, including the bin, case packages, unfinished uploads, and
   * archives that become files.
   */
  async function usedBytes(userId: string, exceptId: string | null): Promise<number> {
    const stored = asSystem(db, 'upload').selectFrom('files').where('uploaded_by', '=', userId).select('size_bytes');
    const documents = asSystem(db, 'upload')
      .selectFrom('documents')
      .leftJoin('snapshots', 'snapshots.document_id', 'documents.id')
      .where('author_id', '=', userId)
      .select(sql<number>`documents.size_bytes + coalesce(snapshots.overlays_bytes, 0)`.as('size_bytes'));
    const begun = db
      .selectFrom('uploads')
      .where('user_id', '=', userId)
      .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
      .select('size_bytes');
    const imported = db
      .selectFrom('tasks')
      .where('user_id', '=', userId)
      .where('kind', '=', 'import')
      .where('state', 'in', ['uploading', 'waiting', 'running'])
      .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
      .select(sql<number>`coalesce(size_bytes, 0)`.as('size_bytes'));
    const { bytes } = await db
      .selectFrom(
        stored.unionAll(documents).unionAll(packagesOf(db, userId)).unionAll(begun).unionAll(imported).as('own'),
      )
      .select(sql<number>`coalesce(sum(own.size_bytes), 0)::bigint`.as('bytes'))
      .executeTakeFirstOrThrow();
    return bytes;
  }

  /** @throws AppError quotaReached */
  async function checkQuota({ userId, bytes, received = 0, uploadId = null }: Asked): Promise<void> {
    if (userQuotaBytes === null) return;
    const used = (await usedBytes(userId, uploadId)) + received;
    if (used + bytes <= userQuotaBytes) return;
    throw new AppError('quotaReached', { quota: sizeText(userQuotaBytes), used: sizeText(used) });
  }

  return {
    checkQuota,

    /**
     * @param bytes number of bytes still to come; 0 if the client did not announce it
     * @param madeBytes size of the files that will be made from the upload; counts only against the disk space
     * @param received bytes that are already on the disk, but not yet in any row
     * @throws AppError diskFull when the reserve would be used, quotaReached when the user's quota would be exceeded
     */
    async check(asked: Asked): Promise<void> {
      const { userId, bytes, madeBytes = 0, uploadId = null } = asked;
      const { freeBytes, totalBytes } = await storage.space();
      const room = freeBytes - (reserveBytes ?? uploadReserve(totalBytes));
      const left = room - (await announcedBytes({ userId, uploadId, room }));
      if (left < bytes + madeBytes || left <= 0) throw new AppError('diskFull');
      await checkQuota(asked);
    },
  };
}

/**
 * Returns how many of the bytes announced by other users count. Each user counts with at most an equal share of the
 * room that remains after those who need less than their share, so that announcing a huge upload does not keep others
 * out.
 */
function sharesOf(announced: number[], room: number): number {
  let left = room;
  let sharing = announced.length + 1;
  for (const bytes of announced.sort((a, b) => a - b)) {
    left -= Math.min(bytes, left / sharing);
    sharing -= 1;
  }
  return room - left;
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** Formats a size for users, such as "1.5 GB", in units of 1024. */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${UNITS[power]}`;
}
