import type { ShownFrame } from '../onscreen/frames.ts';
import type { TelemetryStore } from '../onscreen/telemetry-store.ts';

/** How far back failed sets are searched if a picture comes before the first valid set, in microseconds. */
const WITHOUT_RECORD_US = 2_000_000;

/** The last KLV set up to a picture: the one whose values are shown, or a later one whose checksum is wrong. */
export type NewestSet = { timeUs: number; failed: boolean };

/** Returns the last KLV set up to the picture on screen; null if there is none. */
export function newestSet(
  { record, timeUs }: Pick<ShownFrame, 'record' | 'timeUs'>,
  store: TelemetryStore | undefined,
): NewestSet | null {
  // Later records than that of the picture are not shown yet, since telemetry may be configured to be delayed.
  const next = record?.page.time[record.index + 1] ?? Number.POSITIVE_INFINITY;
  const from = record ? record.timeUs + 1 : timeUs - WITHOUT_RECORD_US;
  const failed = store?.recorded?.failedBetween(from, Math.min(timeUs, next - 1)).at(-1);
  if (failed !== undefined) return { timeUs: failed, failed: true };
  return record && { timeUs: record.timeUs, failed: false };
}
