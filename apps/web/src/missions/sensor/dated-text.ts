import type { Asset } from '@osprey/contract';
import { fill, formatCount, formatNumber } from '../../base/format.ts';
import { texts } from './texts.ts';

const words = texts.aisDated;
const RULES = ['tagBlock', 'line', 'baseStation', 'hand', 'reception'] as const;

/**
 * Returns a sentence with the rules by which an AIS file was dated, such as "Dated by tag blocks (204), base stations
 * (3)." Empty for other files.
 */
export function datedText({ aisDated, message }: Pick<Asset, 'aisDated' | 'message'>): string {
  if (aisDated === undefined) return '';
  const rules = RULES.filter((rule) => aisDated[rule] > 0).map((rule) =>
    fill(words[rule], { count: formatNumber(aisDated[rule]) }),
  );
  return [
    ...(rules.length > 0 ? [fill(words.lead, { rules: rules.join(', ') })] : []),
    // A file in which nothing could be dated already has a message about that.
    ...(aisDated.none > 0 && (message === null || rules.length > 0) ? [formatCount(aisDated.none, words.none)] : []),
  ].join(' ');
}
