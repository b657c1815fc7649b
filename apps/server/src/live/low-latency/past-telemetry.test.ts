import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAST_TELEMETRY_MAX_US } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import type { MuxerUnit } from '@osprey/mpegts';
import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { mux, picture } from '../../../../../packages/mpegts/test/streams.ts';
import { type LiveViewer, livePlatform, liveViewer, ticketOf } from '../../../test/live-viewers.ts';
import { type TestRecorder, testRecorder } from '../../../test/recorder.ts';
import { type TestServer, testServer } from '../../../test/server.ts';

const soon = <T>(read: () => T | Promise<T>) => expect.poll(read, { interval: 5 });
const START_US = Date.parse('2026-06-01T09:00:00Z') * 1000;
const SEGMENT_US = 2e6;
const TICKS = 90_000;
const FIRST_N = 100;

let server: TestServer;
let recorder: TestRecorder;
let address: string;
const open: LiveViewer[] = [];

beforeAll(async () => {
  server = await testServer();
  recorder = await testRecorder(server.dataDir);
  address = await server.listen();
  await vi.waitUntil(() => server.coordination.mirror.connected());
});
afterEach(() => {
  for (const { socket } of open.splice(0)) socket.terminate();
});

/** Two seconds of a flight: pictures and five sets a second, whose heading counts the sets. */
function filmed(index: number): Uint8Array {
  const units: MuxerUnit[] = [];
  for (let i = 0; i < 10; i += 1) {
    const ptsTicks = (index + 1) * 2 * TICKS + (i * TICKS) / 5;
    const klv = encodeSt0601({ '2': START_US + index * SEGMENT_US + i * 200_000, '5': index * 10 + i });
    units.push({ pid: 256, ptsTicks, keyframe: i === 0, bytes: picture(i === 0 ? 'idr' : 'other') });
    units.push({ pid: 257, ptsTicks, bytes: klv });
  }
  return mux(
    {
      streams: [
        { pid: 256, kind: 'h264' },
        { pid: 257, kind: 'klvSync' },
      ],
    },
    units,
  );
}

/** A ring with this number of segments, as the recorder writes and announces it. */
async function ringOf(sensorId: string, segments: number): Promise<void> {
  const place = join(server.dataDir, 'live', 'ring', sensorId);
  await mkdir(place, { recursive: true });
  for (let index = 0; index < segments; index += 1) {
    const bytes = filmed(index);
    const n = FIRST_N + index;
    await writeFile(join(place, `${n}.ts`), bytes);
    const part = { offset: 0, sizeBytes: bytes.length, durationSeconds: 2, independent: true };
    recorder.say({
      kind: 'ring',
      segment: {
        ...{ sensorId, n, startUs: START_US + index * SEGMENT_US, firstPtsTicks: (index + 1) * 2 * TICKS },
        ...{ durationSeconds: 2, sizeBytes: bytes.length, discontinuity: index === 0, breaks: 1, done: true },
        parts: [part],
      },
    });
  }
  await soon(() => server.coordination.mirror.ring(sensorId).length).toBe(segments);
}

async function viewed(segments: number) {
  const { sensorId, platformId } = await livePlatform(server);
  await ringOf(sensorId, segments);
  const viewer = await liveViewer(address, { ticket: await ticketOf(server, 'U1'), sensor: sensorId, video: false });
  open.push(viewer);
  const ask = (fromS: number, toS: number) =>
    viewer.socket.send(JSON.stringify({ kind: 'past', from: START_US + fromS * 1e6, to: START_US + toS * 1e6 }));
  const answered = async (fromS: number, toS: number) => {
    ask(fromS, toS);
    await soon(() => viewer.of('past').some(({ last }) => last)).toBe(true);
  };
  const headings = () => viewer.of('past').flatMap(({ rows }) => rows.map(({ tags }) => Math.round(Number(tags['5']))));
  return { platformId, viewer, ask, answered, headings };
}

it('answers with the sets of the pictures that are wound back over, by their PTS, and how far it came', async () => {
  const { viewer, answered, headings } = await viewed(8);

  await answered(6, 10);

  const [first] = viewer.of('past').flatMap(({ rows }) => rows);
  expect(first).toMatchObject({ pts: 4 * 2 * TICKS, time: START_US + 3 * SEGMENT_US });
  expect(headings()).toEqual(Array.from({ length: 20 }, (_, i) => 30 + i));
  expect(viewer.of('past').find(({ last }) => last)).toMatchObject({ from: START_US + 6e6, to: START_US + 10e6 });
  expect(viewer.of('telemetry')).toEqual([]);
});

it('has nothing where there are no pictures, and does not hear what asks for too much', async () => {
  const { viewer, ask, answered, headings } = await viewed(2);
  await answered(600, 610);

  ask(0, PAST_TELEMETRY_MAX_US / 1e6 + 1);
  ask(600, 611);
  await soon(() => viewer.of('past').length).toBe(2);

  expect(headings()).toEqual([]);
  expect(viewer.of('past')[0]).toMatchObject({ from: START_US + 600e6, to: START_US + 600e6, last: true });
});

it('answers no viewer who may not see the platform any more', async () => {
  const { viewer, platformId, ask, answered } = await viewed(2);
  await answered(600, 610);

  await server.db.deleteFrom('platform_usergroups').where('platform_id', '=', platformId).execute();
  await viewer.closed;
  ask(0, 4);

  expect(viewer.of('past').flatMap(({ rows }) => rows)).toEqual([]);
});
