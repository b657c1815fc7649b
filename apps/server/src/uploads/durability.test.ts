import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import { job, mission, sensor } from '@osprey/contract';
import { describe, expect, it, vi } from 'vitest';
import { itWithData, testData, testDataFolder } from '../../../../tools/test-support/test-data.ts';
import { killNow } from '../../test/processes.ts';
import { dataFolder, type RunningServer, startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';

const MIB = 1024 * 1024;
const PASSWORD = 'correct horse battery';
const authorization = basicOf('admin', PASSWORD);
const base64 = (text: string) => Buffer.from(text).toString('base64');
const tus = { authorization, 'tus-resumable': '1.0.0' };

const start = (dataDir: string) => startServer(dataDir, { OSPREY_ADMIN_PASSWORD: PASSWORD });

/** The server's processes by their role. */
function pidsOf({ process: main }: RunningServer): { api: number; worker: number; all: number[] } {
  const children = readFileSync(`/proc/${main.pid}/task/${main.pid}/children`, 'utf8').trim().split(' ').map(Number);
  const roles = children.map((pid) => {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
    return { pid, role: /OSPREY_ROLES=(\w+)/.exec(environment)?.[1] };
  });
  const pidOf = (wanted: string) => roles.find(({ role }) => role === wanted)?.pid ?? 0;
  const [api, worker] = [pidOf('api'), pidOf('worker')];
  if (main.pid === undefined || !api || !worker) throw new Error('The processes were not found');
  return { api, worker, all: [main.pid, api, worker] };
}

/** Kilobytes as /proc tells them. */
const memoryKb = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

async function makeTarget(server: RunningServer): Promise<{ missionId: string; sensorId: string }> {
  const answer = await fetch(`${server.address}/api/missions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify({ name: `m-${crypto.randomUUID()}`, audience: 'everyone', securityClassification: 1 }),
  });
  const made = mission.parse(await answer.json());
  return { missionId: made._id, sensorId: made.sensors[0]!._id };
}

async function assetsOf(server: RunningServer, missionId: string) {
  const answer = await fetch(`${server.address}/api/sensors?missionIdOrName=${missionId}`, {
    headers: { authorization },
  });
  return sensor.array().parse(await answer.json())[0]!.assets;
}

async function stateOf(server: RunningServer, missionId: string): Promise<string> {
  const answer = await fetch(`${server.address}/api/missions/${missionId}`, { headers: { authorization } });
  return mission.parse(await answer.json()).state;
}

async function create(server: RunningServer, sensorId: string, size: number): Promise<string> {
  const metadata = `sensorId ${base64(sensorId)},filename ${base64('flight.ts')}`;
  const headers = { ...tus, 'upload-length': String(size), 'upload-metadata': metadata };
  const answer = await fetch(`${server.address}/api/uploads`, { method: 'POST', headers });
  expect(answer.status).toBe(201);
  return answer.headers.get('location')!;
}

const patch = (server: RunningServer, location: string, offset: number, body: RequestInit['body']) =>
  fetch(`${server.address}${location}`, {
    method: 'PATCH',
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit);

const head = async (server: RunningServer, location: string) => {
  const answer = await fetch(`${server.address}${location}`, { method: 'HEAD', headers: tus });
  return { status: answer.status, offset: Number(answer.headers.get('upload-offset')) };
};

const recording = () => readFileSync(testData('ts/osh/sample-stream.ts'));

/** A recording after itself until it has so many bytes, with its hash. */
function longStream(bytes: number) {
  const one = recording();
  const count = Math.ceil(bytes / one.byteLength);
  const hash = createHash('sha256');
  for (let i = 0; i < count; i++) hash.update(one);
  const pieces = () =>
    (async function* () {
      for (let i = 0; i < count; i++) yield new Uint8Array(one);
    })();
  return { size: count * one.byteLength, sha256: hash.digest('hex'), pieces };
}

const webStream = (pieces: AsyncIterable<Uint8Array>) => Readable.toWeb(Readable.from(pieces)) as ReadableStream;

/** So much more may be resident at the end; what is sent is several times that. */
const GROWTH_MAX_MIB = 64;
const SIZE = Number(process.env.OSPREY_UPLOAD_TEST_BYTES ?? 3 * GROWTH_MAX_MIB * MIB);

describe('a long upload', () => {
  itWithData(
    'T-050 through tus and through the form leaves the memory alone and arrives as it was sent',
    { timeout: 300_000 },
    async () => {
      const server = await start(await dataFolder());
      const { size, sha256, pieces } = longStream(SIZE);
      const { api } = pidsOf(server);
      const small = await makeTarget(server);
      await patch(server, await create(server, small.sensorId, recording().byteLength), 0, new Uint8Array(recording()));
      const before = memoryKb(api, 'VmRSS');

      const first = await makeTarget(server);
      const location = await create(server, first.sensorId, size);
      const sent = await patch(server, location, 0, webStream(pieces()));
      expect(sent.status).toBe(204);

      const second = await makeTarget(server);
      const boundary = 'a-boundary';
      const form = (async function* () {
        const opening = `--${boundary}\r\nContent-Disposition: form-data; name="f"; filename="a.ts"\r\n\r\n`;
        yield new TextEncoder().encode(opening);
        yield* pieces();
        yield new TextEncoder().encode(`\r\n--${boundary}--\r\n`);
      })();
      const answer = await fetch(`${server.address}/api/missions/upload/${second.missionId}/${second.sensorId}`, {
        method: 'POST',
        headers: { authorization, 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: webStream(form),
        duplex: 'half',
      } as RequestInit);
      expect(answer.status).toBe(200);

      const growthMib = (memoryKb(api, 'VmHWM') - before) / 1024;
      for (const { missionId } of [first, second]) {
        expect(await assetsOf(server, missionId)).toMatchObject([{ sizeBytes: size, sha256 }]);
      }
      expect(growthMib).toBeLessThan(GROWTH_MAX_MIB);
      await server.stop();
    },
  );
});

describe('kill -9', () => {
  itWithData(
    'T-098 takes no byte that was ever answered, and leaves no mission Ready without its file',
    { timeout: 300_000 },
    async () => {
      const dataDir = await dataFolder();
      const { size, sha256 } = longStream(12 * MIB);
      const whole = Buffer.concat(Array.from({ length: Math.ceil(size / recording().byteLength) }, recording));
      const part = 300_001;
      let server = await start(dataDir);
      const uploads = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const target = await makeTarget(server);
          return { ...target, location: await create(server, target.sensorId, size), answered: 0 };
        }),
      );

      for (const killAfterMs of [60, 250]) {
        const sending = uploads.map(async (upload) => {
          for (;;) {
            const until = Math.min(size, upload.answered + part);
            const answer = await patch(
              server,
              upload.location,
              upload.answered,
              whole.subarray(upload.answered, until),
            );
            if (answer.status !== 204) return;
            upload.answered = Number(answer.headers.get('upload-offset'));
            if (upload.answered === size) return;
          }
        });
        setTimeout(() => {
          for (const pid of pidsOf(server).all) killNow(pid);
        }, killAfterMs);
        await Promise.allSettled(sending);
        await vi.waitFor(() => expect(server.process.signalCode).toBe('SIGKILL'));

        server = await start(dataDir);

        for (const upload of uploads) {
          const { status, offset } = await head(server, upload.location);
          expect(status).toBe(200);
          expect(offset).toBeGreaterThanOrEqual(upload.answered);
          upload.answered = offset;
          const assets = await assetsOf(server, upload.missionId);
          if (offset < size) expect(assets).toEqual([]);
        }
      }

      for (const upload of uploads) {
        if (upload.answered < size) {
          const sent = await patch(server, upload.location, upload.answered, whole.subarray(upload.answered));
          expect(sent.status).toBe(204);
        }
        expect(await assetsOf(server, upload.missionId)).toMatchObject([{ sizeBytes: size, sha256 }]);
      }
      const files = readdirSync(dataDir, { recursive: true }).map(String);
      expect(files.filter((path) => path.endsWith('.part'))).toEqual([]);
      await server.stop();
    },
  );
});

describe('kill -9 of the worker', () => {
  itWithData(
    'T-100 finishes every job once, taken up again within 30 s, with no picture twice',
    { timeout: 180_000 },
    async () => {
      const dataDir = await dataFolder();
      const server = await start(dataDir);
      const bytes = new Uint8Array(recording());
      const targets = await Promise.all(Array.from({ length: 20 }, () => makeTarget(server)));
      const { worker } = pidsOf(server);
      // It waits until all are there: else it could be through with the first before the last has come.
      process.kill(worker, 'SIGSTOP');
      for (const { sensorId } of targets) {
        await patch(server, await create(server, sensorId, bytes.byteLength), 0, bytes);
      }
      process.kill(worker, 'SIGCONT');
      const statesNow = () => Promise.all(targets.map(({ missionId }) => stateOf(server, missionId)));
      await vi.waitFor(async () => expect(await statesNow()).toContain('Ready'), { timeout: 60_000, interval: 50 });
      const openJobs = async () =>
        job.array().parse(await (await fetch(`${server.address}/api/jobs`, { headers: { authorization } })).json());
      const heldAtWork = async () => {
        process.kill(worker, 'SIGSTOP');
        const running = (await openJobs()).filter(({ state }) => state === 'running').map(({ _id }) => _id);
        if (running.length === 0) process.kill(worker, 'SIGCONT');
        expect(running).not.toEqual([]);
        return new Set(running);
      };
      const begun = await vi.waitFor(heldAtWork, { timeout: 30_000, interval: 10 });
      expect(await statesNow()).toContain('Processing');
      process.kill(worker, 'SIGKILL');
      const killed = performance.now();

      const left = async () => (await openJobs()).filter(({ _id, attempts }) => begun.has(_id) && attempts < 2);
      await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 90_000, interval: 200 });
      expect(performance.now() - killed).toBeLessThan(30_000);
      const allReady = async () => expect(new Set(await statesNow())).toEqual(new Set(['Ready']));
      await vi.waitFor(allReady, { timeout: 90_000, interval: 200 });

      await vi.waitFor(async () => expect(await openJobs()).toEqual([]), { timeout: 90_000, interval: 500 });
      for (const { missionId } of targets)
        expect(await assetsOf(server, missionId)).toMatchObject([{ state: 'ready' }]);
      const files = readdirSync(dataDir, { recursive: true }).map(String);
      expect(files.filter((path) => path.includes('.temporary/'))).toEqual([]);
      await server.stop();
    },
  );
});

const canTrace = (() => {
  try {
    execFileSync('/usr/bin/strace', ['-o', '/dev/null', '/usr/bin/true']);
    return testDataFolder !== null;
  } catch {
    return false;
  }
})();

describe('a trace of system calls', () => {
  it.skipIf(!canTrace)(
    'T-099 shows the bytes synced, the file renamed and its folder synced, and the database committed, before the answers',
    { timeout: 120_000 },
    async () => {
      const dataDir = await dataFolder();
      const server = await start(dataDir);
      const { api } = pidsOf(server);
      const trace = `${dataDir}/trace.txt`;
      const calls = 'trace=fdatasync,fsync,rename,renameat,renameat2,write,writev,sendto,sendmsg';
      const tracer = spawn('/usr/bin/strace', ['-f', '-s', '200', '-e', calls, '-o', trace, '-p', String(api)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await new Promise((resolve) => tracer.stderr.once('data', resolve));
      const bytes = recording();
      const { sensorId } = await makeTarget(server);
      const location = await create(server, sensorId, bytes.byteLength);
      await patch(server, location, 0, bytes.subarray(0, 100_000));
      await patch(server, location, 100_000, bytes.subarray(100_000));

      await vi.waitFor(() => {
        expect(existsSync(trace)).toBe(true);
        expect(readFileSync(trace, 'utf8').match(/HTTP\/1\.1 204/g)).toHaveLength(2);
      });
      tracer.kill('SIGINT');
      const lines = readFileSync(trace, 'utf8').split('\n');
      await server.stop();

      const answers = lines.flatMap((line, index) => (line.includes('HTTP/1.1 204') ? [index] : []));
      const [first = 0, second = 0] = answers;
      const created = lines.findIndex((line) => line.includes('HTTP/1.1 201'));
      const between = (from: number, to: number) => lines.slice(from, to).join('\n');
      expect(between(created, first)).toMatch(/fdatasync\(\d+\)\s+= 0|fdatasync resumed/);
      const ending = between(first, second);
      expect(ending.search(/fdatasync/)).toBeGreaterThanOrEqual(0);
      expect(ending.search(/rename\w*\(.*originals/)).toBeGreaterThan(ending.search(/fdatasync/));
      expect(ending.slice(ending.search(/rename/))).toMatch(/fsync/);
      expect(ending.lastIndexOf('commit')).toBeGreaterThan(ending.lastIndexOf('rename'));
    },
  );
});
