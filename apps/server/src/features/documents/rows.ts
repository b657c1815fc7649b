import {
  type Actor,
  classificationOf,
  type DocumentContent,
  type DocumentGeometry,
  type DocumentRow,
  type DocumentType,
} from '@osprey/contract';
import type { SelectQueryBuilder } from 'kysely';
import { knowsGroup } from '../../base/access/known-groups.ts';
import type { Database } from '../../base/db/schema.ts';
import { groupsOfDocument } from '../../base/items/document-facts.ts';
import {
  overlaysHash,
  overlaysOfSnapshot,
  pictureOfSnapshot,
  timeOfSnapshot,
} from '../../base/items/snapshot-columns.ts';

/** Selects the columns of a row that users see: all but the text inside. */
export function selectDocument<T>(query: SelectQueryBuilder<Database, 'documents', T>) {
  return query
    .select([
      'documents.id',
      'documents.title',
      'documents.description',
      'documents.document_type',
      'documents.platform_name',
      'documents.classification',
      'documents.marked',
      'documents.audience',
      'documents.edit_lock',
      'documents.tags',
      'documents.author',
      'documents.author_id',
      'documents.creation_time',
      'documents.state',
      'documents.message',
      'documents.file_name',
      'documents.content',
      'documents.size_bytes',
      'documents.sha256',
      'documents.storage_key',
      'documents.thumbnail',
      'documents.pages',
      'documents.text_scope',
      'documents.geometry',
      'documents.geometry_source',
      'documents.revision',
      'documents.epoch',
      'documents.deleted_time',
      'documents.deleted_by',
    ])
    .select(groupsOfDocument.as('usergroups'))
    .select([pictureOfSnapshot.as('snapshot'), timeOfSnapshot.as('taken_time')])
    .select([overlaysOfSnapshot.as('overlays_bytes'), overlaysHash.as('overlays_sha256')]);
}

export type StoredDocument = Awaited<ReturnType<ReturnType<typeof selectDocument<object>>['executeTakeFirstOrThrow']>>;

/** Converts a row to the API format. */
export function toDocument(row: StoredDocument, actor: Actor, accessToken: string | null = null): DocumentRow {
  return {
    _id: row.id,
    title: row.title,
    description: row.description,
    documentType: row.document_type as DocumentType,
    platformName: row.platform_name,
    restricted: row.edit_lock,
    usergroups: row.usergroups.filter((id) => knowsGroup(actor, id)),
    audience: row.audience,
    author: row.author,
    creationTime: row.creation_time,
    fileName: row.file_name,
    accessToken,
    thumbnail: row.thumbnail ? `/documents/${row.id}.webp` : null,
    state: row.state as DocumentRow['state'],
    tags: row.tags,
    geometry: row.geometry as DocumentGeometry | null,
    geometrySource: row.geometry_source as DocumentRow['geometrySource'],
    securityClassification: classificationOf(row.classification),
    marked: row.marked,
    content: row.content as DocumentContent,
    snapshot: row.snapshot,
    overlays: row.overlays_bytes !== null,
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    pages: row.pages,
    textScope: row.text_scope as DocumentRow['textScope'],
    message: row.message,
    revision: row.revision,
    deletedTime: row.deleted_time,
  };
}
