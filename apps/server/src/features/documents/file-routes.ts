import { Readable } from 'node:stream';
import {
  type Actor,
  AppError,
  createDocumentToken,
  DOCUMENT_TOKEN_MS,
  type DocumentAction,
  type DocumentContent,
  downloadDocument,
  getDocumentPage,
  getDocumentPlaylist,
  getDocumentText,
  getDocumentThumbnail,
  getDocumentVideo,
} from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../../base/access/authorize.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { actorAgain } from '../../base/http/still-allowed.ts';
import { factsOfDocument } from '../../base/items/document-facts.ts';
import type { MediaTokens } from '../../base/items/media-token.ts';
import { OVERLAYS_PAGE } from '../../base/storage/snapshot-overlays.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type CompleteFile, rangeHeaders, rangeOfFile, watchedRead } from '../../media/play/transfer.ts';
import { attachment } from './content-disposition.ts';
import { decodeText } from './encoding.ts';
import { playlistKey, thumbnailKey } from './pictures.ts';
import type { DocumentRepository } from './repository.ts';
import type { StoredDocument } from './rows.ts';
import type { CopyOptions, SnapshotCopy } from './snapshot-copy.ts';

export type DocumentFileRoutesDeps = Http & {
  storage: Storage;
  documents: DocumentRepository;
  reads: OpenReads;
  mediaTokens: Pick<MediaTokens, 'sign'>;
  /** Reports a document whose stored bytes are missing or differ from what its row says. */
  damaged: (documentId: string, error: unknown) => void;
  /** Returns a snapshot as it is downloaded. @throws AppError badFile */
  snapshotCopy: SnapshotCopy;
  /**
   * Returns the storage key of the picture of a page, and creates the picture if it does not exist yet. @throws
   * AppError badFile
   */
  pictureOfPage: (document: StoredDocument, page: number) => Promise<string>;
};

/** Maximum size of a text that is shown in full; longer texts have to be downloaded. */
const SHOWN_TEXT_BYTES = 256 * 1024;

const types: Partial<Record<DocumentContent, string>> = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  webp: 'image/webp',
  tiff: 'image/tiff',
  mp4: 'video/mp4',
  ts: 'video/mp2t',
  zip: 'application/zip',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  odt: 'application/vnd.oasis.opendocument.text',
  ods: 'application/vnd.oasis.opendocument.spreadsheet',
  json: 'application/json',
  geojson: 'application/geo+json',
  csv: 'text/csv',
  text: 'text/plain',
};

const texts: readonly string[] = ['text', 'csv', 'json', 'geojson', 'kml'] satisfies DocumentContent[];
const images: readonly string[] = ['png', 'jpeg', 'gif', 'webp', 'avif', 'heic', 'tiff'] satisfies DocumentContent[];

const unplayable = () => new AppError('badFile', { reason: 'browsers cannot play it' });

type Asking = { actor: Actor; session: Session; request: FastifyRequest; reply: FastifyReply; audit: RequestAudit };

/** How a document is sent: the right it requires, its media type, and the file if it is not the document's own. */
type Shown = { action: DocumentAction; type: string; file?: Sent };

/** Bytes to send, in full or by ranges. */
type Sent = { whole: CompleteFile; read: (range: { start: number; end: number }) => Readable; name?: string };

const reader =
  (bytes: Buffer): Sent['read'] =>
  ({ start, end }) =>
    Readable.from([bytes.subarray(start, end)]);

/**
 * Routes for the bytes and pictures of documents. Rights are checked at each request, and a transfer is aborted when
 * they are lost.
 */
