import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { SourceState } from '../../recorder-wire/protocol.ts';
import type { MirrorListener } from './mirror.ts';
import { sourceMetrics } from './source-metrics.ts';

const EO = '00000000-0000-4000-8000-000000000001';
const IR = '00000000-0000-4000-8000-000000000002';

function metrics() {
  const sources = new Map<string, SourceState>();
  let listener: MirrorListener = {};
  const register = new Registry();
  sourceMetrics(
    {
      sources: () => sources.values(),
      subscribe(one) {
        listener = one;
        return () => undefined;
      },
    },
    register,
  );
  return {
    say(sensorId: string, fields: Partial<SourceState>) {
      const source: SourceState = {
        ...{ sensorId, platformId: sensorId, on: true, state: 'online', since: 0, startedUs: 0, bytes: 0 },
        ...{ bitsPerSecond: 0, packets: 0, lost: 0, reordered: 0, refused: 0, jitterMs: null, video: null },
        ...{ klv: false, error: null, ...fields },
      };
      sources.set(sensorId, source);
      listener.onMessage?.({ kind: 'source', source });
    },
    async lines() {
      const text = await register.metrics();
      return text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    },
  };
}

it('adds up what all sources count, also of one that restarted, and names none of them', async () => {
  const { say, lines } = metrics();

  say(EO, { packets: 100, lost: 3, reordered: 2, refused: 7, jitterMs: 2.5 });
  say(IR, { packets: 10, state: 'lost', jitterMs: 90 });
  say(EO, { packets: 150, lost: 4, reordered: 2, refused: 7, jitterMs: 1.5 });
  say(EO, { packets: 20, lost: 1, jitterMs: 1.5 });

  expect(await lines()).toEqual([
    'osprey_live_received_packets_total 180',
    'osprey_live_lost_packets_total 5',
    'osprey_live_reordered_packets_total 2',
    'osprey_live_refused_packets_total 7',
    'osprey_live_sensors{state="online"} 1',
    'osprey_live_sensors{state="lost"} 1',
    'osprey_live_sensors{state="offline"} 0',
    'osprey_live_sensors{state="unknown"} 0',
    'osprey_live_jitter_max_seconds 0.0015',
  ]);
});
