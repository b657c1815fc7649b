import { sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import type { Database } from '../db/schema.ts';

/** Faults of stored bytes: the file is missing, has another length or different content, or the disk cannot read it. */
export type StoredFault = NonNullable<Database['stored_checks']['fault']>;

/** A recording's file or a document: what has bytes of its own in the storage. */
export type StoredRef = { noun: 'files' | 'documents'; id: string };

/** A stored file as its database row describes it, and what is known of its bytes. */
export type StoredFile = StoredRef & {
  storageKey: string;
  sizeBytes: number;
  /** Null if the file has not been hashed yet. */
  sha256: string | null;
  /** Mission that the file belongs to; null for documents. */
  missionId: string | null;
  /** Time at which its bytes were last checked, in UTC microseconds; null if never since they were stored. */
  checked: number | null;
  fault: StoredFault | null;
  isAccepted: boolean;
  keptSha256: string | null;
};

export type FoundFault = {
  fault: StoredFault;
  /** Current length of the file, in bytes; null if it is missing. */
  foundBytes: number | null;
  /** SHA-256 of the content that a backup has in place of the damaged one; absent if no backup was checked. */
  keptSha256?: string | null;
};

/** SHA-256 of the stored content; null if it is not known. */
export const keptHashOf = ({ sha256, keptSha256 }: StoredFile): string | null => sha256 ?? keptSha256;

const PAGE = 1000;
/**
 * Time of the last reading. Bytes are known to be good when they are written, so that time counts if they have never
 * been read.
 */
const lastRead = sql<number>`coalesce(checked, created)`;

export type StoredFiles = ReturnType<typeof storedFiles>;

/** Recordings' files and documents with what is known of their bytes, for jobs and backups. */
export function storedFiles({ db, nowUs }: { db: Db; nowUs: () => number }) {
  const columnOf = ({ noun }: Pick<StoredRef, 'noun'>) => (noun === 'files' ? 'file_id' : 'document_id');

  const files = () =>
    asSystem(db, 'sweep')
      .selectFrom('files')
      .innerJoin('sensors', 'sensors.id', 'files.sensor_id')
      .leftJoin('stored_checks', 'stored_checks.file_id', 'files.id')
      .select(sql<StoredRef['noun']>`'files'`.as('noun'))
      .select(['files.id', 'storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256', 'files.created'])
      .select(sql<string | null>`mission_id`.as('missionId'))
      .select(['checked', 'fault', 'kept_sha256 as keptSha256'])
      .select(sql<boolean>`accepted is not null`.as('isAccepted'));

  const documents = () =>
    asSystem(db, 'sweep')
      .selectFrom('documents')
      .leftJoin('stored_checks', 'stored_checks.document_id', 'documents.id')
      .select(sql<StoredRef['noun']>`'documents'`.as('noun'))
      .select(['documents.id', 'storage_key as storageKey', 'size_bytes as sizeBytes'])
      .select((eb) => eb.ref('sha256').$castTo<string | null>().as('sha256'))
      .select('creation_time as created')
      .select(sql<string | null>`null::uuid`.as('missionId'))
      .select(['checked', 'fault', 'kept_sha256 as keptSha256'])
      .select(sql<boolean>`accepted is not null`.as('isAccepted'));

  const items = () => db.selectFrom(files().unionAll(documents()).as('item')).selectAll();

  const page = (noun: StoredRef['noun'], after: string | null): Promise<StoredFile[]> =>
    items()
      .where('noun', '=', noun)
      .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
      .orderBy('id')
      .limit(PAGE)
      .execute();

  const read = async ({ noun, id }: StoredRef): Promise<StoredFile | null> =>
    (await items().where('noun', '=', noun).where('id', '=', id).executeTakeFirst()) ?? null;

  return {
    /** Reads one stored file; null if it was deleted. */
    read,

    /** Finds a stored file by its id alone. */
    find: async (id: string): Promise<StoredFile | null> =>
      (await items().where('id', '=', id).executeTakeFirst()) ?? null,

    /** Yields all stored files, read in pages. */
    async *all(): AsyncGenerator<StoredFile> {
      for (const noun of ['files', 'documents'] as const) {
        for (let after: string | null = null; ; ) {
          const rows: StoredFile[] = await page(noun, after);
          yield* rows;
          if (rows.length < PAGE) break;
          after = rows.at(-1)!.id;
        }
      }
    },

    /**
     * Marks a file as damaged. An accepted loss remains accepted as long as the fault is the same. False if the file
     * was already marked with this fault or was deleted.
     */
    async damaged(item: StoredRef, { fault, foundBytes, keptSha256 }: FoundFault): Promise<boolean> {
      const before = await read(item);
      if (before === null) return false;
      const isNew = before.fault !== fault;
      const column = columnOf(item);
      const values = {
        fault,
        found_bytes: foundBytes,
        checked: nowUs(),
        ...(keptSha256 !== undefined && { kept_sha256: keptSha256 }),
      };
      const reset = { found: nowUs(), accepted: null, accepted_by: null, accepted_reason: null };
      const row = { ...empty, ...values, found: nowUs(), [column]: item.id };
      await db
        .insertInto('stored_checks')
        .values(row)
        .onConflict((conflict) => conflict.column(column).doUpdateSet({ ...values, ...(isNew && reset) }))
        .execute();
      return isNew;
    },

    /** Marks files as missing from the storage. Returns those that were not marked before. */
    async missing(items: readonly StoredRef[]): Promise<StoredRef[]> {
      const fresh: StoredRef[] = [];
      for (const [noun, own] of Map.groupBy(items, ({ noun }) => noun)) {
        const column = sql.ref(columnOf({ noun }));
        for (let at = 0; at < own.length; at += PAGE) {
          const ids = own.slice(at, at + PAGE).map(({ id }) => id);
          const { rows } = await sql<{ id: string }>`
            insert into stored_checks (${column}, fault, found, checked)
            select id, 'missing', ${nowUs()}, ${nowUs()} from ${sql.table(noun)} where id = any (${ids}::uuid[])
            on conflict (${column}) do update set fault = excluded.fault, found = excluded.found,
              checked = excluded.checked, found_bytes = null, accepted = null, accepted_by = null, accepted_reason = null
            where stored_checks.fault is distinct from excluded.fault
            returning ${column} as id`.execute(db);
          fresh.push(...rows.map(({ id }) => ({ noun, id })));
        }
      }
      return fresh;
    },

    /** Yields files marked as missing, read in pages. */
    async *markedMissing(): AsyncGenerator<StoredFile> {
      let after: string | null = null;
      for (;;) {
        const rows: StoredFile[] = await items()
          .where('fault', '=', 'missing')
          .$if(after !== null, (query) => query.where('id', '>', after ?? ''))
          .orderBy('id')
          .limit(PAGE)
          .execute();
        yield* rows;
        if (rows.length < PAGE) return;
        after = rows.at(-1)!.id;
      }
    },

    /**
     * Removes the mark from a file that is present again. The time of its last reading is kept, since its bytes were
     * not read.
     */
    async back(item: StoredRef): Promise<void> {
      await db.updateTable('stored_checks').set(noFault).where(columnOf(item), '=', item.id).execute();
    },

    /**
     * Records that a file was read completely or restored, and contains what was stored. Returns true if it was marked
     * as damaged before.
     */
    async whole(item: StoredRef): Promise<boolean> {
      const before = await read(item);
      if (before === null) return false;
      const column = columnOf(item);
      const row = { ...empty, checked: nowUs() };
      await db
        .insertInto('stored_checks')
        .values({ ...row, [column]: item.id })
        .onConflict((conflict) => conflict.column(column).doUpdateSet({ ...noFault, checked: row.checked }))
        .execute();
      return before.fault !== null;
    },

    totalBytes: async (): Promise<number> => {
      const { rows } = await sql<{ bytes: number | null }>`
        select ((select coalesce(sum(size_bytes), 0) from files) + (select coalesce(sum(size_bytes), 0) from documents))::bigint
        as bytes`.execute(asSystem(db, 'sweep'));
      return rows[0]?.bytes ?? 0;
    },

    /** Files whose bytes were written or read the longest ago, and before `beforeUs`. */
    longestUnread: (limit: number, beforeUs: number): Promise<StoredFile[]> =>
      items().where(lastRead, '<', beforeUs).orderBy(lastRead).orderBy('id').limit(limit).execute(),

    /** Returns the time at which the bytes unread for longest were written or read; null if there are no files. */
    async oldestRead(): Promise<number | null> {
      const row = await db
        .selectFrom(files().unionAll(documents()).as('item'))
        .select(sql<number | null>`min(${lastRead})`.as('oldest'))
        .where('fault', 'is', null)
        .executeTakeFirst();
      return row?.oldest ?? null;
    },

    /** Recordings that were not hashed while they were written, and with which nothing is wrong. */
    notHashed: (limit: number): Promise<StoredFile[]> =>
      items().where('sha256', 'is', null).where('fault', 'is', null).orderBy('created').limit(limit).execute(),

    async countNotHashed(): Promise<number> {
      const row = await asSystem(db, 'sweep')
        .selectFrom('files')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('sha256', 'is', null)
        .executeTakeFirst();
      return row?.count ?? 0;
    },

    /** Stores the hash of a recording that was not hashed while it was written. */
    async hashed(id: string, sha256: string): Promise<void> {
      await asSystem(db, 'sweep')
        .updateTable('files')
        .set({ sha256 })
        .where('id', '=', id)
        .where('sha256', 'is', null)
        .execute();
    },

    /** Records that a user accepts the loss of a file. False if the file no longer has a fault. */
    async accept(item: StoredRef, { by, reason }: { by: string; reason: string }): Promise<boolean> {
      const done = await db
        .updateTable('stored_checks')
        .set({ accepted: nowUs(), accepted_by: by, accepted_reason: reason })
        .where(columnOf(item), '=', item.id)
        .where('fault', 'is not', null)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    /** Damaged files whose loss is not accepted, oldest finding first. */
    async open(): Promise<(StoredRef & { found: number | null; fault: StoredFault | null })[]> {
      const rows = await db
        .selectFrom('stored_checks')
        .select(['file_id', 'document_id', 'found', 'fault'])
        .where('fault', 'is not', null)
        .where('accepted', 'is', null)
        .orderBy('found')
        .orderBy('id')
        .execute();
      return rows.map(({ file_id, document_id, found, fault }) => ({
        ...(file_id === null ? { noun: 'documents', id: document_id ?? '' } : { noun: 'files', id: file_id }),
        ...{ found, fault },
      }));
    },
  };
}

const noFault = {
  ...{ fault: null, found: null, found_bytes: null, kept_sha256: null },
  ...{ accepted: null, accepted_by: null, accepted_reason: null },
};
const empty = { file_id: null, document_id: null, checked: null, ...noFault };
