import { readFileSync } from 'node:fs';
import { constants, deflateRawSync } from 'node:zlib';
import type { MissionUpdate } from '@osprey/contract';
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { itWithData, testData } from '../../../../tools/test-support/test-data.ts';
import { sendForm } from '../../test/upload-client.ts';
import { startUploadServer, type UploadServer } from '../../test/upload-server.ts';
import { zipOf } from '../../test/zip-writer.ts';
import type { JobContext } from '../base/jobs/definition.ts';
import { archiveJob } from './archive-job.ts';

let server: UploadServer;
let sensor: { missionId: string; sensorId: string };
const updates: MissionUpdate[] = [];
const failed: { user: string; mission: string; text: string }[] = [];
const changed = vi.fn();

beforeAll(async () => {
  server = await startUploadServer();
  await server.user('admin');
});
beforeEach(async () => {
  sensor = await server.target();
  updates.length = 0;
  failed.length = 0;
});

const job = () =>
  archiveJob({
    db: server.db,
    storage: server.storage,
    queue: server.queue,
    changed,
    flow: (update) => void updates.push(update),
    fileFailed: (failure) => void failed.push(failure),
    nowUs: () => 5,
    reserveBytes: 0,
  });

const rows = () =>
  server.db.selectFrom('files').selectAll().where('sensor_id', '=', sensor.sensorId).orderBy('position').execute();
const missionOf = () =>
  server.db.selectFrom('missions').select('name').where('id', '=', sensor.missionId).executeTakeFirstOrThrow();
const ownFiles = async () => (await server.files()).filter((path) => path.includes(sensor.sensorId));
const jobKinds = async () => {
  const jobs = await server.db.selectFrom('jobs').select('kind').where('sensor_id', '=', sensor.sensorId).execute();
  return jobs.map(({ kind }) => kind);
};

async function upload(bytes: Uint8Array): Promise<JobContext> {
  const sent = await sendForm(server, { user: 'admin', sensor, files: [{ name: 'flight.zip', bytes }] });
  expect(sent.status, sent.text).toBe(200);
  const [archive] = await rows();
  const none = { attempt: 1, signal: new AbortController().signal, progress: () => {} };
  return { jobId: crypto.randomUUID(), ...sensor, fileId: archive!.id, ...none };
}

const stream = () => readFileSync(testData('ts/kwiver/h264_klv.ts'));
const playlist = (...lines: string[]) => Buffer.from(['#EXTM3U', '#EXT-X-TARGETDURATION:1', ...lines].join('\n'));

itWithData('turns an archive into the streams of its playlist, with their times, and orders ingest', async () => {
  const list = [
    '#EXT-X-PROGRAM-DATE-TIME:2020-01-01T00:00:00Z',
    '#EXTINF:1,',
    'a.ts',
    '#EXT-X-DISCONTINUITY',
    '#EXTINF:2,',
    'b.ts',
  ];
  const zip = zipOf([
    { name: 'index.m3u8', data: playlist(...list) },
    { name: 'a.ts', data: stream() },
    { name: 'b.ts', data: stream() },
    { name: 'c.ts', data: stream() },
  ]);
  const context = await upload(zip);

  await job().run(context);

  const found = await rows();
  expect(found.map(({ kind, name, state }) => [kind, name, state])).toEqual([
    ['ts', 'flight (1).ts', 'waiting'],
    ['ts', 'flight (2).ts', 'waiting'],
  ]);
  expect(found.map(({ remark }) => remark)).toEqual([
    'The archive holds "c.ts", which its playlist does not name: it was left out.',
    null,
  ]);
  expect(found[0]!.last_modified).toBe(1_577_836_801_000_000);
  for (const row of found) expect(readFileSync(server.storage.path(row.storage_key))).toEqual(stream());
  // The two streams, and the times of the first.
  expect(await ownFiles()).toHaveLength(3);
  expect(await jobKinds()).toEqual(['ingest']);
  expect(updates.map(({ type }) => type)).toEqual(expect.arrayContaining(['hlsDetection', 'extractingArchive']));
});

itWithData('comes to the same end when it is tried again after half of it was done', async () => {
  const context = await upload(readFileSync(testData('bad/zip/good_hls.zip')));
  const stop = new AbortController();
  stop.abort(new Error('the server stops'));
  await expect(job().run({ ...context, signal: stop.signal })).rejects.toThrow('the server stops');
  expect(await ownFiles()).toHaveLength(1);

  await job().run(context);
  await job().run(context);

  expect((await rows()).map(({ name }) => name)).toEqual(['flight.ts']);
  expect(await ownFiles()).toHaveLength(1);
});

itWithData('unpacks nothing of an archive that is removed meanwhile', async () => {
  const context = await upload(readFileSync(testData('bad/zip/good_hls.zip')));
  const { put } = server.storage;
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(server.storage, 'put').mockImplementation(async (key, source) => {
    await server.db.deleteFrom('files').where('id', '=', context.fileId).execute();
    return put(key, source);
  });

  await job().run(context);

  expect(await rows()).toEqual([]);
  expect((await ownFiles()).filter((path) => path.endsWith('.ts'))).toEqual([]);
});

itWithData('leaves nothing of an archive that is given up because the worker died at each try', async () => {
  const context = await upload(readFileSync(testData('bad/zip/good_hls.zip')));
  const { open } = server.storage;
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(server.storage, 'open').mockImplementation(async (key) => {
    if (key.endsWith('.ts')) throw new Error('killed');
    return open(key);
  });
  // A dead process tidies nothing.
  const remove = vi.spyOn(server.storage, 'remove').mockResolvedValue();
  await expect(job().run(context)).rejects.toThrow('killed');
  remove.mockRestore();

  await job().ended({ ...context, outcome: 'failed', sentence: 'The server stopped during each try.' });

  expect(await ownFiles()).toEqual([]);
});

