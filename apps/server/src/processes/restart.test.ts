import { createHash } from 'node:crypto';
import type { LivePlatform, Mission, PlatformControlled } from '@osprey/contract';
import { io } from 'socket.io-client';
import { expect, it, vi } from 'vitest';
import { sendPaced } from '../../../../tools/test-support/paced-sender.ts';
import { ADMIN_PASSWORD, type Calls, callsOf } from '../../test/admin-calls.ts';
import { atEnd } from '../../test/cleanup.ts';
import { expectCompleteRecording } from '../../test/complete-recording.ts';
import { flightBytes } from '../../test/flight.ts';
import { openPlatform } from '../../test/platforms.ts';
import { readyDataFolder, startServer } from '../../test/running-server.ts';

/** 5 in a soak, with the minute between two of them. */
const RESTARTS = Number(process.env.OSPREY_RESTARTS ?? 1);
const isSoak = process.env.OSPREY_RESTARTS !== undefined;
/** The promise. Where a machine is so busy that a server takes long to start at all, a test gives it as much longer. */
const BACK_MAX_MS = 15_000;
const STARTS = 3;
/** Below the ports that the kernel hands out. */
const PORT = 24_400 + (process.pid % 500);
const TRY_AGAIN_MS = 100;
/** Pieces of an upload that takes some seconds, as over a person's line. */
const PIECE_BYTES = 64 * 1024;
const PIECE_MS = 20;

vi.setConfig({ testTimeout: 120_000 + RESTARTS * 120_000 });

const tus = { 'tus-resumable': '1.0.0' };
const flight = flightBytes({ seconds: 20, bitsPerSecond: 2e6 });

const PLATFORM = openPlatform({ EO: PORT });

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const base64 = (text: string) => Buffer.from(text).toString('base64');

async function startTime({ send }: Calls): Promise<number> {
  const answer = await send('/api/info').catch(() => null);
  return answer?.ok ? ((await answer.json()) as { serverStartTime: number }).serverStartTime : 0;
}

/** Stored bytes of an upload; null while the server does not answer. */
async function keptOf({ send }: Calls, location: string): Promise<number | null> {
  const answer = await send(location, { method: 'HEAD', headers: tus }).catch(() => null);
  return answer?.ok ? Number(answer.headers.get('upload-offset')) : null;
}

/** A mission with an upload to it that has not sent anything. */
async function begunUpload({ ask, send }: Calls, bytes: Uint8Array): Promise<{ missionId: string; location: string }> {
  const fields = { name: `m-${crypto.randomUUID()}`, audience: 'everyone', securityClassification: 1 };
  const { _id, sensors } = await ask<Mission>('missions', fields);
  const metadata = `sensorId ${base64(sensors[0]!._id)},filename ${base64('flight.ts')}`;
  const headers = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': metadata };
  const made = await send('/api/uploads', { method: 'POST', headers });
  return { missionId: _id, location: made.headers.get('location') ?? '' };
}

/** All but the end of a file, as slow as a line: the sender has more to say when the server goes. */
function unendingBody(bytes: Uint8Array): ReadableStream {
  let at = 0;
  return new ReadableStream({
    async pull(controller) {
      await pause(PIECE_MS);
      const next = Math.min(at + PIECE_BYTES, bytes.length - 1);
      if (next > at) controller.enqueue(bytes.slice(at, next));
      at = next;
    },
  });
}

const patch = ({ send }: Calls, location: string, offset: number, body: ReadableStream | Uint8Array<ArrayBuffer>) =>
  send(location, {
    method: 'PATCH',
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
    body,
    ...(body instanceof ReadableStream && { duplex: 'half' }),
  } as RequestInit);

async function durableBytes({ send }: Calls): Promise<number> {
  return Number(/^osprey_uploads_durable_bytes (\d+)$/m.exec(await (await send('/metrics')).text())?.[1] ?? 0);
}

/** A socket as a page has it; again with a ticket of its own for each attempt. */
async function connected({ ask }: Calls, address: string) {
  for (;;) {
    const found = await ask<{ ticket: string }>('tickets', {}).catch(() => null);
    if (found !== null) {
      const socket = io(address, {
        transports: ['websocket'],
        forceNew: true,
        reconnection: false,
        auth: { ticket: found.ticket },
      });
      atEnd(() => socket.disconnect());
      const isThere = await new Promise<boolean>((resolve) => {
        socket.once('connect', () => resolve(true));
        socket.once('connect_error', () => resolve(false));
      });
      if (isThere) return socket;
    }
    await pause(TRY_AGAIN_MS);
  }
}

