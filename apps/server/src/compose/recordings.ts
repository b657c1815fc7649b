import { authorize } from '../base/access/authorize.ts';
import type { LiveRights } from '../base/access/live-rights.ts';
import type { MediaTokens } from '../base/access/media-token.ts';
import type { OpenReads } from '../base/access/open-reads.ts';
import type { Http } from '../base/http/call-route.ts';
import { exportSlots } from '../base/jobs/export-slots.ts';
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { type AnnotationFrames, annotationFrames } from '../features/annotations/frames.ts';
import { missionChanges } from '../features/missions/changes.ts';
import { missionRename } from '../features/missions/rename.ts';
import { type MissionRepository, missionRepository } from '../features/missions/repository.ts';
import { missionRoutes } from '../features/missions/routes.ts';
import { factsOf } from '../features/missions/rows.ts';
import { sampleFlights } from '../features/samples/flights.ts';
import { samples } from '../features/samples/samples.ts';
import { addFurtherVideo } from '../features/sensors/further-videos.ts';
import { type SensorRepository, sensorRepository } from '../features/sensors/repository.ts';
import { sensorRoutes } from '../features/sensors/routes.ts';
import { videoListRoute } from '../features/sensors/video-list-route.ts';
import type { RecorderMirror } from '../live/rows/mirror.ts';
import { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import { picturesOf } from '../media/index/picture-files.ts';
import { indexMender } from '../media/ingest/mend-index.ts';
import { renditionMender } from '../media/ingest/missing-renditions.ts';
import { removeMade } from '../media/ingest/removed-file.ts';
import { type MediaSensors, mediaSensors } from '../media/play/media-files.ts';
import { mediaSessions } from '../media/play/media-sessions.ts';
import { mediaRoutes } from '../media/play/routes.ts';
import { type SensorIndexes, sensorIndexes } from '../media/play/sensor-index-cache.ts';
import { type TelemetrySets, telemetrySets } from '../media/play/telemetry-set.ts';
import { thumbnailRoutes } from '../media/play/thumbnail-routes.ts';
import { type TelemetryReader, telemetryReader } from '../telemetry/reader.ts';
import { type Bookmarks, serveBookmarks } from './bookmarks.ts';
import { serveClips } from './clips.ts';
import { serveKeeping } from './keeping.ts';
import type { CommonParts } from './parts.ts';

export type RecordingsOptions = {
  http: Http;
  parts: CommonParts;
  mediaTokens: MediaTokens;
  reads: OpenReads;
  live: LiveRights;
  /** Signs tickets of exports. */
  ticketKey: Buffer;
  exportRefusal: () => string | null;
  mirror: Pick<RecorderMirror, 'recordings' | 'segments'>;
};

export type Recordings = {
  /** Recordings for other areas. */
  missions: MissionRepository;
  sensors: SensorRepository;
  media: MediaSensors;
  indexes: SensorIndexes;
  telemetry: TelemetryReader;
  sets: TelemetrySets;
  /** Begins to make the sample missions, in the name of this user or of a superAdmin. */
  makeSamples: (userId?: string) => Promise<void>;
  bookmarks: Pick<Bookmarks, 'sweep'>;
  frames: AnnotationFrames;
  /** Ends what is made, and writes the end of what is being watched. */
  close: () => Promise<void>;
};

/** Missions, sensors, telemetry and media of the api process. */
export function serveRecordings(options: RecordingsOptions): Recordings {
  const { http, parts, mediaTokens, reads, live, ticketKey, exportRefusal, mirror } = options;
  const { db, storage, queue, events, nowUs, nowMs, config, log } = parts;
  const { changed } = events;
  const missions = missionRepository({ db });
  const changes = missionChanges({ db, nowUs, systemHigh: config.systemHigh });
  const mendIndex = indexMender({ db, storage, queue, changed, log });
  const indexes = sensorIndexes({ storage, damaged: mendIndex });
  const sessions = mediaSessions({ nowMs, nowUs, log });
  const media = mediaSensors({ db, live, indexes });
  const telemetry = telemetryReader({ storage, damaged: mendIndex });

  missionRoutes({
    ...http,
    missions,
    changes,
    rename: missionRename({ db, nowUs, recordings: mirror.recordings }),
    mediaTokens,
    changed,
  });
  const sensors = sensorRepository({ db, queue, nowUs });
  const sets = telemetrySets({ storage, telemetry, originalsOf: async (id) => (await media.read(id)).originals });

  const slots = exportSlots({ db });
  const anchors = sensorAnchors({ db, storage, indexes });
  const bookmarks = serveBookmarks({ http, parts, anchors, missions, sensors });
  const { bookmarksOf } = bookmarks;
  const frames = annotationFrames({ db, anchors });
  serveKeeping({ http, parts, reads, missions, changes, exportRefusal, slots, ticketKey, bookmarksOf });
  const note = damageNotes({ stored: storedFiles({ db, nowUs }), storage, changed, log });
  const damaged = (id: string, error: unknown) => note({ noun: 'files', id }, error);
  const clips = serveClips({
    http,
    parts,
    reads,
    missions,
    sensors,
    indexes,
    mirror,
    telemetry,
    slots,
    exportRefusal,
    damaged,
  });
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
    async fileGoing({ id }) {
      await bookmarks.keepTimes(id);
      await frames.keepTimes(id);
    },
    fileRemoved: async (sensor, { fileId, key }) => {
      await storage.remove(key);
      await removeMade(storage, sensor.id, fileId);
    },
    changed,
  });
  videoListRoute({ ...http, db, sensors, indexes, telemetry });
  const missing = renditionMender({ db, storage, queue, changed, log });
  mediaRoutes({ ...http, storage, media, reads, sessions, damaged, missing });
  thumbnailRoutes({ ...http, storage, media });
  const sampleMissions = samples({
    db,
    storage,
    queue,
    changed,
    flow: events.flow,
    nowUs,
    log,
    createSample: (actor, wanted) => changes.create(actor, wanted, { sample: true }),
    flights: sampleFlights(config.sampleSeconds),
  });
  return {
    bookmarks,
    frames,
    ...{ missions, sensors, media, indexes, telemetry, sets },
    async makeSamples(userId) {
      const maker =
        userId ??
        (
          await db
            .selectFrom('users')
            .select('id')
            .where('role', '=', 'superAdmin')
            .where('disabled', '=', false)
            .orderBy('registered')
            .executeTakeFirst()
        )?.id;
      if (maker !== undefined) sampleMissions.make(maker);
    },
    async close() {
      await sampleMissions.close();
      await sessions.close();
    },
  };
}
