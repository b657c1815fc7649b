import { fill } from '../base/format.ts';
import { texts } from './texts.ts';

const METRES_PER_NM = 1852;

export const milesOf = (metres: number): number => metres / METRES_PER_NM;

export const milesText = (metres: number, decimals: number): string =>
  fill(texts.nm, { value: milesOf(metres).toFixed(decimals) });
