import type { LivePlatform, LiveSensor } from '@osprey/contract';
import { newId } from './fake-api.ts';

const ownAddress = { wsVideoStreamPort: null, serverHostName: null };

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
  const { _id = newId(), name = 'EO' } = fields;
  return {
    _id,
    id: _id,
    parentId: newId(),
    parentPlatformName: 'OSP-21',
    parentPlatformType: 'Plane',
    parentPlatformLive: false,
    platform: 'OSP-21',
    sensor: name,
    name,
    description: '',
    type: 'video',
    url: 'udp://127.0.0.1:5000',
    on: true,
    state: 'online',
    since: null,
    startTime: null,
    ...unrecorded,
    missionSensor: null,
    config: ownAddress,
    recorderInfo: { info: null, error: null },
    video: null,
    klv: false,
    bitrate: null,
    lostPackets: null,
    reorderedPackets: null,
    refusedPackets: null,
    jitter: null,
    ...fields,
  };
}

export function livePlatformOf(fields: Partial<LivePlatform> = {}): LivePlatform {
  const _id = fields._id ?? newId();
  const { sensors = [liveSensorOf()], name = 'OSP-21', type = 'Plane', live = false } = fields;
  const parent = { parentId: _id, platform: name, parentPlatformName: name };
  return {
    _id,
    id: _id,
    platform: name,
    sensor: null,
    name,
    description: '',
    type,
    presentation: { color: '#22c7e6' },
    securityClassification: 'UNCLASSIFIED',
    marked: true,
    audience: 'everyone',
    usergroups: [],
    priority: 5,
    autostart: true,
    state: 'online',
    ...unrecorded,
    config: ownAddress,
    liveModes: ['Preview', 'WebRtc'],
    ...fields,
    sensors: sensors.map((sensor) => ({ ...sensor, ...parent, parentPlatformType: type, parentPlatformLive: live })),
  };
}
