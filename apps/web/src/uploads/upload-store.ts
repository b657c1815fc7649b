import { classificationWord } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { storedCredentials } from '../api/credentials.ts';
import { readStoredJson, writeStored } from '../base/keys.ts';

export const uploadStates = ['waiting', 'running', 'paused', 'unreachable', 'interrupted', 'failed', 'done'] as const;
export type UploadState = (typeof uploadStates)[number];

const uploadTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sensor'),
    /** Undefined if an earlier version did not store it. */
    missionId: z.string().optional(),
    missionName: z.string(),
    /** Label of the mission; the highest one if an earlier version did not store it. */
    label: classificationWord.default('TOP SECRET'),
    sensorId: z.string(),
    sensorName: z.string(),
  }),
  // A mission archive, which is imported as new missions.
  z.object({ kind: z.literal('import') }),
  // A file of map tiles, which becomes a map layer.
  z.object({ kind: z.literal('tiles') }),
]);
/** Target of a file. */
export type UploadTarget = z.infer<typeof uploadTarget>;

/** A file being uploaded, as shown in the lists. */
export type UploadItem = {
  id: string;
  /** Account that uploads the file; other accounts in this browser do not see it. */
  account: string;
  target: UploadTarget;
  fileName: string;
  sizeBytes: number;
  /** Time of the last modification in milliseconds since 1970, as stated by the browser. */
  lastModified: number;
  sentBytes: number;
  bytesPerSecond: number | null;
  state: UploadState;
  /** Reason, if the state is `failed`. */
  error: string | null;
  /** URL of the upload on the server; null until its first answer. */
  url: string | null;
};

const STORAGE_KEY = 'uploads';

const stored = z.array(
  z.object({
    id: z.string(),
    // If an earlier version did not store it, the upload belongs to no account.
    account: z.string().default(''),
    target: uploadTarget,
    fileName: z.string(),
    sizeBytes: z.number(),
    lastModified: z.number(),
    sentBytes: z.number(),
    url: z.string(),
  }),
);

const storedItems = (): z.output<typeof stored> => stored.safeParse(readStoredJson(STORAGE_KEY)).data ?? [];

let items: readonly UploadItem[] = [];
let own: { of: readonly UploadItem[]; account: string; items: readonly UploadItem[] } | null = null;
const listeners = new Set<() => void>();
/** Ids of all uploads that this page has listed; other stored ones belong to other pages. */
const existing = new Set<string>();

function set(next: readonly UploadItem[]) {
  items = next;
  for (const { id } of items) existing.add(id);
  holdUnderWay();
  const unfinished = items.filter(({ state, url }) => url !== null && state !== 'done' && state !== 'failed');
  const all = [...storedItems().filter(({ id }) => !existing.has(id)), ...unfinished];
  writeStored(STORAGE_KEY, all.length === 0 ? null : JSON.stringify(all));
  for (const listener of listeners) listener();
}

/** Function that releases the lock of each upload, by id. */
const held = new Map<string, () => void>();
const underWay: readonly UploadState[] = ['waiting', 'running', 'paused', 'unreachable'];
/** Undefined in pages loaded by http from another machine, which therefore cannot detect each other's uploads. */
const locks: LockManager | undefined = (navigator as Partial<Navigator>).locks;
const lockOf = (id: string) => `upload ${id}`;
/** Channel to the other pages of this browser, for the id of an upload that continues in this page. */
const takenHere = new BroadcastChannel('uploads under way');
/**
 * Channel to the other pages of this browser, for the id of an upload that was cancelled in this page, so that no other
 * page lists or stores it.
 */
const givenUpHere = new BroadcastChannel('uploads given up');

/**
 * Holds a lock for each active upload, which shows other pages of this browser that it is running. The browser releases
 * it when the page is closed.
 */
function holdUnderWay(): void {
  const busy = new Set(items.filter(({ state }) => underWay.includes(state)).map(({ id }) => id));
  for (const [id, letGo] of held) {
    if (busy.has(id)) continue;
    held.delete(id);
    letGo();
  }
  for (const id of busy) {
    if (held.has(id)) continue;
    const ended = new Promise<void>((letGo) => held.set(id, letGo));
    if (locks === undefined) {
      takenHere.postMessage(id);
      continue;
    }
    const hold = () => {
      // Sent only now that this page has the lock, so that another page which requests it has to wait.
      takenHere.postMessage(id);
      return ended;
    };
    locks.request(lockOf(id), hold).catch(() => null);
  }
}

/** Lists an upload that an earlier visit left unfinished; it continues when the same file is chosen again. */
function takeUp(id: string): void {
  const item = storedItems().find((one) => one.id === id);
  if (item && !existing.has(id)) set([...items, { ...item, bytesPerSecond: null, state: 'interrupted', error: null }]);
}

function takeUpWhenFree(id: string): void {
  locks?.request(lockOf(id), { mode: 'shared' }, () => takeUp(id)).catch(() => null);
}

/** Leaves an upload to another page, which alone may end it. It is hidden here until that page releases its lock. */
function leaveToOther(id: string): void {
  if (items.find((item) => item.id === id)?.state !== 'interrupted') return;
  existing.delete(id);
  set(items.filter((item) => item.id !== id));
  takeUpWhenFree(id);
}

/** Removes a cancelled upload, but only if it waits to be resumed; others may be ended only by their own page. */
function dropGivenUp(id: string): void {
  if (items.find((item) => item.id === id)?.state === 'interrupted') set(items.filter((item) => item.id !== id));
}

givenUpHere.onmessage = ({ data }) => dropGivenUp(String(data));
takenHere.onmessage = ({ data }) => leaveToOther(String(data));
for (const { id } of storedItems()) {
  if (locks === undefined) takeUp(id);
  else takeUpWhenFree(id);
}

/** Account whose uploads may be shown now; empty if none is signed in. */
export const uploadAccount = (): string => storedCredentials()?.username ?? '';

function ownItems(): readonly UploadItem[] {
  const account = uploadAccount();
  if (own?.of !== items || own.account !== account) {
    own = { of: items, account, items: account === '' ? [] : items.filter((item) => item.account === account) };
  }
  return own.items;
}

export const uploadStore = {
  /** Uploads of the signed-in account. */
  all: ownItems,
  ofOthers: () => items.filter(({ account }) => account !== uploadAccount()),
  get: (id: string) => items.find((item) => item.id === id),
  add: (item: UploadItem) => set([...items, item]),
  change: (id: string, fields: Partial<UploadItem>) =>
    set(items.map((item) => (item.id === id ? { ...item, ...fields } : item))),
  remove(id: string) {
    set(items.filter((item) => item.id !== id));
    givenUpHere.postMessage(id);
  },
  subscribe(listener: () => void) {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
};

export function useUploads(): readonly UploadItem[] {
  return useSyncExternalStore(uploadStore.subscribe, ownItems);
}
