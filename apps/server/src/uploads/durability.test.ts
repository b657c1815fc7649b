import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { itWithData, testDataFolder } from '../../../../tools/test-support/test-data.ts';
import { killNow } from '../../test/processes.ts';
import { readyDataFolder } from '../../test/running-server.ts';
import {
  assetsOf,
  authorization,
  createUpload,
  headUpload,
  longStream,
  makeTarget,
  missionIds,
  openJobs,
  patchUpload,
  pidsOf,
  recording,
  startWithAdmin,
  stateOf,
  webStream,
} from '../../test/running-uploads.ts';

const MIB = 1024 * 1024;

/** Kilobytes as /proc reports them. */
const memoryKb = (pid: number, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);

/** Allowed growth of the resident memory; four times as much is sent. */
const GROWTH_MAX_MIB = 64;
const SIZE = Number(process.env.OSPREY_UPLOAD_TEST_BYTES ?? 2 * GROWTH_MAX_MIB * MIB);

describe('a long upload', () => {
  itWithData(
    'T-050 through tus and through the form leaves the memory alone and arrives as it was sent',
    { timeout: 300_000 },
    async () => {
      const server = await startWithAdmin(await readyDataFolder());
      const { size, sha256, pieces } = longStream(SIZE);
      const { api } = pidsOf(server);
      const small = await makeTarget(server);
      await patchUpload(
        server,
        await createUpload(server, small.sensorId, { size: recording().byteLength }),
        0,
        new Uint8Array(recording()),
      );
      const before = memoryKb(api, 'VmRSS');

      const first = await makeTarget(server);
      const location = await createUpload(server, first.sensorId, { size });
      const sent = await patchUpload(server, location, 0, webStream(pieces()));
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

/** Uploads at once, and how often everything is killed. */
const UPLOADS = Number(process.env.OSPREY_UPLOADS ?? 6);
const KILLS = Number(process.env.OSPREY_KILLS ?? 1);
const LATEST_KILL_MS = 400;

describe('kill -9', () => {
  itWithData(
    'T-098 takes no byte that was ever answered, and leaves no mission Ready without its file',
    { timeout: Math.max(300_000, KILLS * 90_000) },
    async () => {
      const dataDir = await readyDataFolder();
      const { size, sha256 } = longStream(8 * MIB);
      const complete = Buffer.concat(Array.from({ length: Math.ceil(size / recording().byteLength) }, recording));
      const part = 300_001;
      let server = await startWithAdmin(dataDir);
      const uploads = await Promise.all(
        Array.from({ length: UPLOADS }, async () => {
          const target = await makeTarget(server);
          return { ...target, location: await createUpload(server, target.sensorId, { size }), answered: 0 };
        }),
      );
      const originalsOf = async (upload: (typeof uploads)[number]) => {
        const assets = await assetsOf(server, upload.missionId);
        return { assets, path: `${dataDir}/files/originals/${upload.sensorId}/${assets[0]?._id}.ts` };
      };

      const killedAfterMs: number[] = [];
      let cut = 0;
      for (let kill = 0; kill < KILLS; kill++) {
        const sending = uploads.map(async (upload) => {
          while (upload.answered < size) {
            const until = Math.min(size, upload.answered + part);
            const bytes = complete.subarray(upload.answered, until);
            const answer = await patchUpload(server, upload.location, upload.answered, bytes);
            if (answer.status !== 204) return;
            upload.answered = Number(answer.headers.get('upload-offset'));
          }
        });
        const killAfterMs = Math.random() * LATEST_KILL_MS;
        killedAfterMs.push(Math.round(killAfterMs));
        setTimeout(() => {
          for (const pid of pidsOf(server).all) killNow(pid);
        }, killAfterMs);
        await Promise.allSettled(sending);
        await vi.waitFor(() => expect(server.process.signalCode).toBe('SIGKILL'));

        server = await startWithAdmin(dataDir);

        for (const upload of uploads) {
          const { status, offset } = await headUpload(server, upload.location);
          expect(status).toBe(200);
          expect(offset, `killed after ${killedAfterMs} ms`).toBeGreaterThanOrEqual(upload.answered);
          upload.answered = offset;
          const state = await stateOf(server, upload.missionId);
          const { assets, path } = await originalsOf(upload);
          if (offset < size) {
            cut += 1;
            expect({ state, assets }).toEqual({ state: 'Created', assets: [] });
          } else {
            expect(assets).toMatchObject([{ sizeBytes: size, sha256 }]);
            expect(statSync(path).size).toBe(size);
          }
        }
      }
      process.stdout.write(
        `T-098: ${UPLOADS} uploads, killed after ${killedAfterMs.join(', ')} ms, cut ${cut} uploads\n`,
      );
      expect(cut).toBeGreaterThan(0);

      for (const upload of uploads) {
        if (upload.answered < size) {
          const sent = await patchUpload(server, upload.location, upload.answered, complete.subarray(upload.answered));
          expect(sent.status).toBe(204);
        }
        const { assets, path } = await originalsOf(upload);
        expect(assets).toMatchObject([{ sizeBytes: size, sha256 }]);
        expect(createHash('sha256').update(readFileSync(path)).digest('hex')).toBe(sha256);
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
    { tags: 'long', timeout: 180_000 },
    async () => {
      const dataDir = await readyDataFolder();
      const server = await startWithAdmin(dataDir);
      const bytes = new Uint8Array(recording());
      const targets = await Promise.all(Array.from({ length: 20 }, () => makeTarget(server)));
      const { worker } = pidsOf(server);
      // The worker is paused until all uploads are there: else it could finish the first before the last has come.
      process.kill(worker, 'SIGSTOP');
      for (const { sensorId } of targets) {
        await patchUpload(server, await createUpload(server, sensorId, { size: bytes.byteLength }), 0, bytes);
      }
      process.kill(worker, 'SIGCONT');
      const statesNow = () => Promise.all(targets.map(({ missionId }) => stateOf(server, missionId)));
      await vi.waitFor(async () => expect(await statesNow()).toContain('Ready'), { interval: 50 });
      const heldAtWork = async () => {
        process.kill(worker, 'SIGSTOP');
        const running = (await openJobs(server)).filter(({ state }) => state === 'running').map(({ _id }) => _id);
        if (running.length === 0) process.kill(worker, 'SIGCONT');
        expect(running).not.toEqual([]);
        return new Set(running);
      };
      const begun = await vi.waitFor(heldAtWork, { interval: 10 });
      expect(await statesNow()).toContain('Processing');
      const temporary = () => {
        const files = readdirSync(dataDir, { recursive: true }).map(String);
        return files.filter((path) => path.includes('.temporary/'));
      };
      // Its temporary file is swept by age; later tries of its jobs leave nothing.
      const cutShort = temporary();
      process.kill(worker, 'SIGKILL');
      const killed = performance.now();

      const left = async () => (await openJobs(server)).filter(({ _id, attempts }) => begun.has(_id) && attempts < 2);
      await vi.waitFor(async () => expect(await left()).toEqual([]), { timeout: 90_000, interval: 200 });
      expect(performance.now() - killed).toBeLessThan(30_000);
      const allReady = async () => expect(new Set(await statesNow())).toEqual(new Set(['Ready']));
      await vi.waitFor(allReady, { timeout: 90_000, interval: 200 });

      await vi.waitFor(async () => expect(await openJobs(server)).toEqual([]), { timeout: 90_000, interval: 500 });
      for (const { missionId } of targets)
        expect(await assetsOf(server, missionId)).toMatchObject([{ state: 'ready' }]);
      const files = readdirSync(dataDir, { recursive: true }).map(String);
      expect(temporary()).toEqual(cutShort);
      // For 9 s of recording: the picture of the sensor, one of a moment, and the list.
      const picturesOf = ({ missionId }: (typeof targets)[number]) =>
        files.filter((path) => path.includes(`/pictures/${missionId}/`)).length;
      expect(targets.map(picturesOf)).toEqual(targets.map(() => 3));
      expect((await missionIds(server)).sort()).toEqual(targets.map(({ missionId }) => missionId).sort());
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
    'T-099 shows the bytes synced, the file renamed and its folder synced, and the database committed, before the answers, also of a mission that is made and renamed',
    { timeout: 120_000 },
    async () => {
      const dataDir = await readyDataFolder();
      const server = await startWithAdmin(dataDir);
      const { api } = pidsOf(server);
      const trace = `${dataDir}/trace.txt`;
      const calls = 'trace=fdatasync,fsync,rename,renameat,renameat2,write,writev,sendto,sendmsg';
      const tracer = spawn('/usr/bin/strace', ['-f', '-s', '200', '-e', calls, '-o', trace, '-p', String(api)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
      await new Promise((resolve) => tracer.stderr.once('data', resolve));
      const bytes = recording();
      const { missionId, sensorId } = await makeTarget(server);
      const location = await createUpload(server, sensorId, { size: bytes.byteLength });
      await patchUpload(server, location, 0, bytes.subarray(0, 100_000));
      await patchUpload(server, location, 100_000, bytes.subarray(100_000));
      const renamed = await fetch(`${server.address}/api/missions`, {
        method: 'PUT',
        headers: { authorization, 'content-type': 'application/json' },
        body: JSON.stringify({ _id: missionId, name: 'Renamed-in-trace' }),
      });
      expect(renamed.status).toBe(200);

      await vi.waitFor(() => {
        expect(existsSync(trace)).toBe(true);
        expect(readFileSync(trace, 'utf8').match(/HTTP\/1\.1 20[04]/g)).toHaveLength(4);
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

      const [made = 0, named = 0] = lines.flatMap((line, index) => (line.includes('HTTP/1.1 200') ? [index] : []));
      const [creation, renaming] = [between(0, made), between(second, named)];
      expect(creation.search(/insert into \\?"missions/)).toBeGreaterThanOrEqual(0);
      expect(creation.lastIndexOf('commit')).toBeGreaterThan(creation.search(/insert into \\?"missions/));
      expect(renaming.search(/update \\?"missions/)).toBeGreaterThanOrEqual(0);
      expect(renaming.lastIndexOf('commit')).toBeGreaterThan(renaming.search(/update \\?"missions/));
    },
  );
});
