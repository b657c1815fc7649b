import type { StoredFile } from '../../../base/storage/storage.ts';
import { type Box, boxAt, boxesIn, fullBoxReader, topBoxes } from './boxes.ts';
import type { Sample } from './samples.ts';
import type { Mp4Track } from './tracks.ts';

/** An event message (ISO/IEC 23009-1, 5.10.3.3): its scheme, its time, and the position of its content in the file. */
export type EventMessage = { scheme: string; seconds: number; offset: number; sizeBytes: number };

/** `shownSeconds`: presentation time including the composition offset. */
export type FragmentSample = Sample & {
  trackId: number;
  shownSeconds: number /** Of its fragment. */;
  isFirst: boolean;
};

const MOOF_MAX_BYTES = 16 * 1024 * 1024;
const EMSG_MAX_BYTES = 1024 * 1024;
const SAMPLES_IN_RUN_MAX = 1_000_000;

type Found = { sample: FragmentSample } | { message: EventMessage };

/**
 * Yields the samples of some tracks in the fragments of a file, and the event messages between them, in file order
 * (ISO/IEC 14496-12, 8.8). Malformed boxes are skipped.
 *
 * @param requested tracks whose samples are returned; `lead` is the track to whose times messages of version 0 are
 * relative
 */
export async function* fragmentsOf(
  source: StoredFile,
  { requested, lead, moov }: { requested: readonly Mp4Track[]; lead: Mp4Track | null; moov: Uint8Array },
): AsyncGenerator<Found> {
  const defaults = defaultsOf(moov);
  const clocks = new Map(requested.map((track) => [track.id, { ticks: 0 }]));
  let early: { message: EventMessage; delta: number }[] = [];
  for await (const box of topBoxes(source)) {
    if (box.type === 'emsg' && box.end - box.start <= EMSG_MAX_BYTES) {
      const found = readMessage(await bytesOf(source, box), box);
      if (found === null) continue;
      if (found.delta === null) yield { message: found.message };
      else early.push({ message: found.message, delta: found.delta });
    }
    if (box.type !== 'moof' || box.end - box.start > MOOF_MAX_BYTES) continue;
    const bytes = await bytesOf(source, box);
    const first = lead && early.length > 0 ? { track: lead, clock: { ticks: 0 }, size: defaults.get(lead.id) } : null;
    const from = first && startOf(bytes, box, first);
    for (const { message, delta } of early) yield { message: { ...message, seconds: (from ?? 0) + delta } };
    early = [];
    for (const track of requested) {
      let isFirst = true;
      const clock = clocks.get(track.id)!;
      for (const { delaySeconds, ...one } of samplesIn(bytes, box, { track, clock, size: defaults.get(track.id) })) {
        yield { sample: { ...one, trackId: track.id, shownSeconds: one.seconds + delaySeconds, isFirst } };
        isFirst = false;
      }
    }
  }
}

async function bytesOf(source: StoredFile, { start, end }: Box): Promise<Uint8Array> {
  const bytes = new Uint8Array(end - start);
  return bytes.subarray(0, await source.read(bytes, start));
}

const inside = (bytes: Uint8Array, box: Box) => ({ body: box.body - box.start, end: bytes.length });

type Defaults = { duration: number; size: number };

/** Reads the boxes `trex`, with the defaults of each track. */
function defaultsOf(moov: Uint8Array): Map<number, Defaults> {
  const found = new Map<number, Defaults>();
  const mvex = boxAt(moov, { body: 8, end: moov.length }, 'mvex');
  if (mvex === null) return found;
  for (const box of boxesIn(moov, mvex.body, mvex.end)) {
    if (box.type !== 'trex' || box.end - box.body < 24) continue;
    const reader = fullBoxReader(moov, box);
    const id = reader.u32();
    reader.skip(4);
    found.set(id, { duration: reader.u32(), size: reader.u32() });
  }
  return found;
}

