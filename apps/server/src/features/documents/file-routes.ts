import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import {
  type Actor,
  AppError,
  type Classification,
  classificationOf,
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
  type PictureSource,
} from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { authorize } from '../../base/access/authorize.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { Session } from '../../base/http/session.ts';
import { actorAgain } from '../../base/http/still-allowed.ts';
import { factsOfDocument } from '../../base/items/document-facts.ts';
import type { MediaTokens } from '../../base/items/media-token.ts';
import { OVERLAYS_PAGE, overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { type CompleteFile, rangeHeaders, rangeOfFile, watchedRead } from '../../media/play/transfer.ts';
import { attachment } from './content-disposition.ts';
import { decodeText } from './encoding.ts';
import { type CopyFacts, withLabel } from './label-in-jpeg.ts';
import { playlistKey, thumbnailKey } from './pictures.ts';
import type { StripWords } from './reader/strip.ts';
import type { DocumentRepository } from './repository.ts';
import type { StoredDocument } from './rows.ts';

export type DocumentFileRoutesDeps = Http & {
  storage: Storage;
  documents: DocumentRepository;
  reads: OpenReads;
  mediaTokens: Pick<MediaTokens, 'sign'>;
  /** A document did not give the bytes that its row promises. */
  damaged: (documentId: string, error: unknown) => void;
  /** A stored picture with its label below it. @throws DecoderError */
  withStrip: (storageKey: string, words: StripWords) => Promise<Buffer>;
  /** The picture of a page, made when it is not there yet. Returns its storage key. @throws AppError badFile */
  pictureOfPage: (document: StoredDocument, page: number) => Promise<string>;
};

/** The colours in which the client shows labels. */
const LABEL_COLOURS: Record<Classification, string> = {
  UNCLASSIFIED: '#1B7A43',
  RESTRICTED: '#0B7570',
  CONFIDENTIAL: '#1F62B5',
  SECRET: '#B8232F',
  'TOP SECRET': '#B25300',
};

/** The whole of a text that is shown; the rest is downloaded. */
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

/** By which right its bytes are sent, and as what. */
type Shown = { action: DocumentAction; type: string; file?: Sent };

/** Bytes that are sent, whole or by ranges. */
type Sent = { whole: CompleteFile; read: (range: { start: number; end: number }) => Readable; name?: string };

/** Snapshots only. */
type Requested = { strip: boolean; overlays: boolean };
/** Said in each copy; of a picture of the recording nothing is. */
const sources: Record<PictureSource, string | null> = { server: null, browser: 'picture from the browser' };

const reader =
  (bytes: Buffer): Sent['read'] =>
  ({ start, end }) =>
    Readable.from([bytes.subarray(start, end)]);

/** Bytes and pictures of documents. The rights are asked at each fetch, and a transfer ends when they are lost. */
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
    const row = await opened(asking, params.id, 'document.download');
    const { strip = false, overlays = false } = query;
    if (overlays && row.overlays_bytes === null) throw new AppError('notFound');
    if (row.snapshot !== null) return labelledCopy(asking, row, { strip, overlays });
    const type = types[row.content as DocumentContent] ?? 'application/octet-stream';
    return bytes(asking, row, { action: 'document.download', type });
  });

  callRoute(deps, getDocumentVideo, async ({ input: { params }, ...asking }) => {
    const row = await opened(asking, params.id, 'document.read');
    if (row.content !== 'mp4' && row.content !== 'ts') throw unplayable();
    return bytes(asking, row, { action: 'document.read', type: row.content === 'mp4' ? 'video/mp4' : 'video/mp2t' });
  });

  callRoute(deps, getDocumentPlaylist, async ({ input: { params }, ...asking }) => {
    const row = await opened(asking, params.id, 'document.read');
    const stored = await storage.stat(playlistKey(row.id));
    if (row.content !== 'ts' || stored === null) throw unplayable();
    asking.reply.type('application/vnd.apple.mpegurl').header('content-length', stored.sizeBytes);
    return storage.read(playlistKey(row.id));
  });

  callRoute(deps, getDocumentThumbnail, async ({ input: { params }, ...asking }) => {
    const row = await opened(asking, params.thumbnail.slice(0, -'.webp'.length), 'document.read', 'thumbnail.read');
    if (!row.thumbnail) throw new AppError('notFound');
    return picture(asking, row, thumbnailKey(row.id));
  });

  callRoute(deps, getDocumentPage, async ({ input: { params }, ...asking }) => {
    const row = await opened(asking, params.id, 'document.read');
    const pictures = row.overlays_bytes === null ? 1 : OVERLAYS_PAGE;
    const last = images.includes(row.content) ? pictures : (row.pages ?? 0);
    if (params.page > last) throw new AppError('notFound');
    return picture(asking, row, await deps.pictureOfPage(row, params.page));
  });

  callRoute(deps, getDocumentText, async ({ input: { params }, ...asking }) => {
    const row = await opened(asking, params.id, 'document.read');
    if (!texts.includes(row.content)) throw new AppError('badFile', { reason: 'it is not a text' });
    const parts: Buffer[] = [];
    const end = Math.min(row.size_bytes, SHOWN_TEXT_BYTES);
    for await (const part of watchedBytes(row, { start: 0, end })) parts.push(part as Buffer);
    const more = end < row.size_bytes;
    return { text: decodeText(Buffer.concat(parts), !more), more };
  });

  /** Written to the audit before the first byte. @throws AppError notFound, for hidden and absent documents alike */
  async function opened({ actor, audit, reply }: Asking, id: string, action: DocumentAction, noted: string = action) {
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

  /** Notes damage of a document's file when it is read. */
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

  /** A picture of a snapshot with the label of this moment inside, by choice below it too: its stored bytes have none. */
  async function labelledCopy(asking: Asking, row: StoredDocument, { strip, overlays }: Requested): Promise<Readable> {
    const label = classificationOf(row.classification);
    const source = overlays ? 'picture with overlays, drawn by the browser' : sources[row.snapshot ?? 'server'];
    const facts = { label, title: row.title, takenUs: row.taken_time ?? row.creation_time, source };
    const key = overlays ? overlaysKey(row.id) : row.storage_key;
    const unlabelled = () => (overlays ? wholeOverlays(row) : whole(row));
    const copy = withLabel(strip ? await stripped(key, facts) : await unlabelled(), facts);
    const tag = `${row.id}-${row.epoch}${overlays ? '-overlays' : ''}${strip ? '-strip' : ''}`;
    const name = overlays ? row.file_name.replace(/\.jpg$/, ' with overlays.jpg') : row.file_name;
    const file = { whole: { sizeBytes: copy.length, tag }, read: reader(copy), name };
    return bytes(asking, row, { action: 'document.download', type: 'image/jpeg', file });
  }

  async function whole(row: StoredDocument): Promise<Buffer> {
    const parts: Buffer[] = [];
    for await (const part of watchedBytes(row, { start: 0, end: row.size_bytes })) parts.push(part as Buffer);
    return Buffer.concat(parts);
  }

  /** @throws AppError badFile where it is not what was stored */
  async function wholeOverlays(row: StoredDocument): Promise<Buffer> {
    const parts: Uint8Array[] = [];
    try {
      for await (const part of storage.read(overlaysKey(row.id)) as AsyncIterable<Uint8Array>) parts.push(part);
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
    }
    const stored = Buffer.concat(parts);
    if (createHash('sha256').update(stored).digest('hex') === row.overlays_sha256) return stored;
    throw new AppError('badFile', { reason: 'its picture with overlays is damaged; a backup may have it' });
  }

  async function stripped(key: string, { label, title, takenUs, source }: CopyFacts): Promise<Buffer> {
    const time = `${new Date(takenUs / 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const words = { label, colour: LABEL_COLOURS[label], line: [title, time, ...(source ? [source] : [])].join(', ') };
    try {
      return await deps.withStrip(key, words);
    } catch (error) {
      if (!(error instanceof DecoderError)) throw error;
      throw new AppError('badFile', { reason: 'its label cannot be drawn below it' }, error);
    }
  }

  const stored = (row: StoredDocument): Sent => ({
    // The file of a document is never put in place of another.
    whole: { sizeBytes: row.size_bytes, tag: row.id },
    read: (range) => watchedBytes(row, range),
  });

  async function bytes(asking: Asking, row: StoredDocument, shown: Shown): Promise<Readable> {
    const { request, reply } = asking;
    const { action, type, file = stored(row) } = shown;
    const { whole } = file;
    const range = rangeOfFile(request, reply, whole);
    const say = () => {
      rangeHeaders(
        reply.type(type).header('content-disposition', attachment(file.name ?? row.file_name)),
        whole,
        range,
      );
    };
    if (request.method === 'HEAD') {
      say();
      return Readable.from([]);
    }
    const again = async () => {
      const now = await actorAgain(deps, request, { media: true });
      authorize(now, action, factsOfDocument(await documents.read(now, row.id)));
    };
    const begin = () => {
      say();
      return file.read(range);
    };
    return watchedRead(deps.reads, asking, [factsOfDocument(row)], { again, begin });
  }
}
