import { expect, it } from 'vitest';
import type { Overflow } from '../../recorder-wire/protocol.ts';
import { createOverflowLog } from './overflow-log.ts';

function world(existing: Overflow[] = []) {
  const clock = { seconds: 0 };
  let written = 0;
  const log = createOverflowLog(existing, {
    changed() {
      written += 1;
    },
    nowUs: () => 1000e6 + clock.seconds * 1e6,
    nowMs: () => 5000 + clock.seconds * 1000,
  });
  return {
    log,
    written: () => written,
    pass(seconds: number) {
      for (let n = 0; n < seconds; n += 1) {
        clock.seconds += 1;
        log.tick();
      }
    },
  };
}

const of = (startedUs: number, endedUs: number | null, packets: number): Overflow => ({ startedUs, endedUs, packets });

it('packets that are dropped again within a minute are one time, later ones another', () => {
  const { log, pass, written } = world();
  log.dropped(7);
  expect(log.list()).toEqual([of(1000e6, null, 7)]);
  pass(59);
  log.dropped(3);
  pass(59);
  expect(log.list()).toEqual([of(1000e6, null, 10)]);
  pass(1);
  expect(log.list()).toEqual([of(1000e6, 1059e6, 10)]);
  pass(100);
  log.dropped(1);
  log.end();
  log.end();

  expect(log.list()).toEqual([of(1000e6, 1059e6, 10), of(1219e6, 1219e6, 1)]);
  // Where one begins and where it ends, not with each packet.
  expect(written()).toBe(4);
});

it('one that a crash left open has ended, and is not counted on', () => {
  const { log } = world([of(10e6, 20e6, 5), of(30e6, null, 6)]);
  log.dropped(1);

  expect(log.list()).toEqual([of(10e6, 20e6, 5), of(30e6, 30e6, 6), of(1000e6, null, 1)]);
});

it('a journal carries a thousand of them, and no more', () => {
  const { log } = world(Array.from({ length: 1000 }, (_, n) => of(n, n, 1)));
  log.dropped(1);

  expect(log.list()).toHaveLength(1000);
});
