import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { RoomServiceClient } from 'livekit-server-sdk';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freePort } from '../../../../../tools/test-support/free-port.ts';
import { livekitServer } from './livekit.ts';

/** The path of a LiveKit server, such as `go install github.com/livekit/livekit-server/cmd/server@v1.11.0` makes. */
const program = process.env.OSPREY_TEST_LIVEKIT;
const KEY = 'osprey-test';
const SECRET = 'a secret of at least thirty-two characters';
const ROOM = 'b7ab3dc9-4d7c-4284-ba16-202dc748d293';

let running: ChildProcess;
let address: string;

/** Whether the server lets somebody in with this token, by the call that clients ask before they join. */
const letsIn = async (token: string): Promise<number> =>
  (await fetch(`http://${address}/rtc/validate?access_token=${token}`)).status;

describe.skipIf(program === undefined)('a real LiveKit server', () => {
  beforeAll(async () => {
    const port = await freePort();
    address = `127.0.0.1:${port}`;
    const config = {
      ...{ port, bind_addresses: ['127.0.0.1'], keys: { [KEY]: SECRET }, logging: { level: 'error' } },
      rtc: { udp_port: await freePort(), tcp_port: await freePort(), node_ip: '127.0.0.1', use_external_ip: false },
    };
    running = spawn(program ?? '', ['--config-body', JSON.stringify(config)], { stdio: 'ignore' });
    await vi.waitUntil(async () => (await fetch(`http://${address}`).catch(() => null))?.ok, { timeout: 20_000 });
  });
  afterAll(async () => {
    const ended = once(running, 'exit');
    running.kill('SIGKILL');
    await ended;
  });

  it('takes our calls and tokens: for one room, one account, and with our secret alone', async () => {
    const warned: unknown[] = [];
    const log = { warn: (...said: unknown[]) => warned.push(said) };
    const livekit = livekitServer({ url: `ws://${address}`, key: KEY, secret: SECRET, nowMs: () => Date.now(), log });
    const rooms = new RoomServiceClient(`http://${address}`, KEY, SECRET);

    const token = await livekit.admit(ROOM, 12, 'Birk');
    expect(await rooms.listRooms([ROOM])).toMatchObject([{ name: ROOM, maxParticipants: 12, emptyTimeout: 300 }]);
    expect(await letsIn(token)).toBe(200);
    expect(await letsIn(`${token.slice(0, -4)}AAAA`)).toBe(401);
    const [head, claims, sign] = token.split('.');
    const wider = { ...JSON.parse(Buffer.from(claims!, 'base64url').toString()), sub: 'admin' };
    expect(await letsIn([head, Buffer.from(JSON.stringify(wider)).toString('base64url'), sign].join('.'))).toBe(401);

    // Nobody is there: that is no failure.
    livekit.keepOut(ROOM, 'Birk');
    await livekit.deleteRoom(ROOM);
    await livekit.deleteRoom(ROOM);
    expect(await rooms.listRooms([ROOM])).toEqual([]);
    expect(warned).toEqual([]);
    livekit.close();

    const other = livekitServer({
      url: `ws://${address}`,
      key: KEY,
      secret: `${SECRET}!`,
      nowMs: () => Date.now(),
      log,
    });
    await expect(other.admit(ROOM, 12, 'Birk')).rejects.toThrow();
    other.close();
  });
});
