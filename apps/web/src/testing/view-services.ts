import type { Mission, Sensor, SensorTimeline } from '@osprey/contract';
import { createMissionClock } from '../onscreen/clock/mission-clock.ts';
import { createFrameBus } from '../onscreen/frames.ts';
import { createSignal } from '../onscreen/signal.ts';
import type { ChosenTarget, ViewServices } from '../onscreen/view-services.ts';

const ID = '00000000-0000-4000-8000-000000000001';

/** Test support: the shared parts of a mission view without a running clock. */
export function viewServices(range = { startUs: 0, endUs: 3_600_000_000 }): ViewServices {
  return {
    clock: createMissionClock({ ...range, now: () => 0, onNextPaint: () => () => undefined }),
    frames: createFrameBus(),
    stores: new Map(),
    pointed: createSignal<{ lon: number; lat: number } | null>(null),
    chosenTarget: createSignal<ChosenTarget | null>(null),
    firstFrame: createSignal(false),
  };
}

/** Test support: a sensor as the server lists it. */
export function sensorRow(fields: Partial<Sensor> = {}): Sensor {
  return {
    _id: ID,
    missionId: ID,
    name: 'EO/IR',
    description: '',
    type: 'video',
    state: 'Ready',
    creationTime: 0,
    startTime: 0,
    endTime: 3_600_000_000,
    recordingStartTime: null,
    recordingEndTime: null,
    views: 0,
    thumbnail: null,
    hlsProps: {
      url: `/api/media/${ID}/index.m3u8`,
      durationSeconds: 3600,
      renditions: [{ name: 'original', codec: 'h264', width: 1920, height: 1080, frameRate: 25 }],
    },
    assets: [],
    timeSource: 'klv',
    timeShift: 0,
    klv: null,
    progress: null,
    message: null,
    ...fields,
  };
}

/** Test support: an hour of recording with a gap in its middle. */
export function timelineOf(sensor: Sensor): SensorTimeline {
  const run = { fileId: ID, playlistStart: 0, durationSeconds: 1000, firstPts: 0, lastPts: 90_000_000 };
  return {
    sensor: sensor._id,
    startTime: 0,
    endTime: 3_600_000_000,
    timeSource: 'klv',
    runs: [
      { ...run, discontinuity: 0, startTime: 0, endTime: 1_000_000_000, anchors: [[0, 0]] },
      { ...run, discontinuity: 1, startTime: 2_600_000_000, endTime: 3_600_000_000, anchors: [[0, 2_600_000_000]] },
    ],
    gaps: [{ start: 1_000_000_000, end: 2_600_000_000 }],
    targets: { binSeconds: 60, counts: [1, 2, 3] },
    frameRate: 25,
  };
}

/** Test support: a mission with these sensors. */
export function missionRow(sensors: Sensor[], fields: Partial<Mission> = {}): Mission {
  return {
    _id: ID,
    name: 'KEA-1104',
    description: 'Search west of Kea',
    accessToken: null,
    thumbnail: null,
    rating: 0,
    state: 'Ready',
    creationTime: 0,
    startTime: 0,
    endTime: 3_600_000_000,
    recordingStartTime: null,
    recordingEndTime: null,
    platform: { name: 'OSP-21', type: 'Plane', presentation: { color: '#22C7E6' } },
    platformType: 'Plane',
    platformId: null,
    country_code: null,
    country_name: null,
    tags: [],
    sortOrder: 0,
    sensors,
    views: 0,
    securityClassification: 'RESTRICTED',
    marked: true,
    audience: 'everyone',
    usergroups: [],
    areaSqKm: null,
    place: null,
    sample: false,
    progress: null,
    message: null,
    hold: null,
    revision: 1,
    ...fields,
  };
}
