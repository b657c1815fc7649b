import { AIS_BADGE_MAX } from '@osprey/contract';
import { fill, formatCount, formatNumber } from '../base/format.ts';
import { texts } from './texts.ts';

/**
 * Returns a text with the number of ships or, if all positions are listed (`isAll`), of positions. Above AIS_BADGE_MAX,
 * up to which the server counts, a plus sign is added.
 */
export const countText = (total: number, isAll: boolean): string => {
  const words = isAll ? texts.countAll : texts.count;
  if (total <= AIS_BADGE_MAX) return formatCount(total, words);
  return fill(words.many, { count: fill(texts.more, { count: formatNumber(AIS_BADGE_MAX) }) });
};
