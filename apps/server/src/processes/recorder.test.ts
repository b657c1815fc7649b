import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, vi } from 'vitest';
import { type PacedSender, sendPaced } from '../../../../tools/test-support/paced-sender.ts';
import { mainScript } from '../../../../tools/test-support/product.ts';
import { atEnd } from '../../test/cleanup.ts';
import { childrenOf, commandOf, isAlive, killNow, roleOf } from '../../test/processes.ts';
import { dataFolder, type RunningServer, readyDataFolder, runToEnd, startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';
import { flightStream, SPS } from '../../test/transport.ts';
import { type WhepViewer, whepViewer } from '../../test/whep-client.ts';
import { liveServer } from '../recorder/serve/server.ts';
import { recorderClient } from '../recorder-wire/client.ts';
import { readMediaMessage } from '../recorder-wire/media-messages.ts';
import { messageReader } from '../recorder-wire/messages.ts';
import { FRAME, type FromRecorder, type SourceState } from '../recorder-wire/protocol.ts';
import { recorderSocket } from '../recorder-wire/socket-path.ts';

// Whole servers are started here, several of them one after the other.
vi.setConfig({ testTimeout: 240_000 });

const password = 'correct horse battery';
const admin = { authorization: basicOf('admin', password) };
const PORT = 24_900 + (process.pid % 500);

const start = (dataDir: string) => startServer(dataDir, { OSPREY_ADMIN_PASSWORD: password });

/** Switches on a platform that listens on the port. */
async function flyPlatform(server: RunningServer, port: number): Promise<void> {
  const form = new FormData();
  const text = `platforms:
  - name: KEA-1
    securityClassification: UNCLASSIFIED
    audience: everyone
    autostart: true
    sensors:
      - { name: EO, url: "udp://127.0.0.1:${port}" }
`;
  form.append('platforms', new Blob([text]), 'platforms.yml');
  const init = { method: 'POST', headers: admin, body: form };
  const answer = await fetch(`${server.address}/api/upload/platformsConfig`, init);
  expect(await answer.json()).toMatchObject({ valid: true });
}

/** A flight of some seconds, sent again and again until the test ends; without B-frames, so that WebRTC shows it. */
async function send(port: number): Promise<PacedSender> {
  const bytes = flightStream({ pictures: 300, filling: 10_000, sps: SPS.sd });
  const sender = await sendPaced({ bytes, port, rounds: 1000 });
  atEnd(() => sender.stop());
  return sender;
}

/** States of the one source as a connected client gets them, over several recorders. */
function listen(dataDir: string) {
  const states: SourceState[] = [];
  const pids: number[] = [];
  const client = recorderClient({
    dataDir,
    log: pino({ level: 'silent' }),
    onMessage(message: FromRecorder) {
      if (message.kind === 'hello') pids.push(message.pid);
      if (message.kind === 'hello') states.push(...message.sources);
      if (message.kind === 'source') states.push(message.source);
    },
  });
  atEnd(() => client.close());
  const last = () => states.at(-1);
  return {
    client,
    pids,
    states,
    last,
    online: () => expect.poll(() => last()?.state).toBe('online'),
  };
}

/** A viewer by WHEP that asks again, as a page does, until there are pictures. */
const whepPictures = (server: RunningServer, sensorId: string): Promise<WhepViewer> =>
  vi.waitFor(
    async () => {
      const viewer = await whepViewer(server.address, sensorId, admin);
      try {
        expect(viewer.status, viewer.body).toBe(201);
        await vi.waitFor(() => expect(viewer.pictures.length).toBeGreaterThan(10));
      } catch (error) {
        await viewer.close();
        throw error;
      }
      return viewer;
    },
    { timeout: 60_000, interval: 500 },
  );

const isNode = (pid: number): boolean => commandOf(pid).includes(mainScript());

const askRestart = (server: RunningServer, more = '') =>
  fetch(`${server.address}/api/shutdown?restart${more}`, { method: 'POST', headers: admin });

async function startTime(server: RunningServer): Promise<number> {
  const answer = await fetch(`${server.address}/api/info`, { headers: admin }).catch(() => null);
  return answer?.ok ? ((await answer.json()) as { serverStartTime: number }).serverStartTime : 0;
}

/** A recorder of another version, which ends on request. */
async function startOtherVersion(dataDir: string): Promise<{ asked: () => number }> {
  let asked = 0;
  const other = liveServer({
    path: recorderSocket(dataDir),
    hello: () => ({
      ...{ kind: 'hello', protocol: 0, pid: process.pid, hasOrders: false },
      ...{ sources: [], recordings: [], ais: [], ring: [], segments: [] },
    }),
    onMessage(message, from) {
      if (message.kind !== 'end') return;
      asked += 1;
      void other.close().then(() => from.close());
    },
    onGone: () => undefined,
    log: pino({ level: 'silent' }),
    nowMs: () => performance.now(),
  });
  await other.listen();
  return { asked: () => asked };
}

/** Counts the packets that a recorder sends; and whether any was missing. */
function countPackets(dataDir: string, sensorId: string) {
  let packets = 0;
  const gaps: string[] = [];
  const counters = new Map<number, number>();
  const read = messageReader((kind, payload) => {
    if (kind !== FRAME.media) return;
    const { packets: bytes } = readMediaMessage(payload);
    for (let at = 0; at < bytes.length; at += 188) {
      const pid = bytes.readUInt16BE(at + 1) & 0x1fff;
      const counter = bytes[at + 3]! & 0x0f;
      const before = counters.get(pid);
      // A watcher gets the tables first, so they come twice once.
      if (pid > 255 && before !== undefined && pid !== 0x1000 && counter !== ((before + 1) & 0x0f)) {
        gaps.push(`${pid}: ${before} to ${counter}`);
      }
      counters.set(pid, counter);
    }
    packets += bytes.length / 188;
  });
  const socket = connect(recorderSocket(dataDir));
  socket.on('data', (piece: Buffer) => read(piece));
  const text = Buffer.from(JSON.stringify({ kind: 'watch', sensorId }));
  const head = Buffer.alloc(5);
  head.writeUInt32BE(text.length + 1);
  socket.write(Buffer.concat([head, text]));
  atEnd(() => socket.destroy());
  return { packets: () => packets, gaps };
}

describe('the recorder process', () => {
  it('T-088 goes on without a gap while api, worker and main are killed, and is taken over by the next main', async () => {
    const dataDir = await readyDataFolder();
    const old = await startOtherVersion(dataDir);
    const first = await start(dataDir);
    expect(old.asked()).toBe(1);
    await flyPlatform(first, PORT);
    await send(PORT);
    const received = listen(dataDir);
    await received.online();
    const [pid = 0] = received.pids;
    const { sensorId } = received.last()!;
    const counted = countPackets(dataDir, sensorId);
    await expect.poll(counted.packets).toBeGreaterThan(100);

    for (const child of childrenOf(first.process.pid!))
      if (isNode(child) && child !== pid) process.kill(child, 'SIGKILL');
    await expect.poll(first.output).toContain('The api process ended unexpectedly');
    expect(first.output()).not.toContain('The recorder process');
    first.process.kill('SIGKILL');
    const afterKill = counted.packets();
    await expect.poll(counted.packets).toBeGreaterThan(afterKill + 500);
    const second = await start(dataDir);

    expect(second.output()).toContain(`The recorder that was running (process ${pid}) goes on.`);
    const afterStart = counted.packets();
    await expect.poll(counted.packets).toBeGreaterThan(afterStart + 500);
    expect(counted.gaps).toEqual([]);
    expect(received.last()).toMatchObject({ state: 'online', lost: 0 });
    expect(new Set(received.pids)).toEqual(new Set([pid]));

    expect((await second.stop()).code).toBe(0);
    expect(isAlive(pid)).toBe(false);
  });

  it('T-088 gives WHEP its pictures again after kill -9 of the gateway, is started again by main when it is killed, goes on through a restart by an admin, and is replaced by a forced one', {
    tags: 'long',
  }, async () => {
    const dataDir = await readyDataFolder();
    const server = await start(dataDir);
    await flyPlatform(server, PORT + 1);
    await send(PORT + 1);
    const received = listen(dataDir);
    await received.online();
    const [first = 0] = received.pids;
    const path = recorderSocket(dataDir);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect((await stat(join(path, '..'))).mode & 0o777).toBe(0o700);
    expect((await stat(join(dataDir, 'live', 'recorder.log'))).mode & 0o777).toBe(0o600);

    const { sensorId } = received.last()!;
    const before = await whepPictures(server, sensorId);
    killNow(childrenOf(server.process.pid!).find((pid) => roleOf(pid) === 'gateway')!);
    await expect.poll(server.output).toContain('The gateway process ended unexpectedly');
    await before.close();
    await (await whepPictures(server, sensorId)).close();
    expect(received.pids).toEqual([first]);

    process.kill(first, 'SIGKILL');
    const killed = performance.now();
    await expect.poll(() => received.pids.length).toBe(2);
    await received.online();
    // 5 s on a machine with nothing else to do, three times that in the test run.
    expect(performance.now() - killed).toBeLessThan(15_000);
    expect(server.output()).toContain('The recorder process ended unexpectedly and is started again.');
    const second = received.pids[1]!;

    const begun = await startTime(server);
    await askRestart(server);
    await expect.poll(() => startTime(server), { interval: 100 }).toBeGreaterThan(begun);
    expect(isAlive(second)).toBe(true);
    expect(received.pids).toEqual([first, second]);

    // One restart a minute: the next main may ask at once.
    server.process.kill('SIGKILL');
    const again = await start(dataDir);
    await askRestart(again, '&force=true');
    await expect.poll(() => received.pids.length).toBe(3);
    expect(isAlive(second)).toBe(false);
    expect(again.output()).not.toContain('unexpectedly');
    const third = received.pids[2]!;
    expect((await again.stop()).code).toBe(0);
    expect(isAlive(third)).toBe(false);
  });

  it('is ended where the server does not start', async () => {
    const dataDir = await dataFolder();
    const url = 'postgres://nobody:wrong@127.0.0.1:1/none';

    const { code } = await runToEnd([], { OSPREY_DATA: dataDir, OSPREY_PORT: '0', OSPREY_DATABASE_URL: url });

    expect(code).toBe(1);
    await expect(stat(recorderSocket(dataDir))).rejects.toThrow('ENOENT');
  });
});
