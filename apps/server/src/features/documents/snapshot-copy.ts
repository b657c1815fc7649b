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
  /** A document did not give the bytes that its row promises. */
  damaged: (documentId: string, error: unknown) => void;
  /** A stored picture with its label below it. @throws DecoderError */
  withStrip: (storageKey: string, words: StripWords) => Promise<Buffer>;
};

/** `strip`: the label below the picture too; `overlays`: the second picture. */
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

/** Said in each copy; of a picture of the recording nothing is. */
const sources: Record<PictureSource, string | null> = { server: null, browser: 'picture from the browser' };

/**
 * Makes a picture of a snapshot with the label of this moment and its place inside: its stored bytes have none. The same
 * bytes each time, as long as label, title and options are the same.
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
      strip ? await stripped(overlays ? overlaysKey(row.id) : row.storage_key, facts) : await unlabelled(),
      facts,
    );
  };

  async function whole(row: StoredDocument): Promise<Buffer> {
    const parts: Buffer[] = [];
    const stream = storage.read(row.storage_key, { start: 0, end: row.size_bytes, isComplete: true });
    stream.once('error', (error) => damaged(row.id, error));
    for await (const part of stream) parts.push(part as Buffer);
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
      return await withStrip(key, words);
    } catch (error) {
      if (!(error instanceof DecoderError)) throw error;
      throw new AppError('badFile', { reason: 'its label cannot be drawn below it' }, error);
    }
  }
}

/** SHA-256 of a snapshot as it is downloaded now, by the picture alone; null where its file cannot be read. */
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
