import type { KlvHealth, Mission } from '@osprey/contract';
import { expect, vi } from 'vitest';
import type { Calls } from './admin-calls.ts';

/** Expects that a stopped mission of one sensor becomes Ready with one file, in which no packet is missing. */
export async function expectCompleteRecording({ ask }: Pick<Calls, 'ask'>, missionId: string): Promise<void> {
  const mission = await vi.waitFor(
    async () => {
      const found = await ask<Mission>(`missions/${missionId}`);
      expect(found.state).toBe('Ready');
      return found;
    },
    { timeout: 60_000, interval: 250 },
  );
  const [sensor] = mission.sensors;
  expect(sensor!.assets).toHaveLength(1);
  const { transport } = await ask<KlvHealth>(`sensors/klv-health/${missionId}/${sensor!._id}`);
  expect(transport).toMatchObject({ continuityErrors: 0 });
}
