import { randomUUID } from 'node:crypto';
import { recordingMissionName } from '@osprey/contract';
import type { PlatformOrder, RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';
import type { LiveStream } from '../components.ts';

export const recordedSensorOf = ({ sensorId, order }: Pick<LiveStream, 'sensorId' | 'order'>): RecordedSensor => ({
  liveSensorId: sensorId,
  sensorId: randomUUID(),
  name: order().name,
  description: '',
  type: order().type,
  state: 'recording',
  files: [],
  error: null,
});

type Beginning = { cause: 'presence' | 'schedule'; streams: readonly LiveStream[]; nowUs: number };

/** Returns the recording that a rule begins, with the label and groups of its platform. */
export const recordingOf = (platform: PlatformOrder, { cause, streams, nowUs }: Beginning): Recording => ({
  missionId: randomUUID(),
  missionName: recordingMissionName(platform.name, nowUs),
  description: '',
  tags: [],
  platform: { platformId: platform.platformId, name: platform.name, type: platform.type, color: platform.color },
  classification: platform.classification,
  marked: platform.marked,
  audience: platform.audience,
  usergroups: platform.usergroups,
  priority: platform.priority,
  cause,
  state: 'recording',
  startedUs: nowUs,
  endedUs: null,
  stopReason: null,
  sensors: streams.map(recordedSensorOf),
});
