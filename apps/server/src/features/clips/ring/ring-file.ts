import { CutShort, NotStored, type Storage, type StoredFile } from '../../../base/storage/storage.ts';
import type { RingSegment } from '../../../recorder-wire/protocol.ts';

/**
 * Number of segments held open ahead of the reader, about half an hour of the ring. They remain readable even if the
 * ring drops them.
 */
const AHEAD = 1024;
/**
 * Maximum distance before the current position in which a cut searches for tables and for packets of its first picture,
 * in bytes.
 */
const BEHIND_BYTES = 32 * 1024 * 1024;

type Placed = { segment: RingSegment; offset: number };

/** Segments of a ring presented as one file. Each segment has the length that it had when it was opened. */
export type RingFile = StoredFile & { segments: readonly RingSegment[] };

/**
 * Opens a ring. The oldest segments may be dropped meanwhile and are then left out. The recorder continues to drop
 * segments during the reading; a reader that falls behind the camera by more than the segments held open gets an error.
 */
export async function openRingFile(
  ring: Pick<Storage, 'open'>,
  sensorId: string,
  existing: readonly RingSegment[],
): Promise<RingFile> {
  const open = new Map<number, StoredFile>();
  const { placed, sizeBytes } = await openFirst();

  /** Opens segments from the first one that still exists. */
  async function openFirst() {
    const written = existing.filter((segment) => segment.sizeBytes > 0);
    for (;;) {
      try {
        await holdFrom(0, written);
        const places: Placed[] = [];
        let end = 0;
        for (const segment of written) {
          places.push({ segment, offset: end });
          end += segment.sizeBytes;
        }
        return { placed: places, sizeBytes: end };
      } catch (error) {
        await closeAll();
        if (!(error instanceof NotStored)) throw error;
        written.shift();
      }
    }
  }

  async function holdFrom(first: number, of: readonly RingSegment[]): Promise<void> {
    for (let at = first; at < Math.min(of.length, first + AHEAD); at += 1) {
      if (!open.has(at)) open.set(at, await ring.open(`${sensorId}/${of[at]!.n}.ts`));
    }
  }

  async function closeAll(): Promise<void> {
    const files = [...open.values()];
    open.clear();
    await Promise.all(files.map((file) => file.close()));
  }

  async function letGo(before: number): Promise<void> {
    for (const [at, file] of open) {
      const { segment, offset } = placed[at]!;
      if (offset + segment.sizeBytes >= before) continue;
      open.delete(at);
      await file.close();
    }
  }

  /** Index of the segment that holds a byte. */
  function indexOf(position: number): number {
    let [low, high] = [0, placed.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (placed[middle]!.offset <= position) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  const segments = placed.map(({ segment }) => segment);

  return {
    sizeBytes,
    segments,
    async read(buffer, position) {
      let filled = 0;
      for (let at = indexOf(position); at < placed.length && filled < buffer.byteLength; at += 1) {
        const { segment, offset } = placed[at]!;
        await holdFrom(at, segments);
        const from = position + filled - offset;
        const requested = Math.min(buffer.byteLength - filled, segment.sizeBytes - from);
        if (requested <= 0) break;
        const read = await open.get(at)!.read(buffer.subarray(filled, filled + requested), from);
        if (read < requested) throw new CutShort('A segment of the ring is shorter than it was');
        filled += read;
      }
      await letGo(position - BEHIND_BYTES);
      return filled;
    },
    close: closeAll,
  };
}
