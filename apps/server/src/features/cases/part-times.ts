import type { FrameAnchor } from '@osprey/contract';
import type { ContentTimes } from '../../base/items/content.ts';
import type { ShownParts } from './part-rows.ts';

/** Returns the UTC of frames of a sensor; null for frames that the sensor no longer shows. */
export type TimesOf = (sensorId: string, anchors: readonly FrameAnchor[]) => Promise<(number | null)[]>;

/**
 * Determines the times of each part from its frames and the current clocks of their sensors; otherwise the times last
 * stored in its row are used.
 */
export async function partTimes(times: TimesOf, parts: ShownParts['parts']): Promise<ContentTimes[]> {
  const frames = framesBy(times);
  const asked = parts.map(({ shown }) => shown?.frames.map(({ sensorId, anchor }) => frames.ask(sensorId, anchor)));
  await frames.read();
  return parts.map(
    ({ row, shown }, at) =>
      shown?.times(asked[at]?.map((utc) => utc()) ?? []) ?? {
        ...{ startTime: row.start_time, endTime: row.end_time, spans: [] },
      },
  );
}

/** Collects individually requested frames, so that they can be read together. */
function framesBy(times: TimesOf) {
  const bySensor = new Map<string, { anchors: FrameAnchor[]; found: (number | null)[] }>();
  return {
    ask(sensorId: string | null, anchor: FrameAnchor | null): () => number | null {
      if (sensorId === null || anchor === null) return () => null;
      const own = bySensor.get(sensorId) ?? { anchors: [], found: [] };
      bySensor.set(sensorId, own);
      const at = own.anchors.push(anchor) - 1;
      return () => own.found[at] ?? null;
    },
    async read(): Promise<void> {
      await Promise.all([...bySensor].map(async ([id, own]) => (own.found = await times(id, own.anchors))));
    },
  };
}
