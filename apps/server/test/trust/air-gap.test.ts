import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Backup,
  createBackup,
  type DocumentRow,
  documentRow,
  type ExportTask,
  exportMissions,
  type ImportTask,
  type IntakeFile,
  type LivePlatform,
  type PlatformControlled,
  uploadLicence,
} from '@osprey/contract';
import { expect, it, vi } from 'vitest';
import { testData, testDataFolder } from '../../../../tools/test-support/test-data.ts';
import { openApi } from '../../src/base/http/openapi.ts';
import { atEnd } from '../cleanup.ts';
import { codedFlight } from '../coded-flight.ts';
import { documentForm } from '../documents.ts';
import { licenceForm, licenceKey, tokenOf } from '../licences.ts';
import { liveViewer } from '../live-viewers.ts';
import { reachedFromHere } from '../network-namespace.ts';
import { openPlatform } from '../platforms.ts';
import { dataFolder, type RunningServer } from '../running-server.ts';
import {
  authorization,
  openJobs,
  recording,
  sensorOf,
  startWithAdmin,
  stateOf,
  uploadComplete,
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

async function post(server: RunningServer, path: string, { headers = {}, payload }: Sent = {}): Promise<unknown> {
  const body = payload instanceof Uint8Array ? new Uint8Array(payload) : (payload ?? null);
  const answer = await fetch(new URL(path, server.address), {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}
type Sent = { headers?: Record<string, string>; payload?: string | Uint8Array };
const jsonOf = (body: object): Sent => ({
  headers: { 'content-type': 'application/json' },
  payload: JSON.stringify(body),
});
const reported = async <T>(server: RunningServer, path: string): Promise<T> =>
  JSON.parse((await ask(server, path)).text) as T;
const patiently = { timeout: 120_000, interval: 200 };

/** A document whose text is read by a child, and found and brought again. */
async function keepDocument(server: RunningServer): Promise<void> {
  const bytes = readFileSync(testData('docs/alliance-markings/topsecret_cosmic.pdf'));
  const fields = { title: 'marks', documentType: 'Note', securityClassification: '1', audience: 'everyone' };
  const made = documentRow.parse(
    await post(server, '/api/documents', documentForm(fields, { name: 'marks.pdf', bytes })),
  );
  const found = () => reported<DocumentRow[]>(server, '/api/documents?search=cosmic');
  await vi.waitFor(async () => expect(await found()).toMatchObject([{ _id: made._id, state: 'Ready' }]), patiently);
  expect((await ask(server, `/api/documents/thumbnails/${made._id}.webp`)).type).toBe('image/webp');
  expect((await ask(server, `/api/documents/${made._id}/pages/1`)).type).toBe('image/webp');
}

/** A mission as an archive, made by the worker, and brought in again. */
async function moveMission(server: RunningServer, missionId: string): Promise<void> {
  const order = jsonOf({ missions: [missionId], async: true });
  const { id } = exportMissions.answer.parse(await post(server, '/api/missions/export', order));
  await vi.waitFor(
    async () =>
      expect(await reported<ExportTask[]>(server, '/api/exports')).toMatchObject([{ _id: id, state: 'done' }]),
    patiently,
  );
  const archive = await fetch(`${server.address}/api/exports/${id}`, { headers: { authorization } });
  const bytes = new Uint8Array(await archive.arrayBuffer());
  const tus = { authorization, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${server.address}/api/imports`, {
    method: 'POST',
    headers: {
      ...{ ...tus, 'upload-length': String(bytes.byteLength) },
      'upload-metadata': `filename ${Buffer.from('a.zip').toString('base64')}`,
    },
  });
  const sent = await fetch(`${server.address}${begun.headers.get('location')}`, {
    method: 'PATCH',
    headers: { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    body: bytes,
  });
  expect(sent.status).toBe(204);
  await vi.waitFor(
    async () => expect(await reported<ImportTask[]>(server, '/api/imports')).toMatchObject([{ state: 'done' }]),
    patiently,
  );
}

/** A backup, proven by restoring it into a database of its own. */
async function backUp(server: RunningServer): Promise<void> {
  const { name } = createBackup.answer.parse(await post(server, '/api/backups'));
  await vi.waitFor(
    async () => expect(await reported<Backup[]>(server, '/api/backups')).toMatchObject([{ name, state: 'verified' }]),
    patiently,
  );
}

const FLIGHT_PORT = 5004;
const PLATFORM = openPlatform({ EO: FLIGHT_PORT });
/** In the network of the server: what sends, and who watches it by WebRTC. */
const inside = `
const [paced, whep, path, address, sensor, authorization] = process.argv.slice(1);
const { readFileSync } = await import('node:fs');
const { sendPaced } = await import(paced);
const { whepViewer } = await import(whep);
const turn = () => new Promise((done) => setTimeout(done, 200));
await sendPaced({ bytes: readFileSync(path), port: ${FLIGHT_PORT}, rounds: 1000 });
await new Promise((done) => process.stdin.once('data', done));
const watch = () => whepViewer(address, sensor, { authorization }, { addresses: ['127.0.0.1'] });
let viewer = await watch();
// Until the stream is known, and who may see what is made of it.
for (; viewer.status === 422 || viewer.status === 503; viewer = await watch()) await turn();
if (viewer.status !== 201) throw new Error(viewer.body);
for (; viewer.pictures.length < 25; await turn()) {
  if (/failed|closed/.test(viewer.state())) throw new Error(viewer.state());
}
console.log('watched');
`;

/** A platform that is flown, watched in each way, and recorded. `own`: the server as it says of itself. */
async function flyAndWatch(server: RunningServer, own: RunningServer, folder: string): Promise<void> {
  const form = new FormData();
  form.append('platforms', new Blob([PLATFORM]), 'platforms.yml');
  const sent = { method: 'POST', headers: { authorization }, body: form };
  expect((await fetch(`${server.address}/api/upload/platformsConfig`, sent)).status).toBe(200);
  const platforms = () => reported<LivePlatform[]>(server, '/api/platforms');
  const sensorId = (await platforms())[0]!.sensors[0]!._id;
  const path = join(folder, 'flight.ts');
  writeFileSync(path, codedFlight(['h264'], 10)[0]!);
  const [paced, whep] = ['../../../../tools/test-support/paced-sender.ts', '../whep-client.ts'].map(
    (file) => new URL(file, import.meta.url).href,
  ) as [string, string];
  const program = ['--input-type=module', '-e', inside, paced, whep, path, own.address, sensorId, authorization];
  const stay = ['--net', '-t', String(own.process.pid), process.execPath, ...program];
  const child = spawn('nsenter', stay, { stdio: ['pipe', 'pipe', 'inherit'] });
  atEnd(async () => child.kill());
  const watched = new Promise((resolve, reject) => {
    child.stdout.once('data', resolve);
    child.once('exit', reject);
  });
  await vi.waitFor(
    async () => expect((await platforms())[0]!.sensors[0]).toMatchObject({ state: 'online' }),
    patiently,
  );
  const control = (command: 'start' | 'stop', more: object) =>
    post(server, `/api/platforms/control?command=${command}`, jsonOf({ platformName: 'KEA-1', ...more }));
  const { mission } = (await control('start', { record: true })) as PlatformControlled;
  child.stdin.write('recorded\n');

  await watched;
  const { ticket } = (await post(server, '/api/tickets')) as { ticket: string };
  const viewer = await liveViewer(server.address, { ticket, sensor: sensorId, video: true });
  await vi.waitFor(() => expect(viewer.media.length).toBeGreaterThan(25), patiently);
  viewer.socket.close();
  const list = `/api/live/${sensorId}/index.m3u8`;
  const segment = await vi.waitFor(async () => {
    const name = (await ask(server, list)).text.split('\n').find((line) => /\.ts/.test(line) && !line.startsWith('#'));
    return name ?? expect.unreachable();
  }, patiently);
  expect((await ask(server, new URL(segment, new URL(list, server.address)).href)).status).toBe(200);

  await control('stop', {});
  const state = () => stateOf(server, mission!._id);
  await vi.waitFor(async () => expect(await state()).toBe('Ready'), patiently);
  child.kill();
}

const ISSUER_PORT = 5014;
const SIGN_ON = { OSPREY_OIDC_ISSUER: `http://127.0.0.1:${ISSUER_PORT}`, OSPREY_OIDC_CLIENT_ID: 'osprey' };
/** In the network of the server: the site's identity provider, and a browser that signs in by it. */
const signOnInside = `
const [provider, browser, address] = process.argv.slice(1);
const { testIdentityProvider } = await import(provider);
const { redirectBrowser } = await import(browser);
const site = await testIdentityProvider({ clientId: 'osprey', secret: null, port: ${ISSUER_PORT} });
site.register(address + '/api/single-sign-on/callback');
site.signInAs({ subject: 'ida-1', claims: { preferred_username: 'Ida' } });
const start = address + '/api/single-sign-on/start';
console.log(await redirectBrowser().follow(start, (location) => location.startsWith('/login')));
process.exit(0);
`;

/** Returns where a sign-in by the identity provider ends. */
async function signOn(own: RunningServer): Promise<string> {
  const modules = ['../../../../tools/test-support/identity-provider.ts', '../redirect-browser.ts'].map(
    (file) => new URL(file, import.meta.url).href,
  );
  const program = ['--input-type=module', '-e', signOnInside, ...modules, own.address];
  const stay = ['--net', '-t', String(own.process.pid), process.execPath, ...program];
  const child = spawn('nsenter', stay, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  for await (const part of child.stdout) said += String(part);
  return said.trim();
}

/** Where a call of the system would lead out of the machine, or asks for a name. */
function leaves(call: string): boolean {
  const [, port = ''] = /sin6?_port=htons\((\d+)\)/.exec(call) ?? [];
  const [, four = ''] = /sin_addr=inet_addr\("([^"]+)"\)/.exec(call) ?? [];
  const [, six = ''] = /inet_pton\(AF_INET6, "([^"]+)"/.exec(call) ?? [];
  const isFar = (four !== '' && !four.startsWith('127.')) || (six !== '' && !/^(::1|::ffff:127\.)/.test(six));
  return isFar || (port === '53' && (four !== '' || six !== ''));
}

/** Every part of the product that a page or a program asks for. Returns what was answered with a fault of the server. */
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
  'T-110 first start, upload, play, map, help, live, documents, export, import, a watched folder, licence, backup, restart and ' +
    'single sign-on work on loopback alone, and nothing tries to leave',
  { tags: 'long', timeout: 300_000 },
  async () => {
    const dataDir = await dataFolder();
    const { privateKey } = await licenceKey(dataDir);
    const traces = await dataFolder();
    const inbox = join(traces, 'inbox');
    mkdirSync(inbox);
    copyFileSync(testData('ts/kwiver/h264_klv.ts'), join(inbox, 'patrol.ts'));
    const start = async (name: string, settings = {}) => {
      const trace = join(traces, name);
      const calls = tracedBy(TRACED, trace);
      const env = { OSPREY_WATCH: inbox, ...settings };
      const own = await startWithAdmin(dataDir, env, { wrapper: [...onLoopbackOnly(), ...calls] });
      return { trace, own, server: await reachedFromHere(own, traces) };
    };

    const first = await start('first.txt');
    const target = await uploadComplete(first.server, new Uint8Array(recording()));
    await vi.waitFor(async () => expect(await stateOf(first.server, target.missionId)).toBe('Ready'), {
      timeout: 120_000,
      interval: 200,
    });
    await vi.waitFor(async () => expect(await openJobs(first.server)).toEqual([]), { interval: 200 });
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
    for (const path of [...scripts, '/base-map/0/0/0.pbf', '/help', '/api/docs', '/api/openapi.json']) {
      expect((await ask(first.server, path)).status, path).toBe(200);
    }
    await flyAndWatch(first.server, first.own, traces);
    await keepDocument(first.server);
    await moveMission(first.server, target.missionId);
    const licensed = await post(first.server, '/api/upload/license', licenceForm(tokenOf(privateKey)));
    expect(uploadLicence.answer.parse(licensed)).toMatchObject({ valid: true });
    await backUp(first.server);
    const taken = () => reported<IntakeFile[]>(first.server, '/api/intake/files');
    await vi.waitFor(
      async () => expect(await taken()).toMatchObject([{ name: 'patrol.ts', outcome: 'taken' }]),
      patiently,
    );
    expect((await first.own.stop()).code).toBe(0);

    const second = await start('second.txt', SIGN_ON);
    expect(await stateOf(second.server, target.missionId)).toBe('Ready');
    expect((await ask(second.server, hlsProps!.url)).status).toBe(200);
    expect(await signOn(second.own)).toBe('/login#single-sign-on=done');
    expect((await second.own.stop()).code).toBe(0);

    for (const { trace } of [first, second]) {
      const calls = systemCalls(trace);
      expect(calls.filter(leaves)).toEqual([]);
      // Calls were seen: those to the database are among them.
      expect(calls.filter((call) => /^connect\(.*(AF_UNIX|127\.0\.0\.1)/.test(call)).length).toBeGreaterThan(0);
    }
  },
);
