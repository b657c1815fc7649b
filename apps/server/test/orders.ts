import type { PlatformOrder, Recording } from '../src/recorder-wire/protocol.ts';

const uuids = Array.from({ length: 64 }, () => crypto.randomUUID());

type Requested = { n: number; sensors: number; url: (sensor: number) => string; order?: Partial<PlatformOrder> };

/** The order of platform `n` of a test; its ids stay over all recorders of the test. */
export function platformOrder({ n, sensors, url, order = {} }: Requested): PlatformOrder {
  return {
    platformId: uuids[n]!,
    name: `P${n}`,
    description: '',
    type: 'Plane',
    color: '#004dcf',
    classification: 1,
    marked: true,
    audience: 'everyone',
    usergroups: [],
    priority: n + 1,
    record: { onPresence: false, schedule: [], preRollSeconds: 0 },
    sensors: Array.from({ length: sensors }, (_, k) => ({
      sensorId: uuids[16 + n * 4 + k]!,
      name: `EO ${k}`,
      type: 'video',
      url: url(k),
      secret: null,
      senders: [],
      on: true,
    })),
    ...order,
  };
}

/** Order to record all sensors of a platform. */
export function recordingOf(platform: PlatformOrder, startedUs: number): Recording {
  const { platformId, name, type, color, classification, marked, audience, usergroups, priority } = platform;
  return {
    missionId: crypto.randomUUID(),
    missionName: `${name}-x`,
    description: '',
    tags: [],
    platform: { platformId, name, type, color },
    classification,
    marked,
    audience,
    usergroups,
    priority,
    cause: 'manual',
    state: 'recording',
    startedUs,
    endedUs: null,
    stopReason: null,
    sensors: platform.sensors.map((sensor) => ({
      liveSensorId: sensor.sensorId,
      sensorId: crypto.randomUUID(),
      name: sensor.name,
      description: '',
      type: sensor.type,
      state: 'recording',
      files: [],
      error: null,
    })),
  };
}
