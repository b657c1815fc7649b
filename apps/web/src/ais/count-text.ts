import { AIS_BADGE_MAX } from '@osprey/contract';
import { fill, formatCount, formatNumber } from '../base/format.ts';
import { texts } from './texts.ts';

/** Number of ships, or of positions where all of them are listed; beyond what is counted with a plus. */
export const countText = (total: number, isAll: boolean): string => {
  const words = isAll ? texts.countAll : texts.count;
  if (total <= AIS_BADGE_MAX) return formatCount(total, words);
  return fill(words.many, { count: fill(texts.more, { count: formatNumber(AIS_BADGE_MAX) }) });
};