/** Returns the presentation time, in seconds, at which a fragment shows its first picture; null without a picture. */
function startOf(moof: Uint8Array, place: Box, lead: Requested): number | null {
  let first: number | null = null;
  for (const { seconds, delaySeconds } of samplesIn(moof, place, lead)) {
    const shown = seconds + delaySeconds;
    first = first === null ? shown : Math.min(first, shown);
  }
  return first;
}

function trafOf(moof: Uint8Array, id: number): Box | null {
  for (const box of boxesIn(moof, 8, moof.length)) {
    if (box.type !== 'traf') continue;
    const head = boxAt(moof, box, 'tfhd');
    if (head && head.end - head.body >= 8 && fullBoxReader(moof, head).u32() === id) return box;
  }
  return null;
}

function decodeTime(moof: Uint8Array, traf: Box): number | null {
  const box = boxAt(moof, traf, 'tfdt');
  if (box === null || box.end - box.body < 8) return null;
  const reader = fullBoxReader(moof, box);
  return reader.version === 1 && reader.left() >= 8 ? reader.u64() : reader.u32();
}

type Requested = { track: Mp4Track; clock: { ticks: number }; size: Defaults | undefined };

/** Yields samples. `delaySeconds` is the composition offset (8.6.1.3), which `seconds` does not include. */
function* samplesIn(
  moof: Uint8Array,
  place: Box,
  { track, clock, size }: Requested,
): Generator<Sample & { delaySeconds: number }> {
  const traf = trafOf(moof, track.id);
  const head = traf && boxAt(moof, traf, 'tfhd');
  if (!traf || !head) return;
  try {
    const reader = fullBoxReader(moof, head);
    reader.skip(4);
    let base = place.start;
    if (reader.flags & 0x1) base = reader.u64();
    if (reader.flags & 0x2) reader.skip(4);
    const duration = reader.flags & 0x8 ? reader.u32() : (size?.duration ?? 0);
    const bytes = reader.flags & 0x10 ? reader.u32() : (size?.size ?? 0);
    clock.ticks = decodeTime(moof, traf) ?? clock.ticks;
    let offset = base;
    for (const box of boxesIn(moof, traf.body, traf.end)) {
      if (box.type !== 'trun') continue;
      const run = fullBoxReader(moof, box);
      const count = Math.min(run.u32(), SAMPLES_IN_RUN_MAX);
      if (run.flags & 0x1) offset = base + run.i32();
      if (run.flags & 0x4) run.skip(4);
      for (let n = 0; n < count; n++) {
        const ticks = run.flags & 0x100 ? run.u32() : duration;
        const sizeBytes = run.flags & 0x200 ? run.u32() : bytes;
        run.skip(run.flags & 0x400 ? 4 : 0);
        const delay = run.flags & 0x800 ? run.i32() : 0;
        const seconds = clock.ticks / track.timescale + track.editSeconds;
        const delaySeconds = delay / track.timescale;
        yield { offset, sizeBytes, seconds, durationSeconds: ticks / track.timescale, delaySeconds };
        offset += sizeBytes;
        clock.ticks += ticks;
      }
    }
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'FormatError') throw error;
  }
}

type Message = {
  message: EventMessage /** Seconds after the begin of the next fragment; null: it has a time of its own. */;
  delta: number | null;
};

function readMessage(bytes: Uint8Array, place: Box): Message | null {
  try {
    const reader = fullBoxReader(bytes, { ...inside(bytes, place) });
    const words = () => {
      let found = '';
      for (let next = reader.u8(); next !== 0; next = reader.u8()) found += String.fromCharCode(next);
      return found;
    };
    let scheme = '';
    if (reader.version === 0) {
      scheme = words();
      words();
    }
    const timescale = reader.u32() || 1;
    const ticks = reader.version === 0 ? reader.u32() : reader.u64();
    reader.skip(8);
    if (reader.version !== 0) {
      scheme = words();
      words();
    }
    const offset = place.start + reader.at();
    const message = { scheme, seconds: ticks / timescale, offset, sizeBytes: place.end - offset };
    return { message, delta: reader.version === 0 ? message.seconds : null };
  } catch (error) {
    if (error instanceof Error && error.name === 'FormatError') return null;
    throw error;
  }
}
