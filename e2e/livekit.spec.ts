import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Room } from '@osprey/contract';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../tools/test-support/free-port.ts';
import { expectPictures, join, joinRoom, tile } from './support/calls.ts';
import { stageFor } from './support/stage.ts';

/** The path of a LiveKit server, such as `go install github.com/livekit/livekit-server/cmd/server@v1.11.0` makes. */
const program = process.env.OSPREY_TEST_LIVEKIT;
const KEY = 'osprey-test';
const SECRET = 'a-secret-of-at-least-thirty-two-characters';
/** On an idle machine within 1 s. */
const GONE_MS = 3000;

describe.skipIf(program === undefined)('a call over a real LiveKit server', async () => {
  const [port, udpPort, tcpPort] = [await freePort(), await freePort(), await freePort()];
  const env = { OSPREY_LIVEKIT_KEY: KEY, OSPREY_LIVEKIT_SECRET: SECRET };
  const stage = stageFor({ ...env, OSPREY_LIVEKIT_URL: `ws://127.0.0.1:${port}` });
  let livekit: ChildProcess;
  let room: Room;
  let birk: { id: string; username: string; password: string };

  beforeAll(async () => {
    const rtc = { udp_port: udpPort, tcp_port: tcpPort, node_ip: '127.0.0.1', use_external_ip: false };
    const config = { port, bind_addresses: ['127.0.0.1'], keys: { [KEY]: SECRET }, rtc, logging: { level: 'error' } };
    livekit = spawn(program ?? '', ['--config-body', JSON.stringify(config)], { stdio: 'ignore' });
    await vi.waitUntil(async () => (await fetch(`http://127.0.0.1:${port}`).catch(() => null))?.ok, {
      timeout: 20_000,
    });
    const group = await stage.api.addGroup('Livekit watch', 'RESTRICTED');
    birk = await stage.api.addUser('Birk', { clearance: 'RESTRICTED', groups: [group] });
    const fields = { usergroups: ['Livekit watch'], emptyTimeout: 300, maxParticipants: 12 };
    room = await stage.api.send<Room>('POST', 'conference/rooms', { ...fields, name: 'Bridge' });
  });
  afterAll(async () => {
    const ended = once(livekit, 'exit');
    livekit.kill('SIGKILL');
    await ended;
  });

  it('shows each the other, again after a reload, and who loses the right is out', { tags: 'long' }, async () => {
    const [admin, other] = await Promise.all([
      stage.signedIn({}, undefined, '/about'),
      stage.signedIn({}, birk, '/about'),
    ]);
    const [one, two] = [admin.page, other.page];
    await joinRoom(one, room);
    await joinRoom(two, room);
    // Pictures are shown once they were opened with the key of the room.
    await Promise.all([expectPictures(one, 'Birk'), expectPictures(two, 'admin')]);
    await two.reload();
    await join(two);
    await Promise.all([expectPictures(one, 'Birk'), expectPictures(two, 'admin')]);

    const begun = Date.now();
    await stage.api.send('PUT', `users/${birk.id}?usergroups=${await stage.api.demoGroup()}`);
    await tile(one, 'Birk').waitFor({ state: 'detached' });
    expect(Date.now() - begun).toBeLessThan(GONE_MS);
    await two.getByRole('toolbar', { name: 'Conference' }).waitFor({ state: 'detached' });
  });
});
