import { type Actor, BOOKMARK_UNDO_MS, type Bookmark } from '@osprey/contract';
import { refuseOldName } from '../base/access/old-names.ts';
import type { Http } from '../base/http/call-route.ts';
import { bookmarkChanges } from '../features/bookmarks/changes.ts';
import { type BookmarkRepository, bookmarkRepository, sweepBookmarks } from '../features/bookmarks/repository.ts';
import { bookmarkRoutes } from '../features/bookmarks/routes.ts';
import type { MissionRepository } from '../features/missions/repository.ts';
import { factsOf, type MissionRow } from '../features/missions/rows.ts';
import type { SensorRepository } from '../features/sensors/repository.ts';
import type { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import type { CommonParts } from './parts.ts';

type Options = {
  http: Http;
  parts: CommonParts;
  anchors: ReturnType<typeof sensorAnchors>;
  missions: Pick<MissionRepository, 'read'>;
  sensors: Pick<SensorRepository, 'find'>;
};

export type Bookmarks = Pick<BookmarkRepository, 'keepTimes'> & {
  /** Reads the bookmarks of a mission that the actor may read. @throws AppError notFound */
  bookmarksOf: (actor: Actor, missionId: string) => Promise<Bookmark[]>;
  sweep: () => Promise<void>;
};

/** Bookmarks of the api process. */
export function serveBookmarks({ http, parts, anchors, missions, sensors }: Options): Bookmarks {
  const { db, storage, nowUs, events } = parts;
  const bookmarks = bookmarkRepository({ db, storage, anchors });
  const marked = (row: MissionRow) => ({ ...factsOf(row), name: row.name, startTime: row.start_time });
  bookmarkRoutes({
    ...http,
    bookmarks,
    changes: bookmarkChanges({ db, storage, anchors, nowUs }),
    missionOf: async (actor, idOrName) => marked(await missions.read(actor, idOrName)),
    async sensorOf(actor, mission, sensor) {
      await refuseOldName(db, actor, mission);
      const { id, indexKey, mission: facts } = await sensors.find(actor, mission, sensor);
      const row = await missions.read(actor, facts.id);
      return { id, isRecording: indexKey === null && row.recording_start_time !== null, mission: marked(row) };
    },
    changed: events.changed,
  });
  return {
    keepTimes: bookmarks.keepTimes,
    bookmarksOf: async (actor, id) => bookmarks.ofMission(actor, marked(await missions.read(actor, id))),
    sweep: () => sweepBookmarks(db, nowUs() - BOOKMARK_UNDO_MS * 1000),
  };
}
