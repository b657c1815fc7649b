import { asSystem, type Db } from '../../base/access/as-system.ts';
import { sensorColumns } from '../../base/items/sensors.ts';
import { type Anchors, framePlaces } from '../../media/anchors/frame-places.ts';
import type { BookmarkRow } from './rows.ts';

export type PlacesDeps = { db: Db; anchors: Anchors };

/** Determines the current times of bookmarked frames. */
export const bookmarkPlaces = ({ db, anchors }: PlacesDeps) =>
  framePlaces<BookmarkRow>({
    anchors,
    async keep({ id }, fields) {
      await asSystem(db, 'media').updateTable('bookmarks').set(fields).where('id', '=', id).execute();
    },
  });

/** Selects bookmarks, each with the columns of its sensor that are needed. */
export const selectBookmarks = (db: Db) =>
  asSystem(db, 'media').selectFrom('bookmarks').selectAll('bookmarks').select(sensorColumns('bookmarks.sensor_id'));
