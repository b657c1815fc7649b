import { AppError, type ClipMark } from '@osprey/contract';
import type { AskedSpan } from './plan.ts';

/** Maximum distance of a time from 1970, in microseconds, so that sums remain exact. */
const TIME_MAX_US = 4e15;

/**
 * Returns In and Out in UTC microseconds. Marks in seconds count from the start of the mission.
 *
 * @throws AppError ruleRefused if Out does not come after In, or if the mission has no start to count from
 */
export function askedSpan(markIn: ClipMark, markOut: ClipMark, startUs: number | null): AskedSpan {
  const [inUs, outUs] = [markIn, markOut].map((mark) => {
    if ('us' in mark) return mark.us;
    if (startUs === null) throw new AppError('ruleRefused', { reason: 'The mission has no recording to cut from.' });
    return startUs + Math.round(mark.seconds * 1e6);
  }) as [number, number];
  if (Math.abs(inUs) > TIME_MAX_US || Math.abs(outUs) > TIME_MAX_US) {
    throw new AppError('ruleRefused', { reason: 'In and Out are outside the mission.' });
  }
  if (outUs <= inUs) throw new AppError('ruleRefused', { reason: 'Out must come after In.' });
  return [inUs, outUs];
}
