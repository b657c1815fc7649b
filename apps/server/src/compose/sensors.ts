import { authorize } from '../base/access/authorize.ts';
import type { Http } from '../base/http/call-route.ts';
import { factsOf } from '../features/missions/rows.ts';
import { addFurtherVideo } from '../features/missions/sensors/further-videos.ts';
import { sensorRoutes } from '../features/missions/sensors/routes.ts';
import { videoListRoute } from '../features/missions/sensors/video-list-route.ts';
import { picturesOf } from '../media/index/picture-files.ts';
import { sheetsOf } from '../media/index/sheet-files.ts';
import { removeMade } from '../media/ingest/removed-file.ts';
import type { Dependencies } from './dependencies.ts';
import type { Recordings } from './recordings.ts';

type Options = { http: Http; dependencies: Dependencies } & Pick<
  Recordings,
  'missions' | 'sensors' | 'clips' | 'indexes' | 'telemetry' | 'sets' | 'bookmarks' | 'frames'
>;

export function serveSensors(options: Options): void {
  const { http, dependencies, missions, sensors, clips, indexes, telemetry, sets, bookmarks, frames } = options;
  const { db, storage, queue, events, nowUs } = dependencies;
  sensorRoutes({
    ...http,
    sensors,
    addVideo: (sensor, video) => addFurtherVideo({ db, storage, queue, nowUs }, sensor, video),
    sensorsOfMission: async (actor, idOrName) => {
      const row = await missions.read(actor, idOrName);
      const mission = { ...factsOf(row), name: row.name };
      authorize(actor, 'mission.read', mission);
      return { mission, sensors: (await missions.shown({ actor, mediaToken: () => null }, row.id)).sensors };
    },
    clipsOf: clips.ofMission,
    indexes,
    telemetry,
    sets,
    picturesOf: (sensor) => picturesOf(storage, sensor),
    sheetsOf: (sensor) => sheetsOf(storage, sensor),
    async fileGoing({ id }) {
      await bookmarks.keepTimes(id);
      await frames.keepTimes(id);
    },
    fileRemoved: async (sensor, { fileId, key }) => {
      await storage.remove(key);
      await removeMade(storage, sensor.id, fileId);
    },
    changed: events.changed,
  });
  videoListRoute({ ...http, db, sensors, indexes, telemetry });
}
