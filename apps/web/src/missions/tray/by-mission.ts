import type { RecordingJob } from '@osprey/contract';

/** Jobs of each mission, the missions in the order of their first job. */
export const byMission = (jobs: readonly RecordingJob[]): RecordingJob[][] => [
  ...Map.groupBy(jobs, ({ missionId }) => missionId).values(),
];
