import type { DocumentContent } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { DecoderError, type Ffmpeg } from '../../base/ffmpeg/ffmpeg.ts';
import { defineDocumentJob } from '../../base/jobs/definition.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { writeShapes } from './geometry.ts';
import { playlistKey, thumbnailKey } from './pictures.ts';
import type { FileReader } from './read-file.ts';
import { nothingFound } from './reader/limits.ts';
import type { Reading } from './reading.ts';
import { streamPlaylist } from './stream-playlist.ts';
import { firstVideoBytes } from './video.ts';
import { searchedText } from './words.ts';

export type ReadingJobDeps = {
  db: Kysely<Database>;
  storage: Storage;
  ffmpeg: Pick<Ffmpeg, 'available' | 'pictureAt'>;
  reader: Pick<FileReader, 'read'>;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

const THUMBNAIL_WIDTH = 320;
/** SQLSTATE program_limit_exceeded: the text has more different words than one row of the index can hold. */
const TOO_MANY_WORDS = '54000';

type File = { id: string; storageKey: string; content: DocumentContent; sizeBytes: number };

/**
 * Finds text, places and a small picture in a document. A document that cannot be read can still be downloaded, and
 * gets a message that says why it has no picture.
 */
export function readingJob(deps: ReadingJobDeps) {
  return defineDocumentJob('document', ({ documentId }) => readDocumentFile(deps, documentId), {
    ended: async ({ documentId, sentence }) => {
      await asSystem(deps.db, 'document')
        .updateTable('documents')
        .set({ state: 'Failed', message: sentence })
        .where('id', '=', documentId)
        .execute();
    },
  });
}

async function readDocumentFile(deps: ReadingJobDeps, documentId: string): Promise<void> {
  const row = await asSystem(deps.db, 'document')
    .selectFrom('documents')
    .select(['id', 'storage_key', 'content', 'size_bytes'])
    .where('id', '=', documentId)
    .executeTakeFirst();
  if (row === undefined) return;
  const content = row.content as DocumentContent;
  const file: File = { id: row.id, storageKey: row.storage_key, content, sizeBytes: row.size_bytes };
  const found = await readOrSay(deps, file);
  const picture = found.thumbnail === null ? await videoPicture(deps, file) : Buffer.from(found.thumbnail, 'base64');
  if (picture !== null) await deps.storage.put(thumbnailKey(documentId), [picture]);
  if (content === 'ts') await makePlaylist(deps, file);
  await store(deps.db, documentId, { found, hasPicture: picture !== null });
}

async function readOrSay({ reader, log }: ReadingJobDeps, file: File): Promise<Reading> {
  try {
    return await reader.read(file);
  } catch (error) {
    if (!(error instanceof DecoderError)) throw error;
    log.warn({ documentId: file.id, detail: error.detail }, 'document not read');
    return { ...nothingFound, textScope: 'fields', problem: error.message };
  }
}

async function videoPicture({ storage, ffmpeg, log }: ReadingJobDeps, file: File): Promise<Buffer | null> {
  if (file.content !== 'mp4' && file.content !== 'ts') return null;
  if (!ffmpeg.available()) return null;
  try {
    const bytes = await firstVideoBytes(storage, file.storageKey, file.content);
    const format = file.content === 'mp4' ? 'mov' : 'mpegts';
    return await ffmpeg.pictureAt({ bytes, width: THUMBNAIL_WIDTH, type: 'webp', format });
  } catch (error) {
    const why = error instanceof DecoderError ? { detail: error.detail } : { error };
    log.warn({ documentId: file.id, ...why }, 'no video picture');
    return null;
  }
}

async function makePlaylist({ storage, nowUs }: ReadingJobDeps, file: File): Promise<void> {
  const playlist = await streamPlaylist(storage, file.storageKey, nowUs());
  if (playlist !== null) await storage.put(playlistKey(file.id), [Buffer.from(playlist)]);
}

type Outcome = { found: Reading; hasPicture: boolean };

async function store(db: Kysely<Database>, id: string, { found, hasPicture }: Outcome): Promise<void> {
  let text = searchedText(found.text);
  let scope = found.textScope;
  for (;;) {
    try {
      await storeOnce(db, id, { found: { ...found, textScope: scope }, hasPicture, text });
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== TOO_MANY_WORDS || text.length < 1000) throw error;
      text = text.slice(0, text.length / 2);
      scope = 'part';
    }
  }
}

async function storeOnce(
  db: Kysely<Database>,
  id: string,
  { found, hasPicture, text }: Outcome & { text: string },
): Promise<void> {
  const problem = found.problem === null ? null : `No preview: ${found.problem}.`;
  const message = [problem, found.note].filter((one) => one !== null).join(' ') || null;
  await db.transaction().execute(async (tx) => {
    const place = await asSystem(tx, 'document')
      .updateTable('documents')
      .set({
        state: 'Ready',
        message,
        thumbnail: hasPicture,
        pages: found.pages,
        text_scope: found.textScope,
        body_words: sql<string>`to_tsvector('simple', ${text})`,
      })
      .where('id', '=', id)
      .returning(['geometry_source'])
      .executeTakeFirst();
    // A place drawn by a user takes precedence over that of the file.
    if (place === undefined || place.geometry_source === 'user' || found.geometry === null) return;
    await asSystem(tx, 'document')
      .updateTable('documents')
      .set({ geometry: JSON.stringify(found.geometry), geometry_source: 'file' })
      .where('id', '=', id)
      .execute();
    await writeShapes(tx, id, found.geometry);
  });
}
