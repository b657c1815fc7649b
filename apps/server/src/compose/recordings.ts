import type { Actor, Bookmark } from '@osprey/contract';
import type { LiveRights } from '../base/items/live-rights.ts';
import { type ExportSlots, exportSlots } from '../base/jobs/export-slots.ts';
import { damageNotes } from '../base/stored/note-damage.ts';
import { storedFiles } from '../base/stored/stored-files.ts';
import { type AnnotationFrames, annotationFrames } from '../features/annotations/frames.ts';
import { type BookmarkRepository, bookmarkRepository } from '../features/bookmarks/repository.ts';
import type { PlanDeps } from '../features/clips/plan.ts';
import { type ClipRepository, clipRepository } from '../features/clips/repository.ts';
import { type MissionChanges, missionChanges } from '../features/missions/changes.ts';
import { type MissionRepository, missionRepository } from '../features/missions/repository.ts';
import { markedMission } from '../features/missions/rows.ts';
import { type SensorRepository, sensorRepository } from '../features/missions/sensors/repository.ts';
import type { RecorderMirror } from '../live/rows/mirror.ts';
import type { Anchors } from '../media/anchors/frame-places.ts';
import { sensorAnchors } from '../media/anchors/sensor-anchors.ts';
import { indexMender } from '../media/ingest/mend-index.ts';
import { type MediaSensors, mediaSensors } from '../media/play/media-files.ts';
import { type SensorIndexes, sensorIndexes } from '../media/play/sensor-index-cache.ts';
import { type TelemetrySets, telemetrySets } from '../media/play/telemetry-set.ts';
import { type TelemetryReader, telemetryReader } from '../telemetry/reader.ts';
import type { Dependencies } from './dependencies.ts';

type Options = {
  dependencies: Dependencies;
  live: LiveRights;
  mirror: Pick<RecorderMirror, 'recordings' | 'segments'>;
};

/** Recordings and what is marked on them, for every feature that works with them. */
export type Recordings = {
  missions: MissionRepository;
  missionChanges: MissionChanges;
  sensors: SensorRepository;
  media: MediaSensors;
  indexes: SensorIndexes;
  telemetry: TelemetryReader;
  sets: TelemetrySets;
  anchors: Anchors;
  slots: ExportSlots;
  frames: AnnotationFrames;
  bookmarks: BookmarkRepository;
  /** Reads the bookmarks of a mission that the actor may read. @throws AppError notFound */
  bookmarksOf: (actor: Actor, missionId: string) => Promise<Bookmark[]>;
  plan: PlanDeps;
  clips: ClipRepository;
  /** Records that the bytes of a file are damaged. */
  damaged: (fileId: string, error: unknown) => void;
};

export function openRecordings({ dependencies, live, mirror }: Options): Recordings {
  const { db, storage, queue, events, nowUs, config, log } = dependencies;
  const { changed } = events;
  const missions = missionRepository({ db });
  const mendIndex = indexMender({ db, storage, queue, changed, log });
  const indexes = sensorIndexes({ storage, damaged: mendIndex });
  const media = mediaSensors({ db, live, indexes });
  const telemetry = telemetryReader({ storage, damaged: mendIndex });
  const anchors = sensorAnchors({ db, storage, indexes });
  const bookmarks = bookmarkRepository({ db, storage, anchors });
  const recording = (sensorId: string) =>
    mirror
      .recordings()
      .flatMap((one) => one.sensors)
      .find((sensor) => sensor.sensorId === sensorId) ?? null;
  const plan = { db, storage, indexes, recording, segments: mirror.segments };
  const note = damageNotes({ stored: storedFiles({ db, nowUs }), storage, changed, log });
  return {
    ...{ missions, indexes, media, telemetry, anchors, bookmarks, plan },
    missionChanges: missionChanges({ db, nowUs, systemHigh: config.systemHigh }),
    sensors: sensorRepository({ db, queue, nowUs }),
    sets: telemetrySets({ storage, telemetry, originalsOf: async (id) => (await media.read(id)).originals }),
    slots: exportSlots({ db }),
    frames: annotationFrames({ db, anchors }),
    bookmarksOf: async (actor, id) => bookmarks.ofMission(actor, markedMission(await missions.read(actor, id))),
    clips: clipRepository({ plan, nowUs }),
    damaged: (id, error) => note({ noun: 'files', id }, error),
  };
}
