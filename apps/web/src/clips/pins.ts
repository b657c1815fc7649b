import { mdiMovieOpenOutline } from '@mdi/js';
import type { Clip } from '@osprey/contract';
import type { TimelineMark } from '../timeline/marks.ts';

/** Teal, the colour of clips on the timeline. */
const INK = '#3fb8af';

/** Returns the timeline bars of clips. A clip whose frames were all deleted has none, since there is nothing to see. */
export const barsOf = (clips: readonly Clip[]): TimelineMark[] =>
  clips
    .filter(({ cuts }) => cuts.some(({ state }) => state !== 'gone'))
    .map(({ _id, startTime, endTime, title, cuts }) => ({
      id: _id,
      timeUs: startTime,
      endUs: endTime,
      ...(cuts.length === 1 && cuts[0]!.sensorId !== null && { sensorId: cuts[0]!.sensorId }),
      ink: INK,
      icon: mdiMovieOpenOutline,
      label: title,
    }));
