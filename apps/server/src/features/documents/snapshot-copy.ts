import { createHash } from 'node:crypto';
import { type Actor, AppError, type Classification, classificationOf, type PictureSource } from '@osprey/contract';
import { DecoderError } from '../../base/ffmpeg/ffmpeg.ts';
import { overlaysKey } from '../../base/storage/snapshot-overlays.ts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { type CopyFacts, withLabel } from './label-in-jpeg.ts';
import type { StripWords } from './reader/strip.ts';
import type { DocumentRepository } from './repository.ts';
import type { StoredDocument } from './rows.ts';

export type SnapshotCopyDeps = {
  storage: Pick<Storage, 'read'>;
  documents: Pick<DocumentRepository, 'frameCentre'>;
  /** Reports a document whose stored bytes are missing or differ from what its row says. */
  damaged: (documentId: string, error: unknown) => void;
  /** Returns a stored picture with its label below it. @throws DecoderError */
  withStrip: (storageKey: string, words: StripWords) => Promise<Buffer>;
};

/** `strip`: also show the label in a strip below the picture. `overlays`: use the second picture, with the overlays. */
export type CopyOptions = { strip: boolean; overlays: boolean };

export type SnapshotCopy = ReturnType<typeof snapshotCopies>;

/** The colours in which the client shows labels. */
const LABEL_COLOURS: Record<Classification, string> = {
  UNCLASSIFIED: '#1B7A43',
  RESTRICTED: '#0B7570',
  CONFIDENTIAL: '#1F62B5',
  SECRET: '#B8232F',
  'TOP SECRET': '#B25300',
};

/**
 * Note on the source of the picture, written into each copy; none for pictures taken from the recording by the server.
 */
const sources: Record<PictureSource, string | null> = { server: null, browser: 'picture from the browser' };

/**
 * Creates a copy of a snapshot's picture that contains its current label and its place; the stored bytes contain
 * neither. The copy's bytes stay the same as long as label, title and options do.
 */
export function snapshotCopies({ storage, documents, damaged, withStrip }: SnapshotCopyDeps) {
  return async (actor: Actor, row: StoredDocument, { strip, overlays }: CopyOptions): Promise<Buffer> => {
    const facts = {
      ...{ label: classificationOf(row.classification), title: row.title },
      takenUs: row.taken_time ?? row.creation_time,
      source: overlays ? 'picture with overlays, drawn by the browser' : sources[row.snapshot ?? 'server'],
      centre: await documents.frameCentre(actor, row.id),
    };
    const unlabelled = () => (overlays ? wholeOverlays(row) : whole(row));
    return withLabel(
      strip ? await addStrip(overlays ? overlaysKey(row.id) : row.storage_key, facts) : await unlabelled(),
      facts,
    );
  };

  async function whole(row: StoredDocument): Promise<Buffer> {
    const chunks: Buffer[] = [];
    const stream = storage.read(row.storage_key, { start: 0, end: row.size_bytes, isComplete: true });
    stream.once('error', (error) => damaged(row.id, error));
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks);
  }

  /** @throws AppError badFile if the bytes differ from those that were stored */
  async function wholeOverlays(row: StoredDocument): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    try {
      for await (const chunk of storage.read(overlaysKey(row.id)) as AsyncIterable<Uint8Array>) chunks.push(chunk);
    } catch (error) {
      if (!(error instanceof NotStored)) throw error;
    }
    const stored = Buffer.concat(chunks);
    if (createHash('sha256').update(stored).digest('hex') === row.overlays_sha256) return stored;
    throw new AppError('badFile', { reason: 'its picture with overlays is damaged; a backup may have it' });
  }

  async function addStrip(key: string, { label, title, takenUs, source }: CopyFacts): Promise<Buffer> {
    const time = `${new Date(takenUs / 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    const words = { label, colour: LABEL_COLOURS[label], line: [title, time, ...(source ? [source] : [])].join(', ') };
    try {
      return await withStrip(key, words);
    } catch (error) {
      if (!(error instanceof DecoderError)) throw error;
      throw new AppError('badFile', { reason: 'its label cannot be drawn below it' }, error);
    }
  }
}

/**
 * Returns the SHA-256 of a snapshot as it would be downloaded now, without strip or overlays; null for other documents,
 * or if the file cannot be read.
 */
export async function downloadSum(
  snapshotCopy: SnapshotCopy,
  actor: Actor,
  row: StoredDocument,
): Promise<string | null> {
  if (row.snapshot === null) return null;
  try {
    const copy = await snapshotCopy(actor, row, { strip: false, overlays: false });
    return createHash('sha256').update(copy).digest('hex');
  } catch {
    return null;
  }
}
