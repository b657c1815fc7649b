// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { FakeRequest, resetServer, server } from '../testing/fake-tus.ts';
import { type UploadTarget, uploadStore } from './upload-store.ts';
import {
  cancelUpload,
  continueWith,
  interruptOthers,
  onUploadFailed,
  pauseUpload,
  resumeUpload,
  speedometer,
  startUpload,
} from './uploads.ts';

const { BROWSER_BUILD } = vi.hoisted(() => ({
  BROWSER_BUILD: '../../../../node_modules/tus-js-client/lib.esm/browser/index.js',
}));

// Tests run in Node, whose build of the library speaks by sockets; the page's speaks by XMLHttpRequest.
vi.mock('tus-js-client', () => vi.importActual(BROWSER_BUILD));

const target: UploadTarget = {
  kind: 'sensor',
  missionName: 'Alpha',
  label: 'SECRET',
  sensorId: 'sensor-1',
  sensorName: 'EO/IR',
};
const file = (name: string, bytes = 10) => new File([new Uint8Array(bytes)], name, { lastModified: 1234 });
const only = () => uploadStore.all()[0]!;
const state = (requested: string) => vi.waitFor(() => expect(only().state).toBe(requested), { interval: 5 });

beforeEach(() => {
  vi.stubGlobal('XMLHttpRequest', FakeRequest);
  localStorage.clear();
  localStorage.setItem('username', 'ana');
  localStorage.setItem('password', 'device');
  resetServer();
});
afterEach(() => {
  for (const { id } of uploadStore.all()) cancelUpload(id);
  vi.unstubAllGlobals();
});

it('sends the file with its sensor, name and time, and the credential', async () => {
  startUpload(file('kea.ts'), target);

  await state('done');

  const [upload] = [...server.uploads.values()];
  const metadata = Object.fromEntries(
    upload!.metadata.split(',').map((pair) => {
      const [key = '', value = ''] = pair.split(' ');
      return [key, atob(value)];
    }),
  );
  expect(metadata).toEqual({ sensorId: 'sensor-1', filename: 'kea.ts', lastModified: '1234' });
  expect(upload?.offset).toBe(10);
  expect(server.headers[0]?.authorization).toBe(`Basic ${btoa('ana:device')}`);
});

it('sends three at a time, the others after them', async () => {
  server.hold = true;
  for (const name of ['1.ts', '2.ts', '3.ts', '4.ts']) startUpload(file(name), target);
  await vi.waitFor(() => expect(server.held).toHaveLength(3));
  expect(uploadStore.all().map((item) => item.state)).toEqual(['running', 'running', 'running', 'waiting']);

  server.hold = false;
  for (const go of server.held) go();

  await vi.waitFor(() => expect(uploadStore.all().every((item) => item.state === 'done')).toBe(true));
});

it('resumes by itself after the server was away, from its offset', async () => {
  server.faults = ['down'];
  startUpload(file('kea.ts'), target);

  await state('unreachable');
  await state('done');
});

it('goes on with what the server has after a pause', async () => {
  server.hold = true;
  startUpload(file('kea.ts'), target);
  await vi.waitFor(() => expect(server.held).toHaveLength(1));

  pauseUpload(only().id);
  expect(only().state).toBe('paused');
  server.hold = false;
  resumeUpload(only().id);

  await state('done');
  expect(server.requests).toEqual(['POST', 'HEAD', 'PATCH']);
});

it('fails with the words of the server and restarts when tried again', async () => {
  const failures: string[] = [];
  const leave = onUploadFailed((item, message) => failures.push(`${item.fileName}: ${message}`));
  server.faults = [
    { status: 415, body: JSON.stringify({ code: 'unsupportedFile', text: 'Not a file that can be taken.' }) },
  ];
  startUpload(file('kea.ts'), target);

  await state('failed');
  expect(only().error).toBe('Not a file that can be taken.');
  expect(failures).toEqual(['kea.ts: Not a file that can be taken.']);

  resumeUpload(only().id);
  await state('done');
  leave();
});

it('asks the server to throw a cancelled upload away', async () => {
  server.hold = true;
  startUpload(file('kea.ts'), target);
  await vi.waitFor(() => expect(server.held).toHaveLength(1));

  cancelUpload(only().id);

  expect(uploadStore.all()).toEqual([]);
  await vi.waitFor(() => expect(server.uploads.size).toBe(0));
});

