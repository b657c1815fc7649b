import type { TelemetrySet } from '@osprey/contract';
import { packetLayout, packets } from '@osprey/klv';
import { createDemuxer, type KlvPayload } from '@osprey/mpegts';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';
import type { TelemetryFile } from '../../telemetry/walk.ts';
import { type FileIndex, getJson, type StoredSegments } from '../index/file-index.ts';
import { createKlvRecords } from '../index/klv-records.ts';
import type { SetPlace } from './set-place.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Times in a stream have 33 bits, so that a demuxer that starts in the middle may unwrap them differently. */
const WRAP = 2 ** 33;
/** Maximum interval between successive pictures: one second. */
const NEAR_TICKS = 90_000;
/**
 * Distances before and after its expected position in which a set is searched for, one after another: tables may be
 * rare, and metadata may be interleaved far from its pictures.
 */
const REACHES = [0, 8 * 1024 * 1024, 64 * 1024 * 1024];

export type FoundSet = Omit<NonNullable<TelemetrySet['set']>, 'fileId' | 'fileName'>;

type Options = {
  storage: Pick<Storage, 'open' | 'read'>;
  /** Storage key of the original. */
  key: string;
  index: FileIndex;
  place: SetPlace<TelemetryFile>;
};

/** Reads one set from its original; only the part near its position is read. Null if it is not found. */
export async function readSet({ storage, key, index, place }: Options): Promise<FoundSet | null> {
  const near = await neighbourhood(storage, index, place);
  const source = await storage.open(key);
  try {
    for (const reach of REACHES) {
      const from = aligned(near.from - reach, index);
      const to = Math.min(source.sizeBytes, near.to + reach);
      const found = await search(source, { from, to }, { index, place });
      if (found) return found;
      if (from === 0 && to === source.sizeBytes) return null;
    }
    return null;
  } finally {
    await source.close();
  }
}

type Span = { from: number; to: number };

/** Returns the byte range of the segment at the set's time, and of its neighbours. */
async function neighbourhood(
  storage: Pick<Storage, 'read'>,
  { segmentsKey, klvSpans, sizeBytes }: FileIndex,
  { run, ptsTicks }: SetPlace<TelemetryFile>,
): Promise<Span> {
  if (segmentsKey !== null && ptsTicks !== null) {
    const { segments } = await getJson<StoredSegments>(storage, segmentsKey);
    const at = segments.findLastIndex(([, , start, , ofRun]) => ofRun === run && start <= ptsTicks);
    const [first, last] = [segments[Math.max(0, at - 1)], segments[Math.min(segments.length - 1, at + 1)]];
    if (first && last) return { from: first[0], to: last[0] + last[1] };
  }
  // Without pictures there are no segments; such streams consist mostly of telemetry, evenly distributed.
  const span = klvSpans.find((one) => one.run === run);
  const share = span && ptsTicks !== null ? (ptsTicks - span.min) / Math.max(1, span.max - span.min) : 0;
  const middle = Math.round(sizeBytes * share);
  return { from: middle - CHUNK_BYTES, to: middle + CHUNK_BYTES };
}

/** Rounds an offset down to the start of a packet, assuming that packets follow each other without gaps. */
function aligned(offset: number, { packeting }: FileIndex): number {
  if (offset <= 0 || packeting === null) return 0;
  const { packetSize, firstPacket } = packeting;
  return Math.max(0, offset - ((offset - firstPacket) % packetSize));
}

type Requested = Pick<Options, 'index' | 'place'>;

async function search(source: StoredFile, { from, to }: Span, { index, place }: Requested): Promise<FoundSet | null> {
  const records = createKlvRecords();
  let found: FoundSet | null = null;
  let foundApart = Number.POSITIVE_INFINITY;

  function klv(payload: KlvPayload): void {
    const { bytes, pid, programNumber } = payload;
    const isTaken = index.klv.streams.some((one) => one.pid === pid && one.program === programNumber);
    const apart = ticksApart(payload, place.ptsTicks);
    if (!isTaken || apart >= foundApart) return;
    for (const { start, end } of packets(bytes, payload.start, payload.end)) {
      const checksum = verdict(bytes, start, end);
      if (checksum === null) continue;
      found = { pid, offset: from + payload.offset, checksum, ...parted(bytes, start, end) };
      foundApart = apart;
    }
  }

  /** Returns the checksum state of a packet; null if it is not the requested set. */
  function verdict(bytes: Uint8Array, start: number, end: number): FoundSet['checksum'] | null {
    try {
      const set = records.read(bytes, start, end);
      if (set === null) return null;
      const isRequested = place.failed
        ? set.checksum === 'bad'
        : set.checksum !== 'bad' && set.record !== null && set.record.timeUs === place.klv;
      return isRequested ? set.checksum : null;
    } catch (error) {
      if (error instanceof Error && error.name === 'FormatError') return null;
      throw error;
    }
  }

  const demuxer = createDemuxer({ klv }, index.packeting ? { packeting: index.packeting } : {});
  const buffer = new Uint8Array(Math.min(CHUNK_BYTES, Math.max(1, to - from)));
  for (let at = from; at < to; ) {
    const read = await source.read(buffer.subarray(0, Math.min(buffer.length, to - at)), at);
    if (read === 0) break;
    demuxer.push(buffer.subarray(0, read));
    at += read;
  }
  demuxer.end();
  return found;
}

/**
 * Returns the distance of a payload from its position in the index; infinite if it cannot be the requested one. A set
 * without a PTS may be assigned to a neighbouring picture, because reading began in the middle.
 */
function ticksApart({ ptsTicks, nearTicks }: KlvPayload, requested: number | null): number {
  const ticks = ptsTicks ?? nearTicks;
  if (ticks === null || requested === null) return ticks === requested ? 0 : Number.POSITIVE_INFINITY;
  const apart = Math.abs((ticks - requested) % WRAP);
  return apart <= (ptsTicks === null ? NEAR_TICKS : 0) ? apart : Number.POSITIVE_INFINITY;
}

function parted(bytes: Uint8Array, start: number, end: number): Omit<FoundSet, 'pid' | 'offset' | 'checksum'> {
  const { standard, items, checksum } = packetLayout(bytes, start, end);
  return {
    standard,
    stated: checksum?.stated ?? null,
    computed: checksum?.computed ?? null,
    hex: Buffer.from(bytes.subarray(start, end)).toString('hex'),
    items: items.map(({ tag, ...item }) => ({
      tag,
      start: item.start - start,
      valueStart: item.valueStart - start,
      end: item.end - start,
    })),
  };
}
