import { fill, formatNumber } from '../base/format.ts';
import { texts } from './texts.ts';

/** Formats the current use and its limit: "9 of 25", or "9 (unlimited)". */
export const usageText = ({ now, limit }: { now: number; limit: number | null }): string =>
  limit === null
    ? fill(texts.card.free, { now: formatNumber(now) })
    : fill(texts.card.of, { now: formatNumber(now), limit: formatNumber(limit) });
