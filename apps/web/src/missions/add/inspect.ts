import { decodePacket, EARLIEST_US, packets, type Values } from '@osprey/klv';
import { createDemuxer, TICKS_PER_SECOND } from '@osprey/mpegts';

/** Number of bytes of a file that are read before it is uploaded. */
export const INSPECTED_BYTES = 2 * 1024 * 1024;

/**
 * Maximum number of KLV sets read from one file, so that a file that consists of nothing but small sets does not block
 * the worker.
 */
const SETS_MAX = 2000;
const TEXT_MAX = 128;

/** Facts about a flight from the beginning of its recording; null where they are missing there. */
export type Inspection = {
  /** ST 0601 tag 3. */
  missionId: string | null;
  /** ST 0601 tag 10. */
  platform: string | null;
  /** ST 0601 tag 11. */
  sensor: string | null;
  /** ST 0601 tag 2 of the first set that has one, UTC microseconds. */
  startUs: number | null;
  /** Duration of the video in the bytes that were read, in seconds. */
  seconds: number | null;
};

export const emptyInspection: Inspection = {
  missionId: null,
  platform: null,
  sensor: null,
  startUs: null,
  seconds: null,
};

/**
 * Inspects the first bytes of a file. Never throws; all fields are null if they contain neither a transport stream nor
 * KLV.
 */
export function inspectBytes(bytes: Uint8Array): Inspection {
  const inspection = { ...emptyInspection };
  let sets = 0;
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

  const demuxer = createDemuxer({
    accessUnit({ ptsTicks, run }) {
      // After a discontinuity of the clock, timestamps start from another origin and are not comparable.
      if (ptsTicks === null || run > 0) return;
      first = Math.min(first, ptsTicks);
      last = Math.max(last, ptsTicks);
    },
    klv({ bytes: payload, start, end }) {
      for (const bounds of packets(payload, start, end)) {
        if (sets >= SETS_MAX) return;
        sets += 1;
        addValues(inspection, valuesOf(payload, bounds));
      }
    },
  });
  demuxer.push(bytes);
  demuxer.end();
  return { ...inspection, seconds: last > first ? (last - first) / TICKS_PER_SECOND : null };
}

function valuesOf(bytes: Uint8Array, { start, end }: { start: number; end: number }): Values {
  try {
    const { standard, values } = decodePacket(bytes, start, end);
    return standard === 'st0601' || standard === 'eg0104' ? values : {};
  } catch {
    // Broken sets are ignored here; the health report lists them after the upload.
    return {};
  }
}

/**
 * Matches placeholder Mission IDs, such as the zeros that encoders send if nobody set one. They would name a mission
 * "0" and join unrelated flights.
 */
const PLACEHOLDER = /^(?:[\W_0]+|n\/a|none|unknown)$/i;

function addValues(inspection: Inspection, values: Values): void {
  const missionId = textOf(values[3]);
  if (missionId !== null && !PLACEHOLDER.test(missionId)) inspection.missionId ??= missionId;
  inspection.platform ??= textOf(values[10]);
  inspection.sensor ??= textOf(values[11]);
  const time = values[2];
  if (typeof time === 'number' && time >= EARLIEST_US) inspection.startUs ??= time;
}

function textOf(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const text = value.replace(/\p{C}/gu, '').trim().slice(0, TEXT_MAX);
  return text === '' ? null : text;
}
