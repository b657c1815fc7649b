import { DecoderError, type Ffmpeg } from '../base/ffmpeg/ffmpeg.ts';
import type { Http } from '../base/http/call-route.ts';
import { factsOfDocument } from '../base/items/document-facts.ts';
import { toDocument } from '../features/documents/rows.ts';
import type { MissionRepository } from '../features/missions/repository.ts';
import { factsOf } from '../features/missions/rows.ts';
import type { SensorRepository } from '../features/missions/sensors/repository.ts';
import { growingFrame } from '../features/snapshots/growing-frame.ts';
import { snapshotRepository } from '../features/snapshots/repository.ts';
import { snapshotRoutes } from '../features/snapshots/routes.ts';
import { telemetryAt } from '../features/snapshots/telemetry-at.ts';
import type { RecorderMirror } from '../live/rows/mirror.ts';
import { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import { framePicture } from '../media/play/frame-picture.ts';
import type { MediaSensors } from '../media/play/media-files.ts';
import type { SensorIndexes } from '../media/play/sensor-index-cache.ts';
import type { TelemetrySets } from '../media/play/telemetry-set.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import { shifted } from '../telemetry/walk.ts';
import type { Dependencies } from './dependencies.ts';
import type { Documents } from './documents.ts';

type Options = {
  http: Http;
  dependencies: Dependencies;
  ffmpeg: () => Promise<Ffmpeg>;
  documents: Documents['documents'];
  missions: Pick<MissionRepository, 'read'>;
  sensors: Pick<SensorRepository, 'find'>;
  media: MediaSensors;
  indexes: SensorIndexes;
  telemetry: TelemetryReader;
  sets: TelemetrySets;
  mirror: Pick<RecorderMirror, 'recordings' | 'segments'>;
};

/** Serves snapshots: frames of sensors, stored as documents. */
export function serveSnapshots(options: Options): void {
  const { http, dependencies, ffmpeg, documents, missions, sensors, media, indexes, telemetry, sets, mirror } = options;
  const { db, items, storage, log } = dependencies;
  const anchors = sensorAnchors({ db, storage, indexes });

  const recording = (sensorId: string) =>
    mirror
      .recordings()
      .flatMap((one) => one.sensors)
      .find((sensor) => sensor.sensorId === sensorId) ?? null;
  const recorded = { storage, ffmpeg, recording, segments: mirror.segments };

  snapshotRoutes({
    ...http,
    snapshots: snapshotRepository({ db, items, anchors }),
    anchors,
    growing: (sensorId, timeUs) => growingFrame(recorded, sensorId, timeUs),
    async findSensor(actor, mission, sensor) {
      const { id, name, mission: facts, indexKey, shiftUs } = await sensors.find(actor, mission, sensor);
      const index = await indexes.read(indexKey);
      return { id, name, mission: facts, files: shifted(index?.files ?? [], shiftUs) };
    },
    async decode(sensorId, { fileId, run, pts }) {
      const original = (await media.read(sensorId)).originals.find(({ id }) => id === fileId);
      if (original === undefined) return null;
      const frame = { sensorId, fileId, originalKey: original.streamKey, run, pts };
      try {
        return await framePicture({ storage, ffmpeg: await ffmpeg() }, frame);
      } catch (error) {
        if (!(error instanceof DecoderError)) throw error;
        log.warn({ sensorId, fileId, pts, detail: error.detail }, 'no frame for a snapshot');
        return null;
      }
    },
    telemetryAt: ({ id, files }, timeUs) => telemetryAt({ telemetry, sets }, { sensorId: id, files, timeUs }),
    storage,
    browser: { storage, jpegOf: documents.reader.jpeg },
    createDocument: (by, { fileName, bytes }, fields, also) =>
      documents.creator.createDocument(by, { fileName, bytes: asStream(bytes) }, fields, also),
    readMission: async (actor, idOrName) => factsOf(await missions.read(actor, idOrName)),
    async readDocument(actor, id) {
      const row = await documents.documents.read(actor, id);
      return { row: toDocument(row, actor), facts: factsOfDocument(row) };
    },
  });
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
