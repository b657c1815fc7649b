import type { FrameAnchor } from '@osprey/contract';
import { createDemuxer, createSegmentCutter, leadingVideo } from '@osprey/mpegts';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import { IndexDamaged } from '../../telemetry/index-damaged.ts';
import { getJson, programOfRun, readFileIndex, type StoredSegments } from '../index/file-index.ts';

/** Maximum size of a segment that is read for this purpose; a larger one is minutes of video without a key frame. */
const SEGMENT_MAX = 64 * 1024 * 1024;
/** Times in a stream have 33 bits, so that a demuxer that starts in the middle may unwrap them differently. */
const WRAP = 2 ** 33;

type Options = {
  storage: Pick<Storage, 'read' | 'stat'>;
  sensorId: string;
  /** Storage key of the original. */
  key: string;
  anchor: FrameAnchor;
};

/**
 * Returns the anchor with the PTS of the picture that is on screen at its ticks, read from the segment of the original.
 * Returns the anchor unchanged if no picture is found, as in telemetry without pictures and in originals that are no
 * transport stream.
 */
export async function exactPicture({ storage, sensorId, key, anchor }: Options): Promise<FrameAnchor> {
  const index = await readFileIndex(storage, sensorId, anchor.fileId);
  if (!index?.segmentsKey || index.packeting === null || index.program === null) return anchor;
  const { segments } = await readStored(storage, index.segmentsKey);
  const segment = segments.findLast(([, , start, , run]) => run === anchor.run && start <= anchor.pts);
  if (segment === undefined) return anchor;
  const [offset, sizeBytes, startTicks] = segment;
  const { packeting } = index;
  const program = programOfRun({ program: index.program, moves: index.moves }, anchor.run);
  const shown = program && leadingVideo(program.streams, null);
  if (sizeBytes > SEGMENT_MAX || !program || !shown) return anchor;

  let pts = Number.NEGATIVE_INFINITY;
  const demuxer = createDemuxer({
    accessUnit({ pid, ptsTicks }) {
      if (pid !== shown.pid || ptsTicks === null) return;
      const own = anchor.pts + signedApart(ptsTicks - anchor.pts);
      if (own <= anchor.pts && own >= startTicks && own > pts) pts = own;
    },
  });
  const cutter = createSegmentCutter({ packeting, program });
  try {
    for await (const bytes of storage.read(key, { start: offset, end: offset + sizeBytes })) {
      demuxer.push(cutter.push(bytes as Uint8Array));
    }
  } catch (error) {
    // A missing file is reported when it is played; the anchor is still correct to its tick.
    if (error instanceof NotStored) return anchor;
    throw error;
  }
  demuxer.push(cutter.end());
  demuxer.end();
  return Number.isFinite(pts) ? { ...anchor, pts } : anchor;
}

/** Returns the signed difference of two 33-bit times, taking the shorter way around. */
function signedApart(ticks: number): number {
  const apart = ((ticks % WRAP) + WRAP) % WRAP;
  return apart > WRAP / 2 ? apart - WRAP : apart;
}

async function readStored(storage: Pick<Storage, 'read'>, key: string): Promise<StoredSegments> {
  return getJson<StoredSegments>(storage, key).catch((error) => {
    if (error instanceof NotStored || error instanceof IndexDamaged) return { segments: [], keyframes: [] };
    throw error;
  });
}