it('T-105 is started again by an admin: a recording never stops, uploads resume at their offset, sockets come back', {
  tags: 'long',
}, async () => {
  const begunMs = performance.now();
  const server = await startServer(await readyDataFolder(), { OSPREY_ADMIN_PASSWORD: ADMIN_PASSWORD });
  const firstStartMs = performance.now() - begunMs;
  const calls = callsOf(server);
  const { ask, send } = calls;
  const form = new FormData();
  form.append('platforms', new Blob([PLATFORM]), 'platforms.yml');
  expect(await ask('upload/platformsConfig', form)).toMatchObject({ valid: true });
  const sender = await sendPaced({ bytes: flight, port: PORT, rounds: 1000 });
  atEnd(() => sender.stop());
  const command = (name: string, more = {}) =>
    ask<PlatformControlled>(`platforms/control?command=${name}`, { platformName: 'KEA-1', ...more });
  const recorded = (await command('start', { record: true })).mission!._id;
  await expect.poll(async () => (await ask<LivePlatform[]>('platforms'))[0]?.sizeBytes).toBeGreaterThan(0);
  const restart = () => send('/api/shutdown?restart', { method: 'POST' });

  const [answering, uploaded, reached]: [number[], number[], number[]] = [[], [], []];
  for (let n = 1; n <= RESTARTS; n += 1) {
    const upload = await begunUpload(calls, flight);
    const sending = patch(calls, upload.location, 0, unendingBody(flight)).then(
      ({ status }) => status,
      () => null,
    );
    await expect.poll(() => durableBytes(calls)).toBeGreaterThan(0);
    const page = await connected(calls, server.address);
    const gone = new Promise((resolve) => page.once('disconnect', resolve));
    const before = await startTime(calls);

    const askedMs = performance.now();
    const asked = await restart();

    expect(await asked.json()).toEqual({ message: 'Restarting the server...' });
    const since = () => performance.now() - askedMs;
    const again = async () => {
      await gone;
      await connected(calls, server.address);
      reached.push(since());
    };
    const goesOn = async () => {
      expect(await sending).not.toBe(204);
      await vi.waitUntil(async () => (await startTime(calls)) > before, { timeout: 60_000, interval: TRY_AGAIN_MS });
      answering.push(since());
      const retained = await keptOf(calls, upload.location);
      expect(retained).toBeGreaterThan(0);
      expect((await patch(calls, upload.location, retained!, flight.slice(retained!))).status).toBe(204);
      uploaded.push(since());
    };
    await Promise.all([again(), goesOn()]);

    const { sensors } = await ask<Mission>(`missions/${upload.missionId}`);
    expect(sensors[0]!.assets).toMatchObject([{ sizeBytes: flight.length, sha256: sha256(flight) }]);
    const tooSoon = await restart();
    expect(tooSoon.status).toBe(429);
    const waitSeconds = Number(tooSoon.headers.get('retry-after'));
    expect(waitSeconds).toBeGreaterThan(0);
    if (n < RESTARTS) await pause(waitSeconds * 1000);
  }

  await command('stop');
  await expectCompleteRecording({ ask }, recorded);
  expect(server.output()).toContain('The server is started again, as an admin asked.');
  expect(server.output()).not.toContain('unexpectedly');
  expect((await server.stop()).code).toBe(0);
  const worst = (times: number[]) => `${Math.round(Math.max(...times))} ms`;
  process.stdout.write(
    `T-105: ${RESTARTS} restarts during a recording and an upload, at most ${worst(answering)} until it answered again, ` +
      `${worst(reached)} until a socket was back, ${worst(uploaded)} until the upload was whole; the first start took ${worst([firstStartMs])}\n`,
  );
  const mostMs = isSoak ? BACK_MAX_MS : Math.max(BACK_MAX_MS, STARTS * firstStartMs);
  expect(Math.max(...answering, ...uploaded, ...reached)).toBeLessThan(mostMs);
});
