import { sql } from 'kysely';
import { asSystem, type Db } from '../access/visibility.ts';
import type { Database } from '../db/schema.ts';

/** What may be wrong with stored bytes: they are gone, of another length, other bytes, or the disk gives none. */
export type StoredFault = NonNullable<Database['stored_checks']['fault']>;

/** A recording's file or a document: what has bytes of its own in the storage. */
export type ItemRef = { noun: 'files' | 'documents'; id: string };

/** One of them as its row says that it was stored, and what is known of its bytes. */
export type StoredItem = ItemRef & {
  storageKey: string;
  sizeBytes: number;
  /** Null: not hashed yet. */
  sha256: string | null;
  /** Of a file: the mission that it belongs to. */
  missionId: string | null;
  /** UTC microseconds; null: never read from end to end. */
  checked: number | null;
  fault: StoredFault | null;
  isAccepted: boolean;
  keptSha256: string | null;
};

export type FoundFault = {
  fault: StoredFault;
  /** Its length now; null where it has none. */
  foundBytes: number | null;
  /** SHA-256 of what a backup holds in its place; left out where that was not looked for. */
  keptSha256?: string | null;
};

/** SHA-256 of the content that belongs there; null where nobody knows it. */
export const keptHashOf = ({ sha256, keptSha256 }: StoredItem): string | null => sha256 ?? keptSha256;

const PAGE = 1000;

export type StoredItems = ReturnType<typeof storedItems>;

/** Recordings' files and documents with what is known of their bytes, for jobs and backups. */
export function storedItems({ db, nowUs }: { db: Db; nowUs: () => number }) {
  const columnOf = ({ noun }: Pick<ItemRef, 'noun'>) => (noun === 'files' ? 'file_id' : 'document_id');

  const filesOf = () =>
    asSystem(db, 'sweep')
      .selectFrom('files')
      .innerJoin('sensors', 'sensors.id', 'files.sensor_id')
      .leftJoin('stored_checks', 'stored_checks.file_id', 'files.id')
      .select(['files.id', 'storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256'])
      .select(['mission_id as missionId', 'checked', 'fault', 'kept_sha256 as keptSha256'])
      .select(sql<boolean>`accepted is not null`.as('isAccepted'));

  const documentsOf = () =>
    asSystem(db, 'sweep')
      .selectFrom('documents')
      .leftJoin('stored_checks', 'stored_checks.document_id', 'documents.id')
      .select(['documents.id', 'storage_key as storageKey', 'size_bytes as sizeBytes', 'sha256'])
      .select([sql<null>`null`.as('missionId'), 'checked', 'fault', 'kept_sha256 as keptSha256'])
      .select(sql<boolean>`accepted is not null`.as('isAccepted'));

  async function page(noun: ItemRef['noun'], after: string | null): Promise<StoredItem[]> {
    const rows =
      noun === 'files'
        ? await filesOf()
            .$if(after !== null, (query) => query.where('files.id', '>', after ?? ''))
            .orderBy('files.id')
            .limit(PAGE)
            .execute()
        : await documentsOf()
            .$if(after !== null, (query) => query.where('documents.id', '>', after ?? ''))
            .orderBy('documents.id')
            .limit(PAGE)
            .execute();
    return rows.map((row) => ({ noun, ...row }));
  }

  async function read({ noun, id }: ItemRef): Promise<StoredItem | null> {
    const row =
      noun === 'files'
        ? await filesOf().where('files.id', '=', id).executeTakeFirst()
        : await documentsOf().where('documents.id', '=', id).executeTakeFirst();
    return row === undefined ? null : { noun, ...row };
  }

  return {
    /** Null for one that is deleted. */
    read,

    /** By id alone. */
    find: async (id: string): Promise<StoredItem | null> =>
      (await read({ noun: 'files', id })) ?? (await read({ noun: 'documents', id })),

    /** All of them, in pages. */
    async *all(): AsyncGenerator<StoredItem> {
      for (const noun of ['files', 'documents'] as const) {
        for (let after: string | null = null; ; ) {
          const rows: StoredItem[] = await page(noun, after);
          yield* rows;
          if (rows.length < PAGE) break;
          after = rows.at(-1)!.id;
        }
      }
    },

    /**
     * Marks one as damaged. A loss that was accepted stays accepted as long as the same is wrong. False where it was
     * marked so before, or is deleted.
     */
    async damaged(item: ItemRef, { fault, foundBytes, keptSha256 }: FoundFault): Promise<boolean> {
      const before = await read(item);
      if (before === null) return false;
      const isNew = before.fault !== fault;
      const column = columnOf(item);
      const values = { fault, found_bytes: foundBytes, ...(keptSha256 !== undefined && { kept_sha256: keptSha256 }) };
      const anew = { found: nowUs(), accepted: null, accepted_by: null, accepted_reason: null };
      const row = { ...empty, ...values, found: nowUs(), [column]: item.id };
      await db
        .insertInto('stored_checks')
        .values(row)
        .onConflict((conflict) => conflict.column(column).doUpdateSet({ ...values, ...(isNew && anew) }))
        .execute();
      return isNew;
    },

    /** It was read from end to end, or put back, and is what was stored. True where it was marked as damaged. */
    async whole(item: ItemRef): Promise<boolean> {
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

    /** Of a recording, whose bytes were not hashed while they came. */
    async hashed(id: string, sha256: string): Promise<void> {
      await asSystem(db, 'sweep')
        .updateTable('files')
        .set({ sha256 })
        .where('id', '=', id)
        .where('sha256', 'is', null)
        .execute();
    },

    /** False where nothing is wrong with it any more. */
    async accept(item: ItemRef, { by, reason }: { by: string; reason: string }): Promise<boolean> {
      const done = await db
        .updateTable('stored_checks')
        .set({ accepted: nowUs(), accepted_by: by, accepted_reason: reason })
        .where(columnOf(item), '=', item.id)
        .where('fault', 'is not', null)
        .executeTakeFirst();
      return done.numUpdatedRows > 0n;
    },

    /** Ids of those that are damaged and whose loss nobody has accepted, oldest finding first. */
    async open(): Promise<(ItemRef & { found: number | null })[]> {
      const rows = await db
        .selectFrom('stored_checks')
        .select(['file_id', 'document_id', 'found'])
        .where('fault', 'is not', null)
        .where('accepted', 'is', null)
        .orderBy('found')
        .orderBy('id')
        .execute();
      return rows.map(({ file_id, document_id, found }) =>
        file_id === null ? { noun: 'documents', id: document_id ?? '', found } : { noun: 'files', id: file_id, found },
      );
    },
  };
}

const noFault = {
  ...{ fault: null, found: null, found_bytes: null, kept_sha256: null },
  ...{ accepted: null, accepted_by: null, accepted_reason: null },
};
const empty = { file_id: null, document_id: null, checked: null, ...noFault };
