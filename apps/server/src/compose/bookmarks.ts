import { BOOKMARK_UNDO_MS } from '@osprey/contract';
import type { Http } from '../base/http/call-route.ts';
import { refuseOldName } from '../base/items/old-names.ts';
import { bookmarkChanges } from '../features/bookmarks/changes.ts';
import { sweepBookmarks } from '../features/bookmarks/repository.ts';
import { bookmarkRoutes } from '../features/bookmarks/routes.ts';
import { markedMission } from '../features/missions/rows.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';

type Options = { http: Http; dependencies: Dependencies } & Pick<
  Recordings,
  'anchors' | 'missions' | 'sensors' | 'bookmarks'
>;

/** Serves bookmarks in the api process. */
export function serveBookmarks({ http, dependencies, anchors, missions, sensors, bookmarks }: Options) {
  const { db, storage, nowUs, events } = dependencies;
  bookmarkRoutes({
    ...http,
    bookmarks,
    changes: bookmarkChanges({ db, storage, anchors, nowUs }),
    missionOf: async (actor, idOrName) => markedMission(await missions.read(actor, idOrName)),
    async sensorOf(actor, mission, sensor) {
      await refuseOldName(db, actor, mission);
      const { id, indexKey, mission: facts } = await sensors.find(actor, mission, sensor);
      const row = await missions.read(actor, facts.id);
      const isRecording = indexKey === null && row.recording_start_time !== null;
      return { id, isRecording, mission: markedMission(row) };
    },
    changed: events.changed,
  });
  return { sweep: () => sweepBookmarks(db, nowUs() - BOOKMARK_UNDO_MS * 1000) };
}
