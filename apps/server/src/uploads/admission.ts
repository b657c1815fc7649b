import { AppError } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../access/visibility.ts';
import { uploadReserve } from '../storage/space-rule.ts';
import type { Storage } from '../storage/storage.ts';

export type Admission = ReturnType<typeof admission>;

export type AdmissionDeps = {
  db: Db;
  storage: Storage;
  /** Free bytes that uploads leave alone; null is the rule of the storage. */
  reserveBytes: number | null;
  /** Bytes of files and begun uploads that one user may have; null is without limit. */
  userQuotaBytes: number | null;
};

type Asked = { userId: string; bytes: number; received?: number; uploadId?: string | null };

/** Whether there is room for an upload, asked before its first byte and while it grows. */
export function admission({ db, storage, reserveBytes, userQuotaBytes }: AdmissionDeps) {
  /** Bytes that uploads under way will still bring, archives to be imported among them. */
  async function announcedBytes(exceptId: string | null): Promise<number> {
    const { rows } = await sql<{ bytes: number }>`
      select coalesce(sum(size_bytes - offset_bytes), 0)::bigint as bytes from (
        select id, size_bytes, offset_bytes from uploads
        union all select id, size_bytes, offset_bytes from tasks where state = 'uploading') coming
      where id is distinct from ${exceptId}::uuid`.execute(db);
    return rows[0]?.bytes ?? 0;
  }

  /** What somebody has uploaded, also what lies in the bin, and what they have begun. */
  async function usedBytes(userId: string, exceptId: string | null): Promise<number> {
    const stored = asSystem(db, 'upload').selectFrom('files').where('uploaded_by', '=', userId).select('size_bytes');
    const documents = asSystem(db, 'upload')
      .selectFrom('documents')
      .where('author_id', '=', userId)
      .select('size_bytes');
    const begun = db
      .selectFrom('uploads')
      .where('user_id', '=', userId)
      .where(sql<boolean>`id is distinct from ${exceptId}::uuid`)
      .select('size_bytes');
    const { bytes } = await db
      .selectFrom(stored.unionAll(documents).unionAll(begun).as('own'))
      .select(sql<number>`coalesce(sum(own.size_bytes), 0)::bigint`.as('bytes'))
      .executeTakeFirstOrThrow();
    return bytes;
  }

  return {
    /**
     * @param bytes still to come; 0 where the client did not say
     * @param received on the disk already, and in no row yet
     * @throws AppError diskFull when the reserve would be touched, quotaReached when the user has no room
     */
    async check({ userId, bytes, received = 0, uploadId = null }: Asked) {
      const { freeBytes, totalBytes } = await storage.space();
      const left = freeBytes - (reserveBytes ?? uploadReserve(totalBytes)) - (await announcedBytes(uploadId));
      if (left < bytes || left <= 0) throw new AppError('diskFull');
      if (userQuotaBytes === null) return;
      const used = (await usedBytes(userId, uploadId)) + received;
      if (used + bytes <= userQuotaBytes) return;
      throw new AppError('quotaReached', { quota: sizeText(userQuotaBytes), used: sizeText(used) });
    },
  };
}

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'];

/** As people read it: 1.5 GB, of 1024 each. */
function sizeText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(bytes, 1)) / 10));
  return `${Math.round((bytes / 1024 ** power) * 10) / 10} ${UNITS[power]}`;
}
