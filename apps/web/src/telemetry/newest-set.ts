import type { ShownFrame } from '../onscreen/frames.ts';
import type { TelemetryStore } from '../onscreen/telemetry-store.ts';

/** Where a picture comes before the first good set, failed ones are looked for this far back. Microseconds. */
const WITHOUT_RECORD_US = 2_000_000;

/** The set that came last at a picture: the one whose values are shown, or a later one that failed its checksum. */
export type NewestSet = { timeUs: number; failed: boolean };

/** Null where there is none. */
export function newestSet(
  { record, timeUs }: Pick<ShownFrame, 'record' | 'timeUs'>,
  store: TelemetryStore | undefined,
): NewestSet | null {
  // A record after that of the picture is not shown yet: telemetry may be set to lag.
  const next = record?.page.time[record.index + 1] ?? Number.POSITIVE_INFINITY;
  const from = record ? record.timeUs + 1 : timeUs - WITHOUT_RECORD_US;
  const failed = store?.recorded?.failedBetween(from, Math.min(timeUs, next - 1)).at(-1);
  if (failed !== undefined) return { timeUs: failed, failed: true };
  return record && { timeUs: record.timeUs, failed: false };
}
