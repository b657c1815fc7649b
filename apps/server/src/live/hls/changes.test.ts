import { describe, expect, it } from 'vitest';
import type { FromRecorder, RingSegment } from '../../recorder-wire/protocol.ts';
import type { MirrorListener } from '../rows/mirror.ts';
import { ringChanges } from './changes.ts';

const EO = '00000000-0000-4000-8000-000000000001';
const IR = '00000000-0000-4000-8000-000000000002';

function recorderThatSays() {
  let listener: MirrorListener = {};
  const changes = ringChanges({
    subscribe(given) {
      listener = given;
      return () => undefined;
    },
    recordedAs: () => null,
  });
  return { changes, say: (message: FromRecorder) => listener.onMessage?.(message) };
}

const grown = (sensorId: string): FromRecorder => ({
  kind: 'ring',
  segment: {
    ...{ sensorId, n: 1, startUs: 0, firstPtsTicks: 0, durationSeconds: 0, sizeBytes: 0 },
    ...{ discontinuity: false, breaks: 1, done: false, parts: [] },
  } satisfies RingSegment,
});

describe('waiting for what the recorder says', () => {
  it('looks again when something is said of that sensor, and not for the others', async () => {
    const { changes, say } = recorderThatSays();
    let looks = 0;
    const isThere = () => ++looks === 3;
    const { signal } = new AbortController();
    const came = changes.until({ sensorId: EO, isThere }, { seconds: 600, signal });

    say(grown(IR));
    say({ kind: 'ringCut', sensorId: IR, first: 1 });
    expect(looks).toBe(1);
    say(grown(EO));
    say({ kind: 'ringCut', sensorId: EO, first: 1 });

    expect([await came, looks]).toEqual([true, 3]);
  });

  it('ends when no request waits any more, and looks no further', async () => {
    const { changes, say } = recorderThatSays();
    let looks = 0;
    const leave = new AbortController();
    const waiting = { sensorId: EO, isThere: () => ++looks > 10 };
    const came = changes.until(waiting, { seconds: 600, signal: leave.signal });

    leave.abort();
    say(grown(EO));

    expect([await came, looks]).toEqual([false, 1]);
  });
});
