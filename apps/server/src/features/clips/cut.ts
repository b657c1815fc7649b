import { AppError, type ClipContainer, type ClipPlan } from '@osprey/contract';
import {
  type Clip,
  type ClipLabel,
  type ClipReport,
  createClipJoint,
  isSound,
  type Mp4Clip,
  type Mp4Options,
  type Mp4Part,
  openClip,
  openMp4Clip,
} from '@osprey/mpegts';
import { CutShort, type Storage, type StoredFile } from '../../base/storage/storage.ts';
import { labelSet, saysLabel } from './label.ts';
import type { Piece } from './plan.ts';

/** Pieces of one format, which are one stream. */
export type CutFile = { pieces: Piece[] };
export type CutPiece = { piece: Piece; report: ClipReport };

export type Cutting = {
  storage: Pick<Storage, 'open'>;
  /** Rank of the label that the stream repeats every second. */
  rank: number;
  /** Called when an original could not be read. */
  damaged: (fileId: string, error: unknown) => void;
};

/**
 * Groups consecutive cuts of the same format into files. Only the first cut of an MP4 file may have pictures before its
 * In point, since MP4 can hide pictures only at the beginning.
 */
export function cutFiles(pieces: readonly Piece[], container: ClipContainer): CutFile[] {
  const files: CutFile[] = [];
  for (const piece of pieces) {
    const last = files.at(-1);
    const isJoined = container === 'ts' || piece.askedTicks === 0;
    if (isJoined && last?.pieces.at(-1)?.format === piece.format) last.pieces.push(piece);
    else files.push({ pieces: [piece] });
  }
  return files;
}

/**
 * Checks that a cut can begin, so that faults are reported before the first byte is sent.
 *
 * @throws AppError ruleRefused
 */
export async function checkCut({ storage, damaged }: Cutting, piece: Piece): Promise<void> {
  await openPieces({ storage, damaged }, piece, async () => {});
}

/** The transport stream of a file; `cut` is called after each piece was given. */
export async function* cutBytes(options: Cutting, { pieces }: CutFile, cut: (cut: CutPiece) => void) {
  const joint = createClipJoint();
  for (const [number, piece] of pieces.entries()) {
    const label = await labelOf(options, piece);
    const source = await openOriginal(options.storage, piece);
    try {
      const clip = await openedClip(source, piece, joint);
      for await (const bytes of clip.packets({ label, joined: number > 0 }))
        yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      cut({ piece, report: clip.report() });
    } catch (error) {
      options.damaged(piece.fileId, error);
      throw error;
    } finally {
      await source.close();
    }
  }
}

/** Returns the generator of the telemetry stream that carries the label; null if the recording already contains it. */
async function labelOf({ storage, rank }: Cutting, piece: Piece): Promise<ClipLabel | null> {
  if (await saysLabel(storage, piece, rank)) return null;
  return { set: (ticks) => labelSet(piece.utcOf(ticks), rank) };
}

/**
 * Opens an MP4 file once its tables are known, for which all of it must have been read.
 *
 * @throws AppError ruleRefused if it cannot be written as MP4
 */
export async function openMp4(options: Cutting, { pieces }: CutFile, said: Mp4Options): Promise<Mp4Clip> {
  const partOf = async (piece: Piece): Promise<Mp4Part> => ({
    ...{ askedTicks: piece.askedTicks, lengthTicks: piece.lengthTicks, label: await labelOf(options, piece) },
    async open() {
      const source = await openOriginal(options.storage, piece);
      try {
        return { clip: await openedClip(source, piece), close: () => source.close() };
      } catch (error) {
        await source.close();
        throw error;
      }
    },
  });
  try {
    const parts: Mp4Part[] = [];
    for (const piece of pieces) parts.push(await partOf(piece));
    return await openMp4Clip(parts, said);
  } catch (error) {
    if (error instanceof RangeError)
      throw new AppError('ruleRefused', { reason: `This span cannot be an MP4 file: ${error.message}` }, error);
    if (said.signal?.aborted) throw new AppError('ruleRefused', { reason: 'The download was interrupted.' }, error);
    if (!(error instanceof AppError)) options.damaged(pieces[0]!.fileId, error);
    throw error;
  }
}

/** Codecs of the pictures and the sound of a recording. @throws AppError ruleRefused, fileMissing */
export async function codingsOf(options: Cutting, piece: Piece): Promise<Pick<ClipPlan, 'video' | 'sound'>> {
  let found: Pick<ClipPlan, 'video' | 'sound'> | null = null;
  await openPieces(options, piece, async ({ programs, video }) => {
    const lead = programs.find(({ streams }) => streams.some(({ pid }) => pid === video.pid));
    const sound = (lead?.streams ?? []).flatMap(({ kind }) => (isSound(kind) ? [kind] : []));
    found = { video: video.kind as ClipPlan['video'], sound };
  });
  return found!;
}

async function openPieces(
  { storage, damaged }: Pick<Cutting, 'storage' | 'damaged'>,
  piece: Piece,
  use: (clip: Clip) => Promise<void>,
): Promise<void> {
  let source: StoredFile;
  try {
    source = await openOriginal(storage, piece);
  } catch (error) {
    damaged(piece.fileId, error);
    throw new AppError('fileMissing');
  }
  try {
    await use(await openedClip(source, piece));
  } catch (error) {
    damaged(piece.fileId, error);
    throw error;
  } finally {
    await source.close();
  }
}

/**
 * Opens the original of a piece. If it ends before the end stated in its index, it is damaged and no shorter clip is
 * made from it.
 */
async function openOriginal(storage: Pick<Storage, 'open'>, { key, place: { limit } }: Piece): Promise<StoredFile> {
  const source = await storage.open(key);
  return {
    sizeBytes: Math.max(source.sizeBytes, limit),
    async read(buffer, position) {
      const read = await source.read(buffer, position);
      if (read === 0 && position < limit) throw new CutShort('The recording is shorter than its index says');
      return read;
    },
    close: () => source.close(),
  };
}

/** @throws AppError ruleRefused */
async function openedClip(source: StoredFile, piece: Piece, joint = createClipJoint()): Promise<Clip> {
  try {
    return await openClip({ source, ...piece }, joint);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new AppError('ruleRefused', { reason: 'The recording has no picture to begin the clip with.' }, error);
  }
}
