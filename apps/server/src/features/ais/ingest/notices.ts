import type { AisIngestDeps } from './dependencies.ts';

/** Least milliseconds between two notices about one sensor. */
const EVERY_MS = 1000;

type Subject = { sensorId: string; platformId: string; missionId: string | null };

/** Notifies pages of new targets of one sensor, with their number: at once, and then each second at most. */
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
