import type { LiveSocketMessage } from '@osprey/contract';
import { lastValue, type TelemetryStore } from '../onscreen/telemetry-store.ts';
import { createPastSpan, type PastSpan } from './past-span.ts';
import { createTelemetryRows, type FoundRecord, type LiveSet } from './telemetry-rows.ts';

/**
 * Maximum difference in microseconds between a picture and its record; if it is greater, records in between are
 * missing.
 */
const MISSING_US = 1_500_000;

/** A rewound picture, whose telemetry may have to be requested. */
type WoundBack = { ticks: number; arrivedUs: number | null; nowMs: number; isEarlierRun?: boolean };

export type LiveTelemetry = TelemetryStore & {
  add: (set: LiveSet) => void;
  /** Adds requested telemetry of rewound pictures. */
  addPast: (message: Extract<LiveSocketMessage, { kind: 'past' }>) => void;
  /**
   * Returns the last record at or before a picture, and the UTC time of the picture derived from it; null if no record
   * is near. `isEarlierRun`: the stream has restarted since the picture, so its PTS may occur again with other
   * telemetry.
   */
  at: (ticks: number, isEarlierRun?: boolean) => FoundRecord | null;
  /**
   * Returns the span to request for a rewound picture; null if its telemetry has been received or requested already.
   */
  lackingFor: (picture: WoundBack) => PastSpan | null;
};

/** Stores the telemetry of a live sensor as it arrives, and that of earlier pictures when they are shown. */
export function createLiveTelemetry(sensorId: string): LiveTelemetry {
  let live = createTelemetryRows(sensorId);
  let span = createPastSpan();
  let past = createTelemetryRows(sensorId);
  /** PID of the KLV stream of the last live record; `pastPid`: that of the last requested record. */
  let livePid: number | null = null;
  let pastPid: number | null = null;

  const later = <Found extends { timeUs: number }>(one: Found | null, other: Found | null): Found | null => {
    if (one === null || other === null) return one ?? other;
    return one.timeUs >= other.timeUs ? one : other;
  };
  /** Returns the record that is closer to the picture; both are before it. */
  const closer = (one: FoundRecord | null, other: FoundRecord | null): FoundRecord | null => {
    if (one === null || other === null) return one ?? other;
    return later(one.record, other.record) === one.record ? one : other;
  };
  const hasOfPicture = (found: FoundRecord | null) => found !== null && found.timeUs - found.record.timeUs < MISSING_US;

  /**
   * Adds a record. Values and times of two KLV streams must not be mixed, so all earlier records are dropped if the
   * shown stream changes.
   */
  function add(set: LiveSet): void {
    if (livePid !== null && set.pid !== livePid) {
      live = createTelemetryRows(sensorId);
      past = createTelemetryRows(sensorId);
      span = createPastSpan();
    }
    livePid = set.pid;
    live.add(set);
  }

  function addPast(message: Parameters<LiveTelemetry['addPast']>[0]): void {
    const place = span.take(message);
    if (place === null) return;
    if (place === 'restart') past = createTelemetryRows(sensorId);
    for (const row of message.rows) {
      if (row.pid !== pastPid) past = createTelemetryRows(sensorId);
      pastPid = row.pid;
      past.add(row);
    }
  }

  return {
    sensorId,
    add,
    addPast,
    at: (ticks, isEarlierRun = false) => (isEarlierRun ? past.at(ticks) : closer(live.at(ticks), past.at(ticks))),
    lackingFor({ ticks, arrivedUs, nowMs, isEarlierRun = false }) {
      const isThere = !isEarlierRun && hasOfPicture(live.at(ticks));
      return arrivedUs === null || isThere ? null : span.lackingAt(arrivedUs, nowMs);
    },
    ensure: () => undefined,
    recordAt: (timeUs) => later(live.recordAt(timeUs), past.recordAt(timeUs)),
    hasFailed: () => false,
    isLoading: () => live.beginsUs() === null,
    lastKnown: (record, tag) => lastValue(record.page, tag, record.index),
    *between(fromUs, toUs) {
      const beginsUs = live.beginsUs() ?? Number.POSITIVE_INFINITY;
      yield* past.between(fromUs, Math.min(toUs, beginsUs - 1));
      yield* live.between(fromUs, toUs);
    },
    stop: () => undefined,
  };
}
