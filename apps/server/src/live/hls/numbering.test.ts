import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { faultsBetween, readPlaylist } from '../../../../../tools/test-support/hls-checker.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import { dvrPlaylist, type Rewindable } from './dvr-playlist.ts';
import { type Numbering, numbering } from './numbering.ts';

const SENSOR = '6f1f64b4-2b53-4a5e-9c0e-6ad7e1f3a1c1';
const RING_N = 1_780_000_100;
const RING_BREAKS = 20_600;

const listOf = (
  source: string,
  { from, count, breaks }: { from: number; count: number; breaks: number },
): Rewindable => ({
  ...{ source, firstN: from, breaks },
  segments: Array.from({ length: count }, (_, i) => ({
    ...{ uri: `${source}-${from + i}.ts`, bytes: null, startUs: (from + i) * 2e6 },
    ...{ durationSeconds: 2, discontinuity: i === 0 },
  })),
});
const ring = (from: number, count: number, breaks = RING_BREAKS) => listOf('ring', { from, count, breaks });
const recording = (count: number, name = 'mission') => listOf(name, { from: 0, count, breaks: 0 });

/** A data folder, and processes that serve from it one after the other. */
async function data() {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-test-numbers-'));
  atEnd(() => rm(folder, { recursive: true }));
  let nowUs = 1_780_000_000e6;
  return {
    async process(secondsLater = 0): Promise<Numbering> {
      nowUs += secondsLater * 1e6;
      const storage = folderStorage({ root: join(folder, 'hls') });
      const numbers = numbering({ storage, nowUs: () => nowUs, log: pino({ level: 'silent' }) });
      await numbers.load(SENSOR);
      return numbers;
    },
    pass: (seconds: number) => {
      nowUs += seconds * 1e6;
    },
  };
}

async function notify({ number, kept: retained }: Numbering, list: Rewindable) {
  const numbered = number(SENSOR, list);
  await retained(SENSOR);
  return readPlaylist(dvrPlaylist(numbered, { token: null, skipped: 0 }));
}

const faultsOver = (lists: readonly ReturnType<typeof readPlaylist>[]) =>
  lists.flatMap((list, i) => (i === 0 ? [] : faultsBetween(lists[i - 1]!, list)));

describe('numbers of what can be rewound', () => {
  it('go on with the next one when a recording begins and when it ends', async () => {
    const numbers = await (await data()).process();

    const lists = [
      await notify(numbers, ring(RING_N, 13)),
      await notify(numbers, ring(RING_N + 1, 13)),
      await notify(numbers, recording(1)),
      await notify(numbers, recording(3)),
    ];
    // The ring has forgotten, and has nothing yet.
    numbers.number(SENSOR, ring(0, 0));
    lists.push(await notify(numbers, ring(RING_N + 53, 2)), await notify(numbers, ring(RING_N + 53, 3)));

    expect(lists.map(({ firstN }) => firstN - RING_N)).toEqual([0, 1, 14, 14, 17, 17]);
    expect(faultsOver(lists)).toEqual([]);
  });

  it('are the same after a restart of the process, in a recording and in the ring after it', async () => {
    const { process } = await data();
    const first = await process();
    const lists = [await notify(first, ring(RING_N, 300)), await notify(first, recording(100))];

    const second = await process();
    lists.push(await notify(second, recording(101)), await notify(second, ring(RING_N + 400, 2, RING_BREAKS + 1)));
    const third = await process(60);
    lists.push(await notify(third, ring(RING_N + 400, 32, RING_BREAKS + 1)));

    expect(lists.map(({ firstN }) => firstN - RING_N)).toEqual([0, 300, 300, 401, 401]);
    expect(faultsOver(lists)).toEqual([]);
  });

  it('only grow where a recording ended or another began while no process was there', async () => {
    const { process, pass } = await data();
    const first = await process();
    const lists = [await notify(first, recording(150))];
    // More was listed than was stored.
    pass(600);
    lists.push(await notify(first, recording(450)));

    lists.push(await notify(await process(), ring(RING_N, 1)));
    lists.push(await notify(await process(10), recording(2, 'another mission')));

    expect(faultsOver(lists)).toEqual([]);
    expect(lists.at(-1)!.firstN).toBeGreaterThan(lists.at(-2)!.firstN);
  });
});
