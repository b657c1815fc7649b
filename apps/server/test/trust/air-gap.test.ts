import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { testDataFolder } from '../../../../tools/test-support/test-data.ts';
import { openApi } from '../../src/http/openapi.ts';
import { reachedFromHere } from '../network-namespace.ts';
import { dataFolder, type RunningServer } from '../running-server.ts';
import {
  authorization,
  openJobs,
  recording,
  sensorOf,
  startWithAdmin,
  stateOf,
  uploadWhole,
} from '../running-uploads.ts';
import { canTrace, canUnshareNetwork, onLoopbackOnly, systemCalls, tracedBy } from '../system-calls.ts';

const itIsolates = it.skipIf(!canTrace || !canUnshareNetwork || testDataFolder === null);
const TRACED = 'connect,sendto,sendmsg,sendmmsg';
type Parameter = { name: string; in: string; required: boolean };
type Operation = { operationId: string; parameters: Parameter[] };
type Body = { status: number; type: string; text: string };

async function ask(server: RunningServer, path: string): Promise<Body> {
  const answer = await fetch(new URL(path, server.address), { headers: { authorization } });
  return { status: answer.status, type: answer.headers.get('content-type') ?? '', text: await answer.text() };
}

/** Where a call of the system would lead out of the machine, or asks for a name. */
function leaves(call: string): boolean {
  const [, port = ''] = /sin6?_port=htons\((\d+)\)/.exec(call) ?? [];
  const [, four = ''] = /sin_addr=inet_addr\("([^"]+)"\)/.exec(call) ?? [];
  const [, six = ''] = /inet_pton\(AF_INET6, "([^"]+)"/.exec(call) ?? [];
  const isFar = (four !== '' && !four.startsWith('127.')) || (six !== '' && !/^(::1|::ffff:127\.)/.test(six));
  return isFar || (port === '53' && (four !== '' || six !== ''));
}

/** Every part of the product that a page or a program asks for. Answers what was answered with a fault of the server. */
async function askEverything(server: RunningServer, { missionId, sensorId }: { missionId: string; sensorId: string }) {
  const { paths } = openApi() as unknown as { paths: Record<string, Record<string, Operation>> };
  const failed: string[] = [];
  for (const [path, { get }] of Object.entries(paths)) {
    if (get === undefined) continue;
    const values: Record<string, string> = { mission: missionId, sensor: sensorId, missionIdOrName: missionId };
    const valueFor = (name: string) => values[name] ?? crypto.randomUUID();
    const query = get.parameters
      .filter((one) => one.in === 'query' && one.required)
      .map(({ name }) => `${name}=${valueFor(name)}`);
    const address = path.replace(/\{(\w+)\}/g, (_all, name: string) => valueFor(name));
    const { status } = await ask(server, `${address}?${query.join('&')}`);
    if (status >= 500) failed.push(`${get.operationId} ${status}`);
  }
  return failed;
}

itIsolates('T-110 a program that tries to leave is seen', async () => {
  const trace = join(await dataFolder(), 'trace.txt');
  const tries = `require('node:net').connect(80, '192.0.2.1').on('error', () => {});
    require('node:net').connect(80, '2001:db8::1').on('error', () => {});
    require('node:dns').resolve4('example.org', () => {});`;
  const [program = '', ...args] = [...onLoopbackOnly(), ...tracedBy(TRACED, trace), process.execPath, '-e', tries];

  spawnSync(program, args);

  await vi.waitFor(() => {
    const left = systemCalls(trace).filter(leaves).join(' ');
    for (const sign of ['192.0.2.1', '2001:db8::1', 'htons(53)']) expect(left).toContain(sign);
  });
});

itIsolates(
  'T-110 first start, upload, play, map, help and restart work on loopback alone, and nothing tries to leave',
  async () => {
    const dataDir = await dataFolder();
    const traces = await dataFolder();
    const start = async (name: string) => {
      const trace = join(traces, name);
      const calls = tracedBy(TRACED, trace);
      const own = await startWithAdmin(dataDir, {}, { wrapper: [...onLoopbackOnly(), ...calls] });
      return { trace, own, server: await reachedFromHere(own, traces) };
    };

    const first = await start('first.txt');
    const target = await uploadWhole(first.server, new Uint8Array(recording()));
    await vi.waitFor(async () => expect(await stateOf(first.server, target.missionId)).toBe('Ready'), {
      timeout: 120_000,
      interval: 200,
    });
    await vi.waitFor(async () => expect(await openJobs(first.server)).toEqual([]), { timeout: 60_000, interval: 200 });
    const { hlsProps, thumbnail } = await sensorOf(first.server, target.missionId);
    const playlist = await ask(first.server, hlsProps?.url ?? '');
    const segments = playlist.text.split('\n').filter((line) => line.endsWith('.ts'));
    expect(segments.length).toBeGreaterThan(1);
    for (const segment of segments) {
      const { status } = await ask(
        first.server,
        new URL(segment, new URL(hlsProps!.url, first.server.address)).pathname,
      );
      expect(status).toBe(200);
    }
    expect((await ask(first.server, thumbnail ?? '')).type).toBe('image/jpeg');
    expect(await askEverything(first.server, target)).toEqual([]);
    const page = await ask(first.server, '/missions');
    const scripts = [...page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(scripts.length).toBeGreaterThan(0);
    for (const path of [...scripts, '/help', '/api/docs', '/api/openapi.json']) {
      expect((await ask(first.server, path)).status, path).toBe(200);
    }
    expect((await first.own.stop()).code).toBe(0);

    const second = await start('second.txt');
    expect(await stateOf(second.server, target.missionId)).toBe('Ready');
    expect((await ask(second.server, hlsProps!.url)).status).toBe(200);
    expect((await second.own.stop()).code).toBe(0);

    for (const { trace } of [first, second]) {
      const calls = systemCalls(trace);
      expect(calls.filter(leaves)).toEqual([]);
      // Calls were seen: those to the database are among them.
      expect(calls.filter((call) => /^connect\(.*(AF_UNIX|127\.0\.0\.1)/.test(call)).length).toBeGreaterThan(0);
    }
  },
  300_000,
);
