import { join } from 'node:path';
import product from '../../../../package.json' with { type: 'json' };
import type { OpenReads } from '../base/access/open-reads.ts';
import type { Http } from '../base/http/call-route.ts';
import { refuseOldName } from '../base/items/old-names.ts';
import { platformSensorName } from '../base/items/platform-facts.ts';
import { folderStorage } from '../base/storage/folder.ts';
import { foundClipRoutes } from '../features/clips/found-routes.ts';
import { ringExportRoutes } from '../features/clips/ring/routes.ts';
import { clipRoutes } from '../features/clips/routes.ts';
import { telemetryRoutes } from '../features/clips/telemetry/routes.ts';
import { markedMission } from '../features/missions/rows.ts';
import type { Dependencies } from './dependencies.ts';
import type { Live } from './live.ts';
import type { Recordings } from './recordings.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  reads: OpenReads;
  coordination: Live;
  exportRefusal: () => string | null;
} & Pick<Recordings, 'missions' | 'sensors' | 'indexes' | 'telemetry' | 'slots' | 'plan' | 'clips' | 'damaged'>;

/** Serves clips in the api process. */
export function serveClips(options: Options): void {
  const { http, dependencies, reads, missions, sensors, indexes, telemetry, slots, exportRefusal } = options;
  const { plan, clips, damaged } = options;
  const { db, storage, config, events } = dependencies;
  clipRoutes({
    ...{ ...http, storage, reads, slots, exportRefusal, damaged },
    ...{ plan, clips, changed: events.changed },
    server: { name: config.serverName, version: product.version },
    sensorOf: sensors.find,
    startOf: async (actor, id) => (await missions.read(actor, id)).start_time,
    async sensorsOf(actor, id) {
      const shown = await missions.shown({ actor, mediaToken: () => null }, id);
      return shown.sensors.map(({ _id }) => _id);
    },
    refuseOldName: (actor, ref) => refuseOldName(db, actor, ref),
    missionOf: async (actor, idOrName) => markedMission(await missions.read(actor, idOrName)),
  });
  const { mirror, access } = options.coordination;
  ringExportRoutes({
    ...{ ...http, mirror, access, storage, slots, exportRefusal },
    ring: folderStorage({ root: join(config.dataDir, 'live', 'ring') }),
    nameOf: (sensorId) => platformSensorName(db, sensorId),
  });
  foundClipRoutes({ ...http, storage, slots, exportRefusal, plan, sensorOf: sensors.find });
  telemetryRoutes({
    ...{ ...http, telemetry, indexes, plan, reads, slots, exportRefusal },
    sensorOf: sensors.find,
    startOf: async (actor, id) => (await missions.read(actor, id)).start_time,
  });
}
