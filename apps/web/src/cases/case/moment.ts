import type { CasePart } from '@osprey/contract';
import { fill, formatClock, formatClockMs, formatDate } from '../../base/format.ts';
import { momentAddress } from '../../base/moment-address.ts';
import type { CaseContent } from '../content.ts';
import { texts } from './texts.ts';

/** Returns the address of what a part shows: a time of a mission, or a page; null if it cannot be opened. */
export function placeOf(part: CasePart, { page }: CaseContent): { to: string; isMoment: boolean } | null {
  const { subjectId, missionId, sensorId, startTime, state } = part;
  if (state !== 'shown') return null;
  if (missionId !== null && startTime !== null) {
    return { to: momentAddress(missionId, sensorId, startTime), isMoment: true };
  }
  return page && subjectId !== null ? { to: page(subjectId), isMoment: false } : null;
}

/** Returns the time of a part in UTC as text; null if it has none. */
export function timeText({ startTime, endTime }: Pick<CasePart, 'startTime' | 'endTime'>): string | null {
  if (startTime === null) return null;
  const date = formatDate(startTime);
  if (endTime === null) return fill(texts.times.moment, { date, from: formatClockMs(startTime) });
  const day = formatDate(endTime);
  const to = day === date ? formatClock(endTime) : `${day}, ${formatClock(endTime)}`;
  return fill(texts.times.span, { date, from: formatClock(startTime), to });
}
