import {
  type Actor,
  AppError,
  type ChangedDocument,
  type Classification,
  classificationRank,
  type DocumentContent,
  type DocumentFacts,
  type DocumentGeometry,
  isAdmin,
  type NewDocument,
} from '@osprey/contract';
import { outlineFault } from '@osprey/geo';
import { type Kysely, sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import { authorize } from '../../base/access/authorize.ts';
import { compareSharing, needReason, refuseSharing, requestedFacts } from '../../base/access/sharing.ts';
import type { Database } from '../../base/db/schema.ts';
import { refuseOnHold } from '../../base/items/case-hold.ts';
import { refuseBeyondMission } from '../../base/items/derived.ts';
import { factsOfDocument, type NamedDocumentFacts } from '../../base/items/document-facts.ts';
import { shareOnlyWith, shareWith } from '../../base/items/shared-with.ts';
import { missionOfSnapshot } from '../../base/items/snapshot-columns.ts';
import { documentsInBin } from '../../base/items/visibility.ts';
import type { JobQueue } from '../../base/jobs/queue.ts';
import { writeShapes } from './geometry.ts';
import { readDocument } from './repository.ts';
import { type StoredDocument, selectDocument } from './rows.ts';

export type DocumentChanges = ReturnType<typeof documentChanges>;

/** Change of a document's rights by an update, for the audit log. */
export type Changed = { before: NamedDocumentFacts; after: NamedDocumentFacts; reason: string | null };

/** A file that is stored durably. */
export type DocumentFile = {
  /** Becomes the id of the document. */
  id: string;
  storageKey: string;
  fileName: string;
  content: DocumentContent;
  sizeBytes: number;
  sha256: string;
};

/** Writes the rows that belong to a new document, in the same transaction. */
export type AlsoWrite = (tx: Db, documentId: string) => Promise<void>;
const nothing: AlsoWrite = async () => {};

export type DocumentChangesDeps = {
  db: Kysely<Database>;
  queue: Pick<JobQueue, 'enqueue'>;
  nowUs: () => number;
  /** The highest label that this installation may hold. Items without a label are treated as having it. */
  systemHigh: Classification;
};

/**
 * Groups the functions that write documents. Each one checks the rights of the actor in the transaction that writes.
 */
export function documentChanges({ db, queue, nowUs, systemHigh }: DocumentChangesDeps) {
  const factsOfNew = (requested: NewDocument): DocumentFacts => ({
    securityClassification: requested.securityClassification ?? systemHigh,
    audience: requested.audience,
    usergroups: requested.usergroups,
    draft: false,
    locked: requested.restricted,
  });

  /**
   * Returns the facts of the new document if the actor may create it.
   *
   * @throws AppError forbidden, and the errors found by `shareProblem`
   */
  async function mayCreate(actor: Actor, requested: NewDocument, tx: Db = db): Promise<DocumentFacts> {
    const facts = factsOfNew(requested);
    authorize(actor, 'document.create', facts);
    await refuseSharing(tx, actor, facts);
    if (facts.locked) authorize(actor, 'document.lock', facts);
    return facts;
  }

  /**
   * Returns whether a document with this id exists, in the bin or not. Rights are not checked: the caller holds the
   * upload of that id.
   */
  async function isMade(id: string): Promise<boolean> {
    const row = await asSystem(db, 'document')
      .selectFrom('documents')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** Creates a document. `also` writes the rows that belong to it in the same transaction. */
  async function create(
    actor: Actor,
    requested: NewDocument,
    file: DocumentFile,
    also: AlsoWrite = nothing,
  ): Promise<void> {
    checkPlace(requested.geometry);
    await db.transaction().execute(async (tx) => {
      const facts = await mayCreate(actor, requested, tx);
      await tx
        .insertInto('documents')
        .values({
          id: file.id,
          title: requested.title,
          description: requested.description,
          document_type: requested.documentType,
          platform_name: requested.platformName,
          classification: classificationRank(facts.securityClassification),
          marked: requested.securityClassification !== undefined,
          audience: requested.audience,
          edit_lock: requested.restricted,
          tags: requested.tags,
          author_id: actor.id,
          author: actor.username,
          creation_time: nowUs(),
          message: null,
          file_name: file.fileName,
          content: file.content,
          size_bytes: file.sizeBytes,
          sha256: file.sha256,
          storage_key: file.storageKey,
          pages: null,
          body_words: null,
          geometry: requested.geometry && JSON.stringify(requested.geometry),
          geometry_source: requested.geometry && 'user',
          deleted_time: null,
          deleted_by: null,
        })
        .execute();
      await shareWith(tx, 'document', { id: file.id, usergroups: requested.usergroups });
      await writeShapes(tx, file.id, requested.geometry);
      await also(tx, file.id);
      await queue.enqueue(tx, 'document', { documentId: file.id });
    });
  }

  /**
   * @throws AppError invalid, notFound, forbidden, revisionConflict, reasonNeeded, and the errors found by
   * `shareProblem`
   */
  async function update(actor: Actor, id: string, change: ChangedDocument): Promise<Changed> {
    checkPlace(change.geometry);
    return db.transaction().execute(async (tx) => {
      const row = await lockRow(tx, actor, id);
      const before = factsOfDocument(row);
      authorize(actor, 'document.update', before);
      if (change.revision !== undefined && change.revision !== row.revision) throw new AppError('revisionConflict');

      const after = { ...requestedFacts(before, change), locked: change.restricted ?? before.locked };
      if (after.locked !== before.locked) authorize(actor, 'document.lock', before);
      const sharing = compareSharing(before, after);
      if (sharing.changes) {
        await refuseSharing(tx, actor, after, before.usergroups);
        const mission = await missionOfSnapshot(tx, id);
        if (mission !== null) refuseBeyondMission(mission, after);
        if (sharing.widened) {
          authorize(actor, 'document.lower', before);
          needReason(change.reason);
        }
      }
      await writeChange(tx, row, { change, after });
      return { before, after, reason: change.reason ?? null };
    });
  }

  /** Moves a document to the bin, keeping its label and audience. Returns the row as it was before. */
  async function remove(actor: Actor, id: string): Promise<StoredDocument> {
    return db.transaction().execute(async (tx) => {
      const row = await lockRow(tx, actor, id);
      authorize(actor, 'document.delete', factsOfDocument(row));
      await refuseOnHold(tx, actor, 'subject_id', [{ id, name: row.title }]);
      await asSystem(tx, 'authorized change')
        .updateTable('documents')
        .set({ deleted_time: nowUs(), deleted_by: actor.id, revision: sql`revision + 1` })
        .where('id', '=', id)
        .execute();
      return row;
    });
  }

  /** Restores documents from the bin, all or none. Only admins see documents that others deleted. */
  async function restore(actor: Actor, ids: readonly string[]): Promise<StoredDocument[]> {
    return db.transaction().execute(async (tx) => {
      let query = selectDocument(documentsInBin(tx, actor)).where('documents.id', 'in', [...ids]);
      if (!isAdmin(actor)) query = query.where('documents.deleted_by', '=', actor.id);
      const rows = await query.execute();
      for (const row of rows) authorize(actor, 'document.delete', factsOfDocument(row));
      if (rows.length < new Set(ids).size) throw new AppError('notFound');
      await asSystem(tx, 'authorized change')
        .updateTable('documents')
        .set({ deleted_time: null, deleted_by: null, revision: sql`revision + 1` })
        .where('id', 'in', [...ids])
        .execute();
      return rows;
    });
  }

  return { mayCreate, isMade, create, update, remove, restore };
}

/** Locks the row and reads it again, since it may have changed between the first read and the lock. */
async function lockRow(tx: Db, actor: Actor, id: string): Promise<StoredDocument> {
  await readDocument(tx, actor, id);
  await asSystem(tx, 'authorized change')
    .selectFrom('documents')
    .select('id')
    .where('id', '=', id)
    .forUpdate()
    .execute();
  return readDocument(tx, actor, id);
}

/** @throws AppError invalid if the geometry is not a valid place */
function checkPlace(geometry: DocumentGeometry | null | undefined): void {
  const fault = geometry ? outlineFault(geometry) : null;
  if (fault !== null) throw new AppError('invalid', { geometry: fault });
}

type Write = { change: ChangedDocument; after: DocumentFacts };

async function writeChange(tx: Db, row: StoredDocument, { change, after }: Write): Promise<void> {
  const { title, description, documentType, platformName, tags, geometry } = change;
  const requested = { title, description, document_type: documentType, platform_name: platformName, tags };
  const given = Object.fromEntries(Object.entries(requested).filter(([, value]) => value !== undefined));
  const place =
    geometry === undefined
      ? {}
      : { geometry: geometry && JSON.stringify(geometry), geometry_source: geometry && ('user' as const) };
  await asSystem(tx, 'authorized change')
    .updateTable('documents')
    .set({
      ...given,
      ...place,
      classification: classificationRank(after.securityClassification),
      marked: row.marked || change.securityClassification !== undefined,
      audience: after.audience,
      edit_lock: after.locked,
    })
    .set({ revision: sql`revision + 1` })
    .where('id', '=', row.id)
    .execute();
  if (change.usergroups !== undefined) await shareOnlyWith(tx, 'document', row, change.usergroups);
  if (geometry !== undefined) await writeShapes(tx, row.id, geometry);
}
