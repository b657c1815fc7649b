import { type Actor, AppError, classificationOf } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../../base/access/as-system.ts';
import type { Box, Content, ContentFile } from '../../base/items/content.ts';
import { boxOf, iso, json, PICTURE_MAX_BYTES, safeName } from '../../base/items/content-files.ts';
import { visibleDocuments } from '../../base/items/visibility.ts';
import { fileBytes } from '../../base/storage/file-bytes.ts';
import type { Storage } from '../../base/storage/storage.ts';

type Deps = { db: Db; storage: Pick<Storage, 'read'> };

const PICTURES = ['jpeg', 'png', 'webp'];

/**
 * Additions that a kind of document makes to the exported files: further files, and further fields of `.about.json`.
 */
type Further = (name: string) => { files: readonly ContentFile[]; about: object };

export function documentContent({ db, storage }: Deps) {
  /**
   * Yields the file of a document, the files of `further`, and a JSON file with the document's metadata. @throws
   * AppError notFound
   */
  async function* filesWith(actor: Actor, id: string, further: Further): AsyncGenerator<ContentFile> {
    const row = await visibleDocuments(db, actor)
      .where('documents.id', '=', id)
      .selectAll('documents')
      .executeTakeFirst();
    if (row === undefined) throw new AppError('notFound');
    const name = safeName(row.file_name);
    yield { name, bytes: () => storage.read(row.storage_key), sha256: row.sha256 };
    const more = further(name);
    yield* more.files;
    const about = {
      ...{ title: row.title, description: row.description, type: row.document_type, fileName: row.file_name },
      ...{ label: classificationOf(row.classification), platform: row.platform_name, tags: row.tags },
      ...{ author: row.author, created: iso(row.creation_time), sha256: row.sha256, geometry: row.geometry },
    };
    // The suffix `.about` keeps this name different from that of the document's own file.
    yield { name: `${name}.about.json`, bytes: json({ ...about, ...more.about }) };
  }

  return {
    kind: 'document',
    table: 'documents',
    item: 'document',
    gone: null,

    missionsOf: async () => [],

    async read(tx, actor, id) {
      const row = await visibleDocuments(tx, actor)
        .where('documents.id', '=', id)
        .select(['documents.title', 'documents.classification'])
        .executeTakeFirst();
      return row && { ...row, missionId: null, startTime: null, endTime: null };
    },

    async shown(tx, ids) {
      const rows = await asSystem(tx, 'case')
        .selectFrom('documents')
        .where('id', 'in', [...ids])
        .select(['id', 'title', 'deleted_time', 'thumbnail'])
        .select(
          sql<
            Box[]
          >`(select coalesce(json_agg(${boxOf('shape')}), '[]') from document_shapes where document_id = documents.id)`.as(
            'places',
          ),
        )
        .execute();
      return rows.map(({ id, title, deleted_time: deletedTime, thumbnail, places }) => ({
        ...{ id, title, deletedTime, missionId: null, sensors: [], places, picture: null, overlays: false },
        thumbnailUrl: thumbnail ? `/documents/${id}.webp` : null,
        frames: [],
        times: () => ({ startTime: null, endTime: null, spans: [] }),
      }));
    },

    files: (actor, id) => filesWith(actor, id, () => ({ files: [], about: {} })),
    filesWith,

    async pictures(actor, id) {
      const row = await visibleDocuments(db, actor)
        .where('documents.id', '=', id)
        .select(['documents.content', 'documents.size_bytes', 'documents.storage_key', 'documents.thumbnail'])
        .executeTakeFirst();
      const none = { own: null, overlays: null };
      if (row === undefined) return none;
      const isSmall = PICTURES.includes(row.content) && row.size_bytes <= PICTURE_MAX_BYTES;
      if (!isSmall && !row.thumbnail) return none;
      const key = isSmall ? row.storage_key : `documents/${id}/thumbnail.webp`;
      const bytes = await fileBytes(storage, key);
      return { ...none, own: bytes && { type: `image/${isSmall ? row.content : 'webp'}`, bytes } };
    },

    report: { word: 'Document' },
  } satisfies Content & { filesWith: unknown };
}
