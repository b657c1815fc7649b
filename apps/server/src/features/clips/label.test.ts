import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itWithData, testData } from '../../../../../tools/test-support/test-data.ts';
import { klvFlight } from '../../../test/klv-flight.ts';
import { numbers } from '../../../test/numbers.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { readMarkSpans } from '../../media/index/mark-spans.ts';
import { markKeeping } from '../../media/ingest/mark-keeping.ts';
import { sensorIndexes } from '../../media/play/sensor-index-cache.ts';
import { labelSet, readsLabel, saysLabel } from './label.ts';
import { type Piece, planCuts } from './plan.ts';

const SECRET = 4;
const RESTRICTED = 2;
const SECONDS = 30;

const server = await recordingServer({ jobs: ['ingest'] });
const { db } = server;
const { storage } = server.dependencies;
const folder = await mkdtemp(join(tmpdir(), 'osprey-label-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

type Sets = { everySeconds: number; lateSeconds?: number; pid?: number; is?: (second: number) => boolean };

/** Security sets at equal distances, where `is` says so. */
const sets = ({ everySeconds, lateSeconds = 0, pid = 257, is = () => true }: Sets, rank = SECRET) =>
  Array.from({ length: Math.floor(SECONDS / everySeconds) }, (_, n) => n * everySeconds)
    .filter(is)
    .map((atSeconds) => ({ atSeconds, lateSeconds, pid, bytes: labelSet(1.7e15 + atSeconds * 1e6, rank) }));

const inOrder = <T extends { atSeconds: number }>(all: T[]): T[] => all.sort((a, b) => a.atSeconds - b.atSeconds);

/** Recordings by the way in which they state their label. `known`: the index knows it of most cuts. */
const recordings: Record<string, { sets: Parameters<typeof klvFlight>[0]['sets']; known: boolean }> = {
  'with each picture': { sets: sets({ everySeconds: 0.1 }), known: true },
  'once a second': { sets: sets({ everySeconds: 1 }), known: true },
  'once in 1.8 s': { sets: sets({ everySeconds: 1.8 }), known: false },
  'once in 3 s': { sets: sets({ everySeconds: 3 }), known: false },
  '0.6 s late': { sets: sets({ everySeconds: 0.2, lateSeconds: 0.6 }), known: true },
  '3 s late': { sets: sets({ everySeconds: 0.2, lateSeconds: 3 }), known: false },
  'with a gap': { sets: sets({ everySeconds: 0.5, is: (s) => s < 12 || s > 16 }), known: false },
  'only later': { sets: sets({ everySeconds: 0.5, is: (s) => s > 8 }), known: false },
  'only at first': { sets: sets({ everySeconds: 0.5, is: (s) => s < 20 }), known: false },
  'and another one once': {
    sets: inOrder([
      ...sets({ everySeconds: 0.5 }),
      ...sets({ everySeconds: 0.7, is: (s) => s > 14 && s < 14.7 }, RESTRICTED),
    ]),
    known: false,
  },
  'in two streams': {
    sets: inOrder([...sets({ everySeconds: 0.5 }), ...sets({ everySeconds: 0.7, pid: 258 })]),
    known: true,
  },
};

const missions = new Map<string, Mission>();

beforeAll(async () => {
  for (const [name, { sets }] of Object.entries(recordings)) {
    const path = join(folder, 'flight.ts');
    await writeFile(path, klvFlight({ seconds: SECONDS, sets }));
    missions.set(name, (await server.record({ name: name.replaceAll(' ', '-') }, [{ path }])).mission);
  }
  const path = join(folder, 'simulated.ts');
  await simulateToFile({ seconds: SECONDS, width: 320, height: 180, seed: 5, classification: 'SECRET' }, path);
  missions.set('simulated', (await server.record({ name: 'simulated' }, [{ path }])).mission);
}, 240_000);

const sensorOf = (name: string) => missions.get(name)!.sensors[0]!;
const piecesOf = (name: string, fromSeconds: number, toSeconds: number) =>
  piecesOfMission(missions.get(name)!, fromSeconds, toSeconds);

async function piecesOfMission(mission: Mission, fromSeconds: number, toSeconds: number): Promise<Piece[]> {
  const { _id: id } = mission.sensors[0]!;
  const sensor = await db.selectFrom('sensors').select('index_key').where('id', '=', id).executeTakeFirstOrThrow();
  const indexes = sensorIndexes({ storage, damaged: () => undefined });
  const startUs = mission.startTime!;
  return planCuts(
    { db, storage, indexes, recording: () => null, segments: () => [] },
    { id, indexKey: sensor.index_key, shiftUs: 0 },
    [startUs + Math.round(fromSeconds * 1e6), startUs + Math.round(toSeconds * 1e6)],
  );
}

describe('the label that a recording states itself', { timeout: 120_000 }, () => {
  it.each([...Object.keys(recordings), 'simulated'])('%s: the index never says what the cut does not', async (name) => {
    const draw = numbers(7);
    const spans = Array.from({ length: 40 }, () => {
      const length = 1 + draw() ** 2 * (SECONDS - 1);
      const from = draw() * (SECONDS - length);
      return [from, from + length] as const;
    });
    spans.push([0, SECONDS + 1], [0, 5], [SECONDS - 6, SECONDS + 1]);

    const found: { isMarked: boolean; isRead: boolean; isLong: boolean }[] = [];
    for (const [from, to] of spans) {
      for (const piece of await piecesOf(name, from, to)) {
        const { isMarked, mark, lengthTicks } = piece;
        expect(mark).toBe(SECRET);
        const isRead = await readsLabel(storage, piece, SECRET);
        expect(await saysLabel(storage, piece, SECRET)).toBe(isRead);
        expect(await saysLabel(storage, piece, RESTRICTED)).toBe(false);
        found.push({ isMarked, isRead, isLong: lengthTicks > 4 * 90_000 });
      }
    }

    expect(found.filter(({ isMarked, isRead }) => isMarked && !isRead)).toEqual([]);
    const isKnown = recordings[name]?.known ?? true;
    const long = found.filter(({ isLong, isRead }) => isLong && isRead);
    if (isKnown) expect(long.length).toBeGreaterThan(10);
    if (isKnown) expect(long.filter(({ isMarked }) => !isMarked)).toEqual([]);
  });

  itWithData(
    'is the same by the index and by the whole cut in all recordings of the test data',
    {
      tags: 'long',
      timeout: 300_000,
    },
    async () => {
      const folders = ['ts/kwiver', 'ts/osh', 'ts/tsduck', 'field', 'field3', 'bad/ts'];
      const names = await Promise.all(
        folders.map(async (one) => (await readdir(testData(one))).map((name) => `${one}/${name}`)),
      );
      const found = { files: 0, marked: 0, pieces: 0, differing: [] as string[] };
      for (const name of names.flat().filter((one) => one.endsWith('.ts'))) {
        const { mission, failures } = await server.record({ name: crypto.randomUUID() }, [{ path: testData(name) }]);
        if (failures.length > 0 || mission.startTime === null) continue;
        found.files += 1;
        const seconds = (mission.endTime! - mission.startTime) / 1e6;
        for (const [from, to] of [
          ...[
            [0, 1],
            [0.2, 0.9],
            [0, 0.5],
            [0.4, 1],
          ].map(([a, b]) => [a! * seconds, b! * seconds + 1] as const),
          ...[0, 1, 2, 4].map((at) => [at, at + 4] as const),
        ]) {
          for (const piece of await piecesOfMission(mission, from, to)) {
            found.pieces += 1;
            if (piece.mark === null) continue;
            found.marked += 1;
            const isRead = await readsLabel(storage, piece, piece.mark);
            if ((await saysLabel(storage, piece, piece.mark)) !== isRead)
              found.differing.push(`${name} ${from} to ${to}`);
          }
        }
      }
      expect(found.differing).toEqual([]);
      expect(Math.min(found.files - 30, found.pieces - 100, found.marked)).toBeGreaterThan(0);
    },
  );

  it('is found in the background for recordings of before, which are read until then', async () => {
    const { _id: id, missionId, assets } = sensorOf('once a second');
    const fileId = assets[0]!._id;
    const made = await readMarkSpans(storage, id, fileId);
    expect(made?.found).toMatchObject({ mark: SECRET, spans: [expect.any(Array)] });
    const clip = async () =>
      (await server.ask('SA').get(`/api/sensors/exportVideo/${missionId}/${id}?markIn=2&markOut=20`)).raw;
    const before = await clip();
    await storage.remove(`indexes/${id}/${fileId}.marks.json`);

    expect((await piecesOf('once a second', 2, 20)).map(({ isMarked }) => isMarked)).toEqual([false]);
    expect((await clip()).equals(before)).toBe(true);
    const failures: object[] = [];
    const log = { info: () => undefined, warn: (fields: object) => failures.push(fields) };
    await markKeeping({ db, storage, nowUs: () => Date.now() * 1000, nowMs: () => 0, log }).look();

    expect(failures).toEqual([]);
    expect(await readMarkSpans(storage, id, fileId)).toEqual(made);
    expect((await piecesOf('once a second', 2, 20)).map(({ isMarked }) => isMarked)).toEqual([true]);
    expect((await clip()).equals(before)).toBe(true);
  });
});
