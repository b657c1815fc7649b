import type { LiveSocketMessage } from '@osprey/contract';
import { lastValue, type TelemetryStore } from '../onscreen/telemetry-store.ts';
import { createPastSpan, type PastSpan } from './past-span.ts';
import { createTelemetryRows, type FoundRecord, type LiveSet } from './telemetry-rows.ts';

/** A record this much older than its picture is not of it: some in between are missing. */
const MISSING_US = 1_500_000;

/** A picture whose telemetry may have to be asked for. */
type WoundBack = { ticks: number; arrivedUs: number | null; nowMs: number; isEarlierRun?: boolean };

export type LiveTelemetry = TelemetryStore & {
  add: (set: LiveSet) => void;
  /** Telemetry of rewound pictures, as it was asked for. */
  addPast: (message: Extract<LiveSocketMessage, { kind: 'past' }>) => void;
  /**
   * The last record at or before a picture, and the UTC of the picture derived from it; null if none is near. The stream
   * has restarted since a picture of an earlier run: its PTS may come again, with other telemetry.
   */
  at: (ticks: number, isEarlierRun?: boolean) => FoundRecord | null;
  /** Span to ask for, for a picture that was wound back to; null if its telemetry is there, or on its way. */
  lackingFor: (picture: WoundBack) => PastSpan | null;
};

/** The telemetry of a live sensor as it arrives, and that of earlier pictures where they are shown. */
export function createLiveTelemetry(sensorId: string): LiveTelemetry {
  let live = createTelemetryRows(sensorId);
  let span = createPastSpan();
  let past = createTelemetryRows(sensorId);
  /** PID of the KLV stream of the last record of each. */
  let livePid: number | null = null;
  let pastPid: number | null = null;

  const later = <Found extends { timeUs: number }>(one: Found | null, other: Found | null): Found | null => {
    if (one === null || other === null) return one ?? other;
    return one.timeUs >= other.timeUs ? one : other;
  };
  /** The closer one of two records before a picture. */
  const closer = (one: FoundRecord | null, other: FoundRecord | null): FoundRecord | null => {
    if (one === null || other === null) return one ?? other;
    return later(one.record, other.record) === one.record ? one : other;
  };
  const hasOfPicture = (found: FoundRecord | null) => found !== null && found.timeUs - found.record.timeUs < MISSING_US;

  /** Values and times of two KLV streams are never mixed: where another one is shown, all earlier records go. */
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
