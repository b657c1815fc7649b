import type { Bookmark } from '@osprey/contract';
import { type Collected, collectedOf, type Labelled } from '../cases/add/collected.ts';

/** Returns bookmarks as parts of a case, with the label of their mission. */
export const collectedBookmarks = (rows: readonly Bookmark[], mission: Labelled): Collected =>
  collectedOf(rows, [mission], ({ _id }) => ({ kind: 'bookmark', bookmarkId: _id }));
