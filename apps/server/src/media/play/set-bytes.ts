import type { TelemetrySet } from '@osprey/contract';
import { packetLayout, packets } from '@osprey/klv';
import { createDemuxer, type KlvPayload } from '@osprey/mpegts';
import type { Storage, StoredFile } from '../../base/storage/storage.ts';
import type { TelemetryFile } from '../../telemetry/walk.ts';
import { type FileIndex, getJson, type StoredSegments } from '../index/file-index.ts';
import { createKlvRecords } from '../index/klv-records.ts';
import type { SetPlace } from './set-place.ts';

const CHUNK_BYTES = 1024 * 1024;
/** Times in a stream have 33 bits; those of a reading that began in the middle are unwrapped from another start. */
const WRAP = 2 ** 33;
/** Pictures follow each other within this time: one second. */
const NEAR_TICKS = 90_000;
/**
 * Distances before and after its place in which a set is looked for, one after the other: tables may come seldom, and
 * metadata may be interleaved far from its pictures.
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

/** One set as it is in its original; only its neighbourhood is read. Null if it is not found. */
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

/** The segment of the set's time, with those around it. */
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
  // Without pictures there are no segments: such streams hold little else than telemetry, evenly.
  const span = klvSpans.find((one) => one.run === run);
  const share = span && ptsTicks !== null ? (ptsTicks - span.min) / Math.max(1, span.max - span.min) : 0;
  const middle = Math.round(sizeBytes * share);
  return { from: middle - CHUNK_BYTES, to: middle + CHUNK_BYTES };
}

/** The start of a packet, if packets follow each other without gaps. */
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

  /** State of the checksum by the record of this packet; null if it is not the wanted set. */
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
 * Distance of a payload from its place in the index; infinite if it cannot be the one. Without a PTS of its own a set
 * may be given to a picture next to it, because reading began in the middle.
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
