import type { TelemetryPage } from '@osprey/contract';
import { type RecordedSpan, recordedFrom, recordedUntil } from '../onscreen/playable.ts';
import {
  lastAtOrBefore,
  minuteOf,
  PAGE_US,
  SAME_INSTANT_US,
  type TelemetryStore,
} from '../onscreen/telemetry-store.ts';

/**
 * Maximum duration of the search for a record, in milliseconds; after it, the step counts as being at an end, or the
 * server is slow.
 */
const SEARCH_MS = 5000;

type Deps = {
  store: Pick<TelemetryStore, 'recordAt'> & { pageAt: (timeUs: number) => Promise<TelemetryPage | null> };
  spans: readonly RecordedSpan[];
  now: () => number;
};

/** Returns the time of the record after or before the one shown at a moment; null if there is none. */
export async function neighbourRecord({ store, spans, now }: Deps, timeUs: number, direction: 1 | -1) {
  const began = now();
  const isOn = direction === 1;
  const shownUs = store.recordAt(timeUs)?.timeUs ?? timeUs;
  // Records within SAME_INSTANT_US of a moment count as shown at that moment.
  let at: number | null = isOn ? timeUs + SAME_INSTANT_US + 1 : shownUs - SAME_INSTANT_US - 1;
  while (now() - began < SEARCH_MS) {
    at = isOn ? recordedFrom(spans, at) : recordedUntil(spans, at);
    const page: TelemetryPage | null = at === null ? null : await store.pageAt(at);
    if (at === null || page === null) return null;
    const last = lastAtOrBefore(page.time, isOn ? at - 1 : at);
    const found: number | undefined = page.time[isOn ? last + 1 : last];
    if (found !== undefined) return found;
    const minute = minuteOf(at);
    at = isOn ? (minute + 1) * PAGE_US : minute * PAGE_US - 1;
  }
  return null;
}
