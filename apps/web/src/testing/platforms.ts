import type { LivePlatform, LiveSensor } from '@osprey/contract';
import { newId } from './fake-api.ts';

const unrecorded = {
  live: false,
  mission: null,
  missionName: null,
  recordingStartTime: null,
  duration: null,
  segments: null,
  sizeBytes: null,
};

export function liveSensorOf(fields: Partial<LiveSensor> = {}): LiveSensor {
  return {
    _id: newId(),
    parentId: newId(),
    name: 'EO',
    description: '',
    type: 'video',
    url: 'udp://127.0.0.1:5000',
    on: true,
    state: 'online',
    since: null,
    startTime: null,
    ...unrecorded,
    missionSensor: null,
    recorderInfo: { info: null, error: null },
    video: null,
    klv: false,
    bitrate: null,
    lostPackets: null,
    ...fields,
  };
}

export function livePlatformOf(fields: Partial<LivePlatform> = {}): LivePlatform {
  const _id = fields._id ?? newId();
  const { sensors = [liveSensorOf()] } = fields;
  return {
    _id,
    name: 'OSP-21',
    description: '',
    type: 'Plane',
    presentation: { color: '#22c7e6' },
    securityClassification: 'UNCLASSIFIED',
    marked: true,
    audience: 'everyone',
    usergroups: [],
    priority: 5,
    autostart: true,
    state: 'online',
    ...unrecorded,
    liveModes: ['Preview', 'WebRtc'],
    ...fields,
    sensors: sensors.map((sensor) => ({ ...sensor, parentId: _id })),
  };
}
