import type { LivePosition } from '@osprey/contract';
import { centreOf, footprintOf } from '@osprey/geo';
import { createSt0601Reader, readUniversalKey } from '@osprey/klv';
import type { RecorderMirror } from './mirror.ts';

/** Interval of updates, in milliseconds. */
const EVERY_MS = 250;
/** If several cameras of a platform report its position, one of them is used until it has been silent for this time. */
const SILENT_MS = 2000;
/** Tags of ST 0601 that are decoded: attitude, position, angles, frame centre, corners. */
const TAGS = [
  5, 6, 7, 13, 14, 15, 16, 17, 18, 19, 20, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 82, 83, 84, 85, 86, 87, 88, 89,
  90, 91,
];
const HEADING = 5;
const LAT = 13;
const LON = 14;

export type LivePositionDeps = {
  mirror: Pick<RecorderMirror, 'subscribe' | 'source' | 'recordedAs'>;
  /** Returns whether any page shows positions of this platform. */
  isWatched: (platformId: string) => boolean;
  notify: (position: LivePosition, mission: string | null) => void;
  nowMs: () => number;
};

/** Sends positions of live platforms to the pages that requested them; if there are none, nothing is decoded. */
export function livePositions({ mirror, isWatched, notify, nowMs }: LivePositionDeps): void {
  const reader = createSt0601Reader();
  const last = new Map<string, { sensorId: string; atMs: number }>();

  mirror.subscribe({
    onKlv({ sensorId, klv }) {
      const platformId = mirror.source(sensorId)?.platformId;
      if (platformId === undefined) return;
      const before = last.get(platformId);
      const passedMs = before === undefined ? Number.POSITIVE_INFINITY : nowMs() - before.atMs;
      if (passedMs < (before?.sensorId === sensorId ? EVERY_MS : SILENT_MS) || !isWatched(platformId)) return;
      const position = positionIn(klv);
      if (position === null) return;
      last.set(platformId, { sensorId, atMs: nowMs() });
      const mission = mirror.recordedAs(sensorId)?.recording.missionId ?? null;
      notify({ platform: platformId, sensor: sensorId, ...position }, mission);
    },
  });

  /** Decodes a packet; null if it has no time or position, or is broken. */
  function positionIn(klv: Uint8Array): Omit<LivePosition, 'platform' | 'sensor'> | null {
    if (readUniversalKey(klv, 0) !== 'st0601') return null;
    try {
      const { timeUs, numbers, checksum } = reader.read(klv, 0, klv.length);
      const values = Object.fromEntries(TAGS.map((tag) => [tag, numbers[tag]]));
      const { [LAT]: lat = Number.NaN, [LON]: lon = Number.NaN, [HEADING]: heading = Number.NaN } = values;
      if (checksum === 'bad' || timeUs === null || Number.isNaN(lat) || Number.isNaN(lon)) return null;
      const centre = centreOf(values);
      return {
        ...{ time: timeUs, lat, lon, heading: Number.isNaN(heading) ? null : heading },
        frameCenter: centre && [centre.lat, centre.lon],
        footprint: footprintOf(values)?.corners.map((corner): [number, number] => [corner.lat, corner.lon]) ?? null,
      };
    } catch (error) {
      if (error instanceof Error && error.name === 'FormatError') return null;
      throw error;
    }
  }
}
