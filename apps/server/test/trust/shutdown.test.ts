import { connect, type Socket } from 'node:net';
import { io } from 'socket.io-client';
import { expect, vi } from 'vitest';
import { itWithData } from '../../../../tools/test-support/test-data.ts';
import { type RunningServer, readyDataFolder } from '../running-server.ts';
import {
  assetsOf,
  authorization,
  createUpload,
  headUpload,
  longStream,
  makeTarget,
  openJobs,
  patchUpload,
  recording,
  sensorOf,
  startWithAdmin,
  stateOf,
  uploadComplete,
  webStream,
} from '../running-uploads.ts';

const SHUTDOWNS = Number(process.env.OSPREY_SHUTDOWNS ?? 1);
/** 10 s on a machine with nothing else to do, three times that in the test run. */
const EXIT_MS = process.env.OSPREY_SHUTDOWNS === undefined ? 30_000 : 10_000;
const MIB = 1024 * 1024;
const UPLOADS = 2;
const JOBS = 4;

/** The beginning of a body, and then nothing more: its sender goes on only after the server has ended. */
function endless(begin: readonly Uint8Array[], until: Promise<unknown>) {
  return webStream(
    (async function* () {
      yield* begin;
      await until;
    })(),
  );
}

/** Asks for a whole file without reading it. */
function readsNothing(server: RunningServer, path: string): Promise<Socket> {
  const { hostname, port } = new URL(server.address);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nhost: ${hostname}\r\nauthorization: ${authorization}\r\n\r\n`);
  return new Promise((resolve) =>
    socket.once('readable', () => {
      socket.pause();
      resolve(socket);
    }),
  );
}

async function openPage(server: RunningServer) {
  const answer = await fetch(`${server.address}/api/tickets`, { method: 'POST', headers: { authorization } });
  const { ticket } = (await answer.json()) as { ticket: string };
  const socket = io(server.address, { transports: ['websocket'], reconnection: false, auth: { ticket } });
  const states: string[] = [];
  socket.on('state', ({ state }: { state: string }) => states.push(state));
  await new Promise((resolve) => socket.once('connect', () => resolve(null)));
  return { socket, states };
}

itWithData(
  'T-105 by SIGTERM during uploads, playback and jobs takes 10 s at the most, ends with code 0 and loses nothing acknowledged',
  async () => {
    const dataDir = await readyDataFolder();
    let server = await startWithAdmin(dataDir);
    const one = new Uint8Array(recording());
    const shown = await uploadComplete(server, one);
    await vi.waitFor(async () => expect(await stateOf(server, shown.missionId)).toBe('Ready'));
    const { size, sha256 } = longStream(4 * MIB);
    const complete = Buffer.concat(Array.from({ length: Math.ceil(size / one.byteLength) }, () => one));
    const fed: string[] = [shown.missionId];
    const stops: string[] = [];

    for (let round = 0; round < SHUTDOWNS; round++) {
      let ended = () => {};
      const end = new Promise<void>((resolve) => {
        ended = resolve;
      });
      // Bytes that were confirmed before, and a piece that is still on its way when the end comes.
      const uploads = await Promise.all(
        Array.from({ length: UPLOADS }, async () => {
          const target = await makeTarget(server);
          const location = await createUpload(server, target.sensorId, { size });
          const first = await patchUpload(server, location, 0, complete.subarray(0, MIB));
          expect(first.status).toBe(204);
          const answered = MIB;
          const rest = patchUpload(server, location, answered, endless([complete.subarray(MIB, 3 * MIB)], end));
          return { ...target, location, answered, rest: rest.catch(() => null) };
        }),
      );
      const form = await makeTarget(server);
      const opening = '--b\r\nContent-Disposition: form-data; name="f"; filename="a.ts"\r\n\r\n';
      const sentForm = fetch(`${server.address}/api/missions/upload/${form.missionId}/${form.sensorId}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'multipart/form-data; boundary=b' },
        body: endless([new TextEncoder().encode(opening), one], end),
        duplex: 'half',
      } as RequestInit).catch(() => null);
      const page = await openPage(server);
      const sensor = await sensorOf(server, shown.missionId);
      const stalled = await readsNothing(server, sensor.assets[0]!.path);
      let played = 0;
      const playing = (async () => {
        for (;;) {
          const answer = await fetch(`${server.address}${sensor.assets[0]!.path}`, { headers: { authorization } });
          if (answer.status !== 200) return;
          played += (await answer.arrayBuffer()).byteLength;
        }
      })().catch(() => undefined);
      for (let i = 0; i < JOBS; i++) fed.push((await uploadComplete(server, one)).missionId);
      await vi.waitFor(() => expect(played).toBeGreaterThan(0));
      await vi.waitFor(async () => expect((await openJobs(server)).map(({ state }) => state)).toContain('running'), {
        timeout: 60_000,
        interval: 10,
      });

      const { code, ms } = await server.stop();
      ended();
      await Promise.all([playing, sentForm, ...uploads.map(({ rest }) => rest)]);
      stalled.destroy();

      stops.push(`${(ms / 1000).toFixed(1)} s`);
      expect(code).toBe(0);
      expect(ms).toBeLessThan(EXIT_MS);
      expect(server.output()).not.toContain('stopping failed');
      await vi.waitFor(() => expect(page.socket.connected).toBe(false));
      expect(page.states).toEqual(['Online', 'Offline']);

      server = await startWithAdmin(dataDir);
      for (const { location, answered, missionId } of uploads) {
        const { status, offset } = await headUpload(server, location);
        expect(status).toBe(200);
        expect(offset).toBeGreaterThanOrEqual(answered);
        const sent = await patchUpload(server, location, offset, complete.subarray(offset));
        expect(sent.status).toBe(204);
        expect(await assetsOf(server, missionId)).toMatchObject([{ sizeBytes: size, sha256 }]);
        fed.push(missionId);
      }
      // The form was never answered: its bytes are removed.
      expect(await assetsOf(server, form.missionId)).toEqual([]);
      const states = async () => Promise.all(fed.map((id) => stateOf(server, id)));
      await vi.waitFor(async () => expect(new Set(await states())).toEqual(new Set(['Ready'])), {
        timeout: 120_000,
        interval: 200,
      });
    }
    process.stdout.write(`T-105: ended after ${stops.join(', ')}\n`);
    await server.stop();
  },
  300_000,
);
