import type { MissionUpdate } from '@osprey/contract';

/** Ids and names of a job's mission and sensor, as used in its events. */
export type JobSubject = { missionId: string; missionName: string; sensorId: string; sensorName: string };

type UpdateFields = Pick<MissionUpdate, 'type'> &
  Partial<Pick<MissionUpdate, 'progress' | 'phase' | 'areaSqKm' | 'text'>>;

/** Creates a mission_update with null in all fields that its type does not use. */
export const updateOf = (subject: JobSubject, said: UpdateFields): MissionUpdate => ({
  mission: subject.missionId,
  missionName: subject.missionName,
  sensor: subject.sensorId,
  sensorName: subject.sensorName,
  progress: null,
  bytes: null,
  totalBytes: null,
  phase: null,
  areaSqKm: null,
  text: null,
  ...said,
});

const EVERY_MS = 250;

/** Limits a function to at most four calls per second. */
export function throttled(send: (percent: number) => void, everyMs = EVERY_MS): (percent: number) => void {
  let last = Number.NEGATIVE_INFINITY;
  return (percent) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    send(percent);
  };
}