export function documentFileRoutes(deps: DocumentFileRoutesDeps): void {
  const { storage, documents } = deps;

  callRoute(deps, createDocumentToken, async ({ input: { params }, actor, session, request }) => {
    const row = await documents.read(actor, params.id);
    authorize(actor, 'document.download', factsOfDocument(row));
    if (session.id === null) throw new AppError('notSignedIn');
    const accessToken = deps.mediaTokens.sign({
      user: actor.id,
      userEpoch: session.userEpoch,
      noun: 'documents',
      item: row.id,
      itemEpoch: row.epoch,
      session: session.id,
      address: request.ip,
    });
    return { accessToken, expires: deps.nowUs() + DOCUMENT_TOKEN_MS * 1000 };
  });

  callRoute(deps, downloadDocument, async ({ input: { params, query }, ...asking }) => {
    const row = await openShown(asking, params.id, 'document.download');
    const { strip = false, overlays = false } = query;
    if (overlays && row.overlays_bytes === null) throw new AppError('notFound');
    if (row.snapshot !== null) return labelledCopy(asking, row, { strip, overlays });
    const type = types[row.content as DocumentContent] ?? 'application/octet-stream';
    return bytes(asking, row, { action: 'document.download', type });
  });

  callRoute(deps, getDocumentVideo, async ({ input: { params }, ...asking }) => {
    const row = await openShown(asking, params.id, 'document.read');
    if (row.content !== 'mp4' && row.content !== 'ts') throw unplayable();
    return bytes(asking, row, { action: 'document.read', type: row.content === 'mp4' ? 'video/mp4' : 'video/mp2t' });
  });

  callRoute(deps, getDocumentPlaylist, async ({ input: { params }, ...asking }) => {
    const row = await openShown(asking, params.id, 'document.read');
    const stored = await storage.stat(playlistKey(row.id));
    if (row.content !== 'ts' || stored === null) throw unplayable();
    asking.reply.type('application/vnd.apple.mpegurl').header('content-length', stored.sizeBytes);
    return storage.read(playlistKey(row.id));
  });

  callRoute(deps, getDocumentThumbnail, async ({ input: { params }, ...asking }) => {
    const row = await openShown(asking, params.thumbnail.slice(0, -'.webp'.length), 'document.read', 'thumbnail.read');
    if (!row.thumbnail) throw new AppError('notFound');
    return picture(asking, row, thumbnailKey(row.id));
  });

  callRoute(deps, getDocumentPage, async ({ input: { params }, ...asking }) => {
    const row = await openShown(asking, params.id, 'document.read');
    const pictures = row.overlays_bytes === null ? 1 : OVERLAYS_PAGE;
    const last = images.includes(row.content) ? pictures : (row.pages ?? 0);
    if (params.page > last) throw new AppError('notFound');
    return picture(asking, row, await deps.pictureOfPage(row, params.page));
  });

  callRoute(deps, getDocumentText, async ({ input: { params }, ...asking }) => {
    const row = await openShown(asking, params.id, 'document.read');
    if (!texts.includes(row.content)) throw new AppError('badFile', { reason: 'it is not a text' });
    const chunks: Buffer[] = [];
    const end = Math.min(row.size_bytes, SHOWN_TEXT_BYTES);
    for await (const chunk of watchedBytes(row, { start: 0, end })) chunks.push(chunk as Buffer);
    const more = end < row.size_bytes;
    return { text: decodeText(Buffer.concat(chunks), !more), more };
  });

  /**
   * Checks the right to read a document and writes the audit row before the first byte is sent. @throws AppError
   * notFound, for hidden and absent documents alike
   */
  async function openShown(
    { actor, audit, reply }: Asking,
    id: string,
    action: DocumentAction,
    noted: string = action,
  ) {
    const row = await documents.read(actor, id);
    const facts = factsOfDocument(row);
    authorize(actor, action, facts);
    await audit.read(noted, facts);
    const isOpen = facts.securityClassification === 'UNCLASSIFIED';
    reply
      .header('cache-control', isOpen ? 'private, no-cache' : 'private, no-store')
      .header('content-security-policy', "sandbox; default-src 'none'");
    return row;
  }

  /** Reads a document's file, and reports the document as damaged if reading fails. */
  function watchedBytes({ id, storage_key }: StoredDocument, { start, end }: { start: number; end: number }): Readable {
    const stream = storage.read(storage_key, { start, end, isComplete: true });
    return stream.once('error', (error) => deps.damaged(id, error));
  }

  async function picture({ reply }: Asking, row: StoredDocument, key: string): Promise<Readable> {
    const stored = await storage.stat(key);
    if (stored === null) throw new AppError('notFound');
    reply
      .type('image/webp')
      .header('content-length', stored.sizeBytes)
      .header('etag', `"${row.id}-${stored.modifiedMs}"`);
    return storage.read(key);
  }

  async function labelledCopy(asking: Asking, row: StoredDocument, options: CopyOptions): Promise<Readable> {
    const { strip, overlays } = options;
    const copy = await deps.snapshotCopy(asking.actor, row, options);
    const tag = `${row.id}-${row.epoch}${overlays ? '-overlays' : ''}${strip ? '-strip' : ''}`;
    const name = overlays ? row.file_name.replace(/\.jpg$/, ' with overlays.jpg') : row.file_name;
    const file = { whole: { sizeBytes: copy.length, tag }, read: reader(copy), name };
    return bytes(asking, row, { action: 'document.download', type: 'image/jpeg', file });
  }

  const stored = (row: StoredDocument): Sent => ({
    // The id can serve as the entity tag, since the file of a document is never replaced.
    whole: { sizeBytes: row.size_bytes, tag: row.id },
    read: (range) => watchedBytes(row, range),
  });

  async function bytes(asking: Asking, row: StoredDocument, shown: Shown): Promise<Readable> {
    const { request, reply } = asking;
    const { action, type, file = stored(row) } = shown;
    const { whole } = file;
    const range = rangeOfFile(request, reply, whole);
    const writeHead = () => {
      rangeHeaders(
        reply.type(type).header('content-disposition', attachment(file.name ?? row.file_name)),
        whole,
        range,
      );
    };
    if (request.method === 'HEAD') {
      writeHead();
      return Readable.from([]);
    }
    const again = async () => {
      const now = await actorAgain(deps, request, { media: true });
      authorize(now, action, factsOfDocument(await documents.read(now, row.id)));
    };
    const begin = () => {
      writeHead();
      return file.read(range);
    };
    return watchedRead(deps.reads, asking, [factsOfDocument(row)], { again, begin });
  }
}
