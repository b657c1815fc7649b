import { CASE_PART_TITLE_MAX, type FoundSpan } from '@osprey/contract';
import { fill, formatClock, formatTimeSeconds, plainText } from '../../base/format.ts';
import { highestOf } from '../../base/shown-labels.ts';
import type { Collected } from '../../cases/add/collected.ts';
import { texts } from './texts.ts';

/** Found spans as parts of a case: where the sensor of each was meanwhile, and what it saw. */
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

/** A name that is too long is cut: the times are what distinguishes the spans of a sensor. */
function titleOf({ sensor, from, to }: FoundSpan): string {
  const times = fill(texts.casePart, { from: formatTimeSeconds(from), to: formatClock(to) });
  return `${plainText(sensor).slice(0, CASE_PART_TITLE_MAX - times.length)}${times}`;
}