itWithData('T-055 leaves nothing of an archive whose data turns out damaged, and says why', async () => {
  const context = await upload(readFileSync(testData('bad/zip/data_damaged.zip')));
  const failure = await job()
    .run(context)
    .catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: 'badArchive' });

  await job().ended({ ...context, outcome: 'failed', sentence: (failure as Error).message });

  expect(await rows()).toEqual([]);
  expect(await ownFiles()).toEqual([]);
  const state = await server.db
    .selectFrom('sensors')
    .select(['state', 'message'])
    .where('id', '=', sensor.sensorId)
    .executeTakeFirst();
  expect(state).toEqual({ state: 'Stopped', message: 'The archive was refused: the data of an entry is damaged.' });
  expect(updates.at(-1)).toMatchObject({
    type: 'error',
    text: 'The archive was refused: the data of an entry is damaged.',
  });
  const { name } = await missionOf();
  expect(failed).toEqual([
    {
      user: server.actors.get('admin')!.id,
      mission: sensor.missionId,
      text: `flight.zip of mission ${name}: The archive was refused: the data of an entry is damaged. Check the file and upload it again.`,
    },
  ]);
});

it('T-055 refuses an archive whose segments are something else', async () => {
  const context = await upload(
    zipOf([
      { name: 'i.m3u8', data: playlist('#EXTINF:1,', 's.ts') },
      { name: 's.ts', data: Buffer.from('#!/bin/sh') },
    ]),
  );

  await expect(job().run(context)).rejects.toMatchObject({ code: 'badArchive' });
  expect(await ownFiles()).toHaveLength(1);
});

it('T-056 stops unpacking where an archive grows out of all proportion, and its disk use is as before', async () => {
  // The same 600 kB entry forty times over: each range is honest, their sum is not.
  const ranges = Array.from({ length: 40 }, (_, i) => [
    '#EXTINF:1,',
    `#EXT-X-BYTERANGE:500000@${i % 2}`,
    's.ts',
  ]).flat();
  const data = Buffer.alloc(600_000, 7);
  const context = await upload(
    zipOf([
      { name: 'i.m3u8', data: playlist(...ranges) },
      { name: 's.ts', data },
    ]),
  );
  const before = await ownFiles();

  await expect(job().run(context)).rejects.toThrow('unpacks to far more than it is');

  expect(await ownFiles()).toEqual(before);
});

const MIB = 1024 * 1024;
/** 10 GiB of zeros in 10 MB: each piece restarts the coder, so that one is packed and then repeated. */
function bomb(): Buffer {
  const piece = deflateRawSync(Buffer.alloc(8 * MIB), { level: 9, finishFlush: constants.Z_FULL_FLUSH });
  return Buffer.concat([...Array.from({ length: 1280 }, () => piece), deflateRawSync(Buffer.alloc(0))]);
}

/** Bytes that this process has written to files and sockets so far. */
const writtenBytes = (): number => Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))![1]);

/** Limits until an archive is refused: 200 MiB written, and 2 s of a core. */
async function refusedInTime(work: () => Promise<unknown>): Promise<unknown> {
  const [cpu, written] = [process.cpuUsage(), writtenBytes()];
  const outcome = await work();
  const { user, system } = process.cpuUsage(cpu);
  const writtenMib = (writtenBytes() - written) / MIB;
  const seconds = (user + system) / 1e6;
  // With other tests in parallel the processor's bound is three times the figure.
  expect(writtenMib < 200 && seconds < 6, `${writtenMib} MiB, ${seconds} s`).toBe(true);
  return outcome;
}

it('T-056 10 MB that say they open to 10 GB are refused at the door, and nested five deep', async () => {
  const data = bomb();
  const part = { data: data.subarray(0, 3_500_000), method: 8, unpackedBytes: 3_579_139_413 };
  const list = { name: 'i.m3u8', data: playlist('#EXTINF:1,', '1.ts', '#EXTINF:1,', '2.ts', '#EXTINF:1,', '3.ts') };
  const reported = zipOf([list, ...['1.ts', '2.ts', '3.ts'].map((name) => ({ ...part, name }))]);
  let nested = zipOf([{ name: 's.ts', data, method: 8, unpackedBytes: 2 ** 32 - 1 }]);
  for (let depth = 0; depth < 5; depth++) nested = zipOf([{ name: 'inner.zip', data: nested }]);
  const before = await server.files();

  for (const [bytes, reason] of [
    [reported, 'an entry would unpack to far more than its size'],
    [nested, 'it holds no HLS playlist and no recording'],
  ] as const) {
    const files = [{ name: 'flight.zip', bytes }];
    const sent = await refusedInTime(() => sendForm(server, { user: 'admin', sensor, files }));
    expect(sent).toMatchObject({ status: 422, code: 'badArchive', text: expect.stringContaining(reason) });
  }

  expect(await server.files()).toEqual(before);
});

it('T-056 10 MB that open to 10 GB and say less are unpacked as far as they say, and nothing stays', async () => {
  const data = bomb();
  const list = { name: 'i.m3u8', data: playlist('#EXTINF:1,', 's.ts') };
  // As much as an archive of this size may unpack to.
  const unpackedBytes = 19 * data.byteLength;
  const context = await upload(zipOf([list, { name: 's.ts', data, method: 8, crc: 1, unpackedBytes }]));
  const before = await ownFiles();

  const failure = await refusedInTime(() =>
    job()
      .run(context)
      .catch((error: unknown) => error),
  );

  expect(failure).toMatchObject({ code: 'badArchive' });
  expect(await ownFiles()).toEqual(before);
});
