import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ActivityRow } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { recordingServer } from '../../../test/recordings.ts';

const START_US = Date.UTC(2026, 5, 1) * 1000;
const SHIFT_US = 3600 * 1e6;

const server = await recordingServer({ jobs: ['ingest'] });
const folder = await mkdtemp(join(tmpdir(), 'osprey-viewing-'));
atEnd(() => rm(folder, { recursive: true, force: true }));

type Listed = { seconds: number; sizeBytes: number; offset: number };

/** Segments of a playlist of byte ranges, and the time of its beginning in UTC milliseconds. */
function readList(text: string): { startMs: number; segments: Listed[] } {
  const segments = [...text.matchAll(/#EXTINF:([\d.]+),\n#EXT-X-BYTERANGE:(\d+)@(\d+)/g)].map(
    ([, seconds, sizeBytes, offset]) => ({
      ...{ seconds: Number(seconds), sizeBytes: Number(sizeBytes), offset: Number(offset) },
    }),
  );
  return { startMs: Date.parse(/PROGRAM-DATE-TIME:(.+)/.exec(text)?.[1] ?? ''), segments };
}

it('T-103 ends with a row of the audit of who saw which time of what, and how many bytes', async () => {
  const path = join(folder, 'a.ts');
  await simulateToFile({ seconds: 8, width: 320, height: 180, startUs: START_US, gop: 25 }, path);
  const { mission } = await server.record({ name: 'Night-ferry', securityClassification: 'RESTRICTED' }, [{ path }]);
  const [sensor] = mission.sensors;
  await server.db.updateTable('sensors').set({ time_shift: SHIFT_US }).execute();
  const media = `/api/media/${sensor!._id}`;
  const file = `${media}/${sensor!.assets[0]!._id}`;
  const { get } = server.ask('U1');
  const { startMs, segments } = readList((await get<string>(`${media}/index.m3u8`)).body);
  expect([startMs, segments.length > 3]).toEqual([(START_US + SHIFT_US) / 1000, true]);

  const [first, second, third] = segments as [Listed, Listed, Listed];
  // A request for its length alone shows nothing of it.
  await server.asUser('U1').inject({ method: 'HEAD', url: `${file}.ts` });
  expect((await get(`${file}/2.ts`)).status).toBe(200);
  const range = `bytes=${second.offset}-${second.offset + second.sizeBytes - 1}`;
  expect((await get(`${file}.ts`, { range })).status).toBe(206);
  const watched = await server.ask('SA').get<ActivityRow[]>(`/api/activity?kinds=watched&users=${server.userId('U1')}`);
  await server.close();

  const item = { _id: mission._id, name: 'Night-ferry' };
  const origin = { user: { username: 'U1' }, itemLabel: 'RESTRICTED', address: '127.0.0.1', client: 'test' };
  expect(watched.body).toMatchObject([{ ...origin, action: 'media.begin', kind: 'watched', item }]);
  const rows = server.db.selectFrom('audit').selectAll().where('action', '=', 'media.end').execute();
  const fromMs = startMs + first.seconds * 1000;
  const toMs = fromMs + (second.seconds + third.seconds) * 1000;
  const times = [fromMs, toMs].map((ms) => new Date(ms).toISOString()).join('/');
  expect(await rows).toMatchObject([
    {
      ...{ actor_id: server.userId('U1'), item_id: mission._id, item_label: 2 },
      result: `sensor ${sensor!._id}; ${second.sizeBytes + third.sizeBytes} bytes; ${times}`,
    },
  ]);
}, 60_000);
