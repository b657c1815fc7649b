import { CLIP_TITLE_MAX, type Mission } from '@osprey/contract';
import { formatClock } from '../base/format.ts';

/** Returns the title that is offered for a clip: of which mission, and from when. */
export function clipTitle({ name }: Pick<Mission, 'name'>, fromUs: number | null): string {
  const time = fromUs === null ? '' : ` ${formatClock(fromUs)}`;
  return name.slice(0, CLIP_TITLE_MAX - time.length) + time;
}
