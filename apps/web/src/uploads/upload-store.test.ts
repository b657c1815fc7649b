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
  Object.defineProperty(navigator, 'locks', { configurable: true, value: fakeLocks() });
});
afterEach(() => Reflect.deleteProperty(navigator, 'locks'));

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
