import { CASE_PART_TITLE_MAX, type FoundSpan } from '@osprey/contract';
import { fill, formatClock, formatTimeSeconds, plainText } from '../../base/format.ts';
import { highestOf } from '../../base/shown-labels.ts';
import type { Collected } from '../../cases/add/collected.ts';
import { texts } from './texts.ts';

/** Returns found spans as parts of a case: tracks with the positions and footprints of each sensor during its span. */
export const collectedSpans = (spans: readonly FoundSpan[]): Collected => ({
  parts: spans.map((span) => ({
    kind: 'track',
    sensorId: span.sensorId,
    startTime: span.from,
    endTime: span.to,
    title: titleOf(span),
  })),
  titles: spans.map(titleOf),
  securityClassification: highestOf(spans.map(({ securityClassification }) => securityClassification)),
  marked: spans.every(({ marked }) => marked),
});

/**
 * Returns the title of a part. The name of the sensor is shortened if necessary, since the times distinguish its spans.
 */
function titleOf({ sensor, from, to }: FoundSpan): string {
  const times = fill(texts.casePart, { from: formatTimeSeconds(from), to: formatClock(to) });
  return `${plainText(sensor).slice(0, CASE_PART_TITLE_MAX - times.length)}${times}`;
}
