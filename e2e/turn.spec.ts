/// <reference lib="dom" />
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { LivePlatform, Room } from '@osprey/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startFlight } from '../tools/test-support/data/flight.ts';
import { freeUdpPort, oneSensorConfig, uploadPlatforms } from '../tools/test-support/data/platforms.ts';
import { stageFor } from './support/stage.ts';

const TURN_SERVER = '/usr/bin/turnserver';
const SECRET = 'shared-by-server-and-relay';
const isThere = existsSync(TURN_SERVER);
if (!isThere) process.stderr.write('Skipped: WebRTC by way of TURN needs coturn\n');

const relayPort = await freeUdpPort();
const stage = stageFor({
  OSPREY_TURN_SERVERS: `turn:127.0.0.1:${relayPort}?transport=udp`,
  OSPREY_TURN_SECRET: SECRET,
});

/** coturn as an operator sets it up (use-auth-secret), on this machine alone. */
function startRelay() {
  const place = ['-L', '127.0.0.1', '-E', '127.0.0.1', '-p', String(relayPort), '--allow-loopback-peers'];
  const means = ['-n', '--no-cli', '--no-tls', '--no-dtls', '--pidfile', '/dev/null', '--log-file', 'stdout'];
  const secret = ['--use-auth-secret', '--static-auth-secret', SECRET, '--realm', 'osprey'];
  return spawn(TURN_SERVER, [...means, ...place, ...secret], { stdio: 'ignore' });
}

/** Runs in a page before its scripts: leaves the candidates that remain on a network that lets nothing else through. */
function relayAlone(): void {
  const Direct = globalThis.RTCPeerConnection;
  const made: RTCPeerConnection[] = [];
  const narrowed = (configuration: RTCConfiguration): RTCConfiguration => ({
    ...configuration,
    iceTransportPolicy: 'relay',
  });
  Object.assign(globalThis, {
    made,
    RTCPeerConnection: class extends Direct {
      constructor(configuration?: RTCConfiguration) {
        super(configuration && narrowed(configuration));
        made.push(this);
      }
      override setConfiguration(configuration: RTCConfiguration) {
        super.setConfiguration(narrowed(configuration));
      }
    },
  });
}

/** Runs in a page: pictures that were decoded, and the kind of way that they came. */
async function decodedByRelay() {
  // A first one that did not come about in time was given up for another.
  const connection = (globalThis as unknown as { made: RTCPeerConnection[] }).made.at(-1);
  const reports = [...((await connection!.getStats()) as Map<string, Record<string, unknown>>).values()];
  const pair = reports.find(({ type, nominated }) => type === 'candidate-pair' && nominated);
  const local = reports.find(({ id }) => id === pair?.localCandidateId);
  const frames = reports.map(({ type, framesDecoded }) => (type === 'inbound-rtp' ? Number(framesDecoded ?? 0) : 0));
  return { way: local?.candidateType, frames: Math.max(0, ...frames) };
}

describe.skipIf(!isThere)('a browser that reaches the server by a TURN server alone', () => {
  let relay: ChildProcess | null = null;
  beforeAll(() => {
    relay = startRelay();
  });
  afterAll(() => relay?.kill('SIGKILL'));

  it('watches by WebRTC', { tags: 'long' }, async () => {
    const port = await freeUdpPort();
    await uploadPlatforms(stage.server.address, oneSensorConfig(port));
    const flight = await startFlight(port);
    const platforms = () => stage.api.send<LivePlatform[]>('GET', 'platforms');
    await vi.waitUntil(async () => (await platforms())[0]?.state === 'online', { timeout: 30_000 });
    const { page, context } = await stage.signedIn();
    await page.addInitScript(relayAlone);

    await page.goto('/live');
    const player = page.getByRole('region', { name: /^Player .* EO$/ });
    await player.getByText('LIVE', { exact: true }).waitFor();
    await player.getByRole('button', { name: 'Playback: WebRTC' }).waitFor();

    const decoded = () => page.evaluate(decodedByRelay);
    await expect.poll(async () => (await decoded()).frames).toBeGreaterThan(30);
    expect((await decoded()).way).toBe('relay');
    await flight.stop();
    await context.close();
  });

  it('meets others in a conference', { tags: 'long' }, async () => {
    const group = await stage.api.addGroup('Turn watch', 'RESTRICTED');
    const tove = await stage.api.addUser('Tove', { clearance: 'RESTRICTED', groups: [group] });
    const fields = { usergroups: ['Turn watch'], emptyTimeout: 300, maxParticipants: 6 };
    const room = await stage.api.send<Room>('POST', 'conference/rooms', { ...fields, name: 'Across' });
    const visitors = [await stage.signedIn({}, undefined, '/about'), await stage.signedIn({}, tove, '/about')];
    for (const { page } of visitors) {
      await page.addInitScript(relayAlone);
      await page.goto(`/conference#room=${room._id}`);
      await page.getByRole('button', { name: 'Join', exact: true }).click();
    }

    for (const { page } of visitors) {
      await expect.poll(() => page.evaluate(decodedByRelay)).toMatchObject({ way: 'relay' });
      await expect.poll(async () => (await page.evaluate(decodedByRelay)).frames).toBeGreaterThan(10);
    }
    for (const { context } of visitors) await context.close();
  });
});
