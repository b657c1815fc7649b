import {
  type Clip,
  createClipJoint,
  openClip,
  PACKET_SIZE,
  type RunPlace,
  runPlaces,
  TICKS_PER_SECOND,
} from '@osprey/mpegts';
import type { RingSegment } from '../../../recorder-wire/protocol.ts';
import { labelSet } from '../label.ts';
import type { RingFile } from './ring-file.ts';

const TICKS_PER_US = TICKS_PER_SECOND / 1e6;

/** A part of the ring without breaks in it. */
type Run = { place: RunPlace; startUs: number; lengthTicks: number };

/** Groups consecutive segments into runs. */
function runsOf(segments: readonly RingSegment[]): Run[] {
  let [offset, run] = [0, -1];
  const placed = segments.map((segment) => {
    if (run < 0 || segment.discontinuity) run += 1;
    const one = { segment, run, offset, sizeBytes: segment.sizeBytes };
    offset += segment.sizeBytes;
    return one;
  });
  return [...runPlaces(placed)].map(([number, place]) => {
    const own = placed.filter((one) => one.run === number).map(({ segment }) => segment);
    const seconds = own.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0);
    return { place, startUs: own[0]!.startUs, lengthTicks: Math.ceil(seconds * TICKS_PER_SECOND) };
  });
}

/** Times of the ring: of its first picture, of the end of the last one, and the length of its pictures. */
export function timesOf(segments: readonly RingSegment[]) {
  const durationSeconds = segments.reduce((sum, segment) => sum + segment.durationSeconds, 0);
  const [first, last] = [segments[0], segments.at(-1)];
  if (first === undefined || last === undefined) return null;
  return { startUs: first.startUs, endUs: last.startUs + Math.round(last.durationSeconds * 1e6), durationSeconds };
}

/**
 * Yields the packets of a ring as received, with PAT and PMT, and a stream that states the label once a second. Memory
 * use does not grow with the ring. Call `openFirst` before the first byte is sent: it fails if there is no picture to
 * begin with.
 */
export function ringCut(file: RingFile, rank: number) {
  const joint = createClipJoint();
  const runs = runsOf(file.segments);

  const open = ({ place, lengthTicks }: Run): Promise<Clip> =>
    openClip(
      {
        source: file,
        packeting: { packetSize: PACKET_SIZE, syncOffset: 0 },
        offset: place.begin,
        place,
        complete: { start: true, end: true },
        lengthTicks,
      },
      joint,
    );

  return {
    /** @throws RangeError */
    async openFirst(): Promise<void> {
      const [first] = runs;
      if (first === undefined) throw new RangeError('The ring is empty');
      await open(first);
    },
    async *packets(): AsyncGenerator<Buffer> {
      for (const [number, run] of runs.entries()) {
        const label = { set: (ticks: number) => labelSet(Math.round(run.startUs + ticks / TICKS_PER_US), rank) };
        const clip = await open(run);
        for await (const bytes of clip.packets({ label, joined: number > 0 }))
          yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
      }
    },
  };
}