it('is remembered over a reload and goes on only with the same file', async () => {
  server.hold = true;
  startUpload(file('kea.ts'), target);
  await vi.waitFor(() => expect(server.held).toHaveLength(1));
  const remembered = JSON.parse(localStorage.getItem('uploads') ?? '[]') as { fileName: string; url: string }[];
  expect(remembered).toMatchObject([{ fileName: 'kea.ts', url: 'http://localhost:3000/api/uploads/1' }]);
  pauseUpload(only().id);
  uploadStore.change(only().id, { state: 'interrupted' });
  server.hold = false;

  expect(continueWith(only().id, file('other.ts'))).toBe(false);
  expect(continueWith(only().id, file('kea.ts', 11))).toBe(false);
  expect(continueWith(only().id, file('kea.ts'))).toBe(true);

  await state('done');
  expect(localStorage.getItem('uploads')).toBeNull();
});

it("shows an account's uploads to no other, stops when it leaves, and resumes when it is back", async () => {
  server.hold = true;
  startUpload(file('kea.ts'), target);
  await vi.waitFor(() => expect(server.held).toHaveLength(1));
  const { id } = only();

  localStorage.setItem('username', 'bob');
  interruptOthers();
  expect(uploadStore.all()).toEqual([]);
  localStorage.setItem('username', 'ana');

  expect(only()).toMatchObject({ id, state: 'interrupted' });
  server.hold = false;
  expect(continueWith(id, file('kea.ts'))).toBe(true);
  await state('done');
  expect(server.requests).toEqual(['POST', 'HEAD', 'PATCH']);
});

it('keeps what the server has when the session has ended', async () => {
  const failures: string[] = [];
  const leave = onUploadFailed((_item, message) => failures.push(message));
  server.hold = true;
  startUpload(file('kea.ts'), target);
  await vi.waitFor(() => expect(server.held).toHaveLength(1));

  server.faults = [{ status: 401, body: JSON.stringify({ text: 'Username / password not valid' }) }];
  server.hold = false;
  for (const go of server.held) go();

  await state('interrupted');
  expect(only().url).toBe('http://localhost:3000/api/uploads/1');
  expect(failures).toEqual([]);
  leave();
  expect(continueWith(only().id, file('kea.ts'))).toBe(true);
  await state('done');
});

it('goes on with an archive for import after a reload, where imports are kept', async () => {
  server.hold = true;
  startUpload(file('kea.zip'), { kind: 'import' });
  await vi.waitFor(() => expect(server.held).toHaveLength(1));
  const remembered = JSON.parse(localStorage.getItem('uploads') ?? '[]') as { fileName: string; url: string }[];
  expect(remembered).toMatchObject([{ fileName: 'kea.zip', url: 'http://localhost:3000/api/imports/1' }]);
  pauseUpload(only().id);
  uploadStore.change(only().id, { state: 'interrupted' });
  server.hold = false;

  expect(continueWith(only().id, file('kea.zip'))).toBe(true);

  await state('done');
  expect(server.requests).toEqual(['POST', 'HEAD', 'PATCH']);
});

it('asks for a map layer once its file is whole there, and tries that again without the bytes', async () => {
  const asked: unknown[] = [];
  const answers = [
    Response.json({ code: 'ruleRefused', text: 'The name is taken.' }, { status: 422 }),
    Response.json({}),
  ];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    asked.push([url, JSON.parse(String(body))]);
    return answers.shift();
  });
  startUpload(file('sea.mbtiles'), { kind: 'tiles' });

  await state('failed');
  expect(only().error).toBe('The name is taken.');
  resumeUpload(only().id);
  await state('done');

  expect(asked).toEqual(Array(2).fill(['/api/map/files', { upload: '1' }]));
  expect(server.requests).toEqual(['POST', 'PATCH', 'HEAD']);
  expect([...server.uploads.values()][0]?.metadata).toContain(`purpose ${btoa('tiles')}`);
  vi.unstubAllGlobals();
});

it('measures speed over the last seconds', () => {
  let now = 0;
  const speed = speedometer(() => now);

  expect(speed.add(0)).toBeNull();
  now = 100;
  expect(speed.add(1000)).toBeUndefined();
  now = 1000;
  expect(speed.add(5_000_000)).toBe(5_000_000);
});
