import { randomUUID } from 'node:crypto';
import {
  AppError,
  classificationOf,
  classificationRank,
  type PlatformControl,
  recordingMissionName,
} from '@osprey/contract';
import type { RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';
import { refusal } from './refusal.ts';
import type { StoredPlatform, StoredSensor } from './stored.ts';

/** Creates the journal of a recording requested by a user, and a warning if it differs from the request. */
export function newRecording(
  platform: StoredPlatform,
  { body, sensors, nowUs }: { body: PlatformControl; sensors: readonly StoredSensor[]; nowUs: number },
): { recording: Recording; warning: string | null } {
  const asked = body.securityClassification;
  const rank = asked === undefined ? platform.classification : classificationRank(asked);
  const isBelow = rank < platform.classification;
  const label = classificationOf(platform.classification);
  const names = body.usergroups !== undefined;
  return {
    recording: {
      missionId: randomUUID(),
      missionName: body.missionName ?? recordingMissionName(platform.name, nowUs),
      description: body.description,
      tags: [...new Set(body.tags)],
      platform: { platformId: platform.id, name: platform.name, type: platform.type, color: platform.color },
      // The label of a recording is never below that of its platform.
      classification: Math.max(rank, platform.classification),
      marked: isBelow || asked === undefined ? platform.marked : true,
      audience: body.audience ?? (names ? 'groups' : platform.audience),
      usergroups: names ? [...new Set(body.usergroups)] : platform.usergroups,
      priority: platform.priority,
      cause: 'manual',
      state: 'recording',
      startedUs: nowUs,
      endedUs: null,
      stopReason: null,
      sensors: sensors.map((sensor) => newSensor(sensor, null)),
    },
    warning: isBelow ? `The mission has the label ${label} of its platform: a recording is never below it.` : null,
  };
}

/** Adds sensors to a running recording. Sensors that were already part of it continue in their former place. */
export function addedSensors(
  running: Recording,
  sensors: readonly StoredSensor[],
): { recording: Recording; added: RecordedSensor[] } {
  const added = sensors.flatMap((sensor) => {
    const existing = running.sensors.find(({ liveSensorId }) => liveSensorId === sensor.id) ?? null;
    return existing?.state === 'recording' ? [] : [newSensor(sensor, existing)];
  });
  return { recording: { ...running, sensors: added }, added };
}

function newSensor({ id, name, description, type }: StoredSensor, existing: RecordedSensor | null): RecordedSensor {
  if (existing !== null) return { ...existing, state: 'recording', error: null };
  return {
    ...{ liveSensorId: id, sensorId: randomUUID(), name, description, type },
    ...{ state: 'recording', files: [], error: null },
  };
}

/** Selects sensors of a platform by name, or all of them if none is named. @throws AppError ruleRefused */
export function selectedSensors(platform: StoredPlatform, names: readonly string[]): StoredSensor[] {
  if (names.length === 0) return platform.sensors;
  const unknown = names.find((name) => !platform.sensors.some((sensor) => sensor.name === name));
  if (unknown !== undefined) throw refusal(`There is no sensor ${unknown}.`);
  return platform.sensors.filter(({ name }) => names.includes(name));
}

/**
 * Returns the only visible platform with this id or name. @throws AppError notFound, ruleRefused if two have the name
 */
export function selectedPlatform(
  visible: readonly StoredPlatform[],
  { platformName, platformType }: Pick<PlatformControl, 'platformName' | 'platformType'>,
): StoredPlatform {
  const byId = visible.find(({ id }) => id === platformName);
  if (byId) return byId;
  const named = visible.filter(({ name }) => name === platformName);
  const found = named.length > 1 ? named.filter(({ type }) => type === platformType) : named;
  if (found.length > 1 || (found.length === 0 && named.length > 1)) {
    throw refusal('Two platforms have this name. Please use the id.');
  }
  if (found[0] === undefined) throw new AppError('notFound');
  return found[0];
}
