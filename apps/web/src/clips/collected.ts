import type { Clip } from '@osprey/contract';
import { type Collected, collectedOf, type Labelled } from '../cases/add/collected.ts';

/** Returns clips as parts of a case, with the label of their mission. */
export const collectedClips = (rows: readonly Clip[], mission: Labelled): Collected =>
  collectedOf(rows, [mission], ({ _id }) => ({ kind: 'clip', clipId: _id }));
