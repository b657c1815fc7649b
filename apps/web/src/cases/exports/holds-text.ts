import { formatCount } from '../../base/format.ts';
import { texts } from './texts.ts';

/** Formats the content of an export: "3 parts, 2 comments". */
export const holdsText = ({ parts, comments }: { parts: number; comments: number }): string =>
  [formatCount(parts, texts.parts), ...(comments === 0 ? [] : [formatCount(comments, texts.comments)])].join(', ');
