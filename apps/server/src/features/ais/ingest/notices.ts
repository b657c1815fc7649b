import type { AisIngestDeps } from './dependencies.ts';

/** Minimum interval between two notices about one sensor, in milliseconds. */
const EVERY_MS = 1000;

type Subject = { sensorId: string; platformId: string; missionId: string | null };

/** Notifies pages of the number of new targets of one sensor: immediately at first, then at most once a second. */
export function targetNotices({ notify, nowMs }: Pick<AisIngestDeps, 'notify' | 'nowMs'>) {
  const state = { lastMs: Number.NEGATIVE_INFINITY, pending: 0, timer: null as NodeJS.Timeout | null };
  return {
    add({ sensorId, platformId, missionId }: Subject, targets: number): void {
      state.pending += targets;
      if (state.pending === 0 || state.timer !== null) return;
      state.timer = setTimeout(
        () => {
          state.timer = null;
          state.lastMs = nowMs();
          notify({ platform: platformId, sensor: sensorId, mission: missionId, targets: state.pending });
          state.pending = 0;
        },
        Math.max(0, state.lastMs + EVERY_MS - nowMs()),
      );
    },
    close(): void {
      if (state.timer) clearTimeout(state.timer);
    },
  };
}
