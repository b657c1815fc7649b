import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { LivePlatform } from '@osprey/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startFlight } from './support/flight.ts';
import { freeUdpPort, oneSensorConfig, uploadPlatforms } from './support/platforms.ts';
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
    // Candidates that remain on a network that lets nothing else through.
    await page.addInitScript(() => {
      const Direct = globalThis.RTCPeerConnection;
      const made: RTCPeerConnection[] = [];
      Object.assign(globalThis, {
        made,
        RTCPeerConnection: class extends Direct {
          constructor() {
            super();
            made.push(this);
          }
          override setConfiguration(configuration: RTCConfiguration) {
            super.setConfiguration({ ...configuration, iceTransportPolicy: 'relay' });
          }
        },
      });
    });

    await page.goto('/live');
    const player = page.getByRole('region', { name: 'Player EO' });
    await player.getByText('LIVE', { exact: true }).waitFor();
    await player.getByRole('button', { name: 'Playback: WebRTC' }).waitFor();

    const decoded = () =>
      page.evaluate(async () => {
        // A first one that did not come about in time was given up for another.
        const connection = (globalThis as unknown as { made: RTCPeerConnection[] }).made.at(-1);
        const reports = [...((await connection!.getStats()) as Map<string, Record<string, unknown>>).values()];
        const pair = reports.find(({ type, nominated }) => type === 'candidate-pair' && nominated);
        const local = reports.find(({ id }) => id === pair?.localCandidateId);
        const inbound = reports.find(({ type }) => type === 'inbound-rtp');
        return { way: local?.candidateType, frames: Number(inbound?.framesDecoded ?? 0) };
      });
    await expect.poll(async () => (await decoded()).frames).toBeGreaterThan(30);
    expect((await decoded()).way).toBe('relay');
    await flight.stop();
    await context.close();
  });
});
