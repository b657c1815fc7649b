import { AppError } from '@osprey/contract';
import { type Clip, type ClipReport, createClipJoint, openClip } from '@osprey/mpegts';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';
import { labelSet, saysLabel } from './label.ts';
import type { Piece } from './plan.ts';

/** Pieces of one format, which are one stream. */
export type CutFile = { pieces: Piece[] };
export type CutPiece = { piece: Piece; report: ClipReport };

type Options = {
  storage: Pick<Storage, 'open'>;
  /** The label that the stream says each second. */
  rank: number;
  /** An original did not give its bytes. */
  damaged: (fileId: string, error: unknown) => void;
};

/** Neighbours of one format together. */
export function cutFiles(pieces: readonly Piece[]): CutFile[] {
  const files: CutFile[] = [];
  for (const piece of pieces) {
    const last = files.at(-1);
    if (last?.pieces.at(-1)?.format === piece.format) last.pieces.push(piece);
    else files.push({ pieces: [piece] });
  }
  return files;
}

/** Whether a cut can begin: what is wrong with it is known before the first byte. @throws AppError ruleRefused */
export async function checkCut({ storage, damaged }: Options, piece: Piece): Promise<void> {
  await opened({ storage, damaged }, piece, async () => {});
}

/** The transport stream of a file; `cut` is told of each piece once it has been given. */
export async function* cutBytes(options: Options, { pieces }: CutFile, cut: (cut: CutPiece) => void) {
  const joint = createClipJoint();
  for (const [number, piece] of pieces.entries()) {
    const isLabelled = !(await saysLabel(options.storage, piece, options.rank));
    const label = isLabelled ? { set: (ticks: number) => labelSet(piece.utcOf(ticks), options.rank) } : null;
    const source = await options.storage.open(piece.key);
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

async function opened(
  { storage, damaged }: Pick<Options, 'storage' | 'damaged'>,
  piece: Piece,
  use: (clip: Clip) => Promise<void>,
): Promise<void> {
  let source: StoredFile;
  try {
    source = await storage.open(piece.key);
  } catch (error) {
    damaged(piece.fileId, error);
    throw new AppError('fileMissing');
  }
  try {
    await use(await openedClip(source, piece));
  } finally {
    await source.close();
  }
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
