import product from '../../../../package.json' with { type: 'json' };
import { refuseOldName } from '../base/access/old-names.ts';
import type { OpenReads } from '../base/access/open-reads.ts';
import type { Http } from '../base/http/call-route.ts';
import type { ExportSlots } from '../base/jobs/export-slots.ts';
import { foundClipRoutes } from '../features/clips/found-routes.ts';
import { type ClipRepository, clipRepository } from '../features/clips/repository.ts';
import { clipRoutes } from '../features/clips/routes.ts';
import { telemetryRoutes } from '../features/clips/telemetry/routes.ts';
import type { MissionRepository } from '../features/missions/repository.ts';
import { factsOf } from '../features/missions/rows.ts';
import type { SensorRepository } from '../features/sensors/repository.ts';
import type { RecorderMirror } from '../live/rows/mirror.ts';
import type { SensorIndexes } from '../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import type { CommonParts } from './parts.ts';

type Options = {
  http: Http;
  parts: CommonParts;
  reads: OpenReads;
  missions: Pick<MissionRepository, 'read' | 'shown'>;
  sensors: Pick<SensorRepository, 'find'>;
  indexes: SensorIndexes;
  mirror: Pick<RecorderMirror, 'recordings' | 'segments'>;
  telemetry: TelemetryReader;
  slots: ExportSlots;
  exportRefusal: () => string | null;
  damaged: (fileId: string, error: unknown) => void;
};

/** Clips of the api process. */
export function serveClips(options: Options): ClipRepository {
  const { http, parts, reads, missions, sensors, indexes, mirror, telemetry, slots, exportRefusal, damaged } = options;
  const { db, storage, config, nowUs, events } = parts;
  const recording = (sensorId: string) =>
    mirror
      .recordings()
      .flatMap((one) => one.sensors)
      .find((sensor) => sensor.sensorId === sensorId) ?? null;
  const plan = { db, storage, indexes, recording, segments: mirror.segments };
  const clips = clipRepository({ plan, nowUs });
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
    async missionOf(actor, idOrName) {
      const row = await missions.read(actor, idOrName);
      return { ...factsOf(row), name: row.name, startTime: row.start_time, endTime: row.end_time };
    },
  });
  foundClipRoutes({ ...http, storage, slots, exportRefusal, plan, sensorOf: sensors.find });
  telemetryRoutes({
    ...{ ...http, telemetry, indexes, plan, reads, slots, exportRefusal },
    sensorOf: sensors.find,
    startOf: async (actor, id) => (await missions.read(actor, id)).start_time,
  });
  return clips;
}
