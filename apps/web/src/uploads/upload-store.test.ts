// @vitest-environment jsdom
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { UploadItem } from './upload-store.ts';

/** Locks as a browser has them for all its pages, without the modes. */
function fakeLocks() {
  const last = new Map<string, Promise<unknown>>();
  return {
    request(name: string, ...given: unknown[]) {
      const work = given.at(-1) as () => unknown;
      const done = (last.get(name) ?? Promise.resolve()).then(work);
      last.set(name, done);
      return done;
    },
  };
}

/** A channel for one test: pages of the one before still listen to theirs. */
function ownChannel() {
  const test = crypto.randomUUID();
  return class extends BroadcastChannel {
    constructor(name: string) {
      super(`${test} ${name}`);
    }
  };
}

/** A page of this browser: the same storage and locks, its own memory. */
async function openTab() {
  vi.resetModules();
  const { uploadStore } = await import('./upload-store.ts');
  return uploadStore;
}

const itemOf = (id: string): UploadItem => ({
  id,
  account: 'ana',
  target: { kind: 'import' },
  fileName: `${id}.zip`,
  sizeBytes: 10,
  lastModified: 0,
  sentBytes: 5,
  bytesPerSecond: null,
  state: 'running',
  error: null,
  url: `/api/imports/${id}`,
});
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);
const storedIds = () => idsOf(JSON.parse(localStorage.getItem('uploads') ?? '[]') as { id: string }[]);

beforeEach(() => {
  localStorage.clear();
  localStorage.setItem('username', 'ana');
  localStorage.setItem('password', 'device');
  vi.stubGlobal('BroadcastChannel', ownChannel());
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() });
});
afterEach(() => {
  vi.unstubAllGlobals();
  Reflect.deleteProperty(navigator, 'locks');
});

it('calls nothing interrupted that another page is sending, until that page is gone', async () => {
  const first = await openTab();
  first.add(itemOf('kea'));
  first.add(itemOf('milos'));

  const second = await openTab();
  first.change('milos', { state: 'interrupted' });

  await vi.waitFor(() => expect(idsOf(second.all())).toEqual(['milos']));
  first.change('kea', { state: 'interrupted' });
  await vi.waitFor(() => expect(idsOf(second.all())).toEqual(['milos', 'kea']));
  expect(second.all().every(({ state }) => state === 'interrupted')).toBe(true);
});

it('is gone from every page once one of them gave it up, and stays gone', async () => {
  const before = await openTab();
  for (const id of ['kea', 'milos']) {
    before.add(itemOf(id));
    before.change(id, { state: 'interrupted' });
  }
  const [first, second] = [await openTab(), await openTab()];
  await vi.waitFor(() => expect([...idsOf(first.all()), ...idsOf(second.all())]).toHaveLength(4));

  first.remove('kea');

  await vi.waitFor(() => expect(idsOf(second.all())).toEqual(['milos']));
  second.change('milos', { sentBytes: 6 });
  expect(storedIds()).toEqual(['milos']);
});

it('leaves an interrupted one to the page that goes on with it, until that one is interrupted again', async () => {
  const before = await openTab();
  before.add(itemOf('kea'));
  before.change('kea', { state: 'interrupted' });
  const [first, second] = [await openTab(), await openTab()];
  await vi.waitFor(() => expect(idsOf([...first.all(), ...second.all()])).toEqual(['kea', 'kea']));

  first.change('kea', { state: 'waiting' });

  await vi.waitFor(() => expect(second.all()).toEqual([]));
  expect(storedIds()).toEqual(['kea']);
  first.change('kea', { state: 'running', sentBytes: 7 });
  first.change('kea', { state: 'interrupted' });
  await vi.waitFor(() => expect(second.all()).toMatchObject([{ id: 'kea', state: 'interrupted', sentBytes: 7 }]));
});

it('forgets nothing that another page is sending', async () => {
  const [first, second] = [await openTab(), await openTab()];
  first.add(itemOf('kea'));

  second.add(itemOf('milos'));
  expect(storedIds()).toEqual(['kea', 'milos']);
  second.change('milos', { state: 'done' });
  expect(storedIds()).toEqual(['kea']);
  first.remove('kea');

  expect(localStorage.getItem('uploads')).toBeNull();
});
