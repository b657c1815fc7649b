import { classificationWord } from '@osprey/contract';
import { useSyncExternalStore } from 'react';
import { z } from 'zod';
import { storedCredentials } from '../api/credentials.ts';
import { readStoredJson, writeStored } from '../app/keys.ts';

export const uploadStates = ['waiting', 'running', 'paused', 'unreachable', 'interrupted', 'failed', 'done'] as const;
export type UploadState = (typeof uploadStates)[number];

const uploadTarget = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('sensor'),
    missionName: z.string(),
    /** Of the mission. Where an earlier visit did not keep it, it counts as the highest. */
    label: classificationWord.default('TOP SECRET'),
    sensorId: z.string(),
    sensorName: z.string(),
  }),
  // A mission archive, which becomes missions of its own.
  z.object({ kind: z.literal('import') }),
]);
/** What a file is for. */
export type UploadTarget = z.infer<typeof uploadTarget>;

/** One file on its way to the server, as the lists show it. */
export type UploadItem = {
  id: string;
  /** Who sends it: nobody else in this browser is shown it. */
  account: string;
  target: UploadTarget;
  fileName: string;
  sizeBytes: number;
  /** Milliseconds since 1970, as the browser tells it of the file. */
  lastModified: number;
  sentBytes: number;
  bytesPerSecond: number | null;
  state: UploadState;
  /** Why `failed`. */
  error: string | null;
  /** Where the server keeps what it has; null until it answered the first time. */
  url: string | null;
};

const STORAGE_KEY = 'uploads';

const stored = z.array(
  z.object({
    id: z.string(),
    // Where an earlier visit did not keep it, it is nobody's.
    account: z.string().default(''),
    target: uploadTarget,
    fileName: z.string(),
    sizeBytes: z.number(),
    lastModified: z.number(),
    sentBytes: z.number(),
    url: z.string(),
  }),
);

/** Those that an earlier visit left unfinished: they go on when the same file is chosen again. */
function interrupted(): UploadItem[] {
  const parsed = stored.safeParse(readStoredJson(STORAGE_KEY));
  if (!parsed.success) return [];
  return parsed.data.map((item) => ({ ...item, bytesPerSecond: null, state: 'interrupted', error: null }));
}

let items: readonly UploadItem[] = interrupted();
let own: { of: readonly UploadItem[]; account: string; items: readonly UploadItem[] } | null = null;
const listeners = new Set<() => void>();

function set(next: readonly UploadItem[]) {
  items = next;
  const unfinished = items.filter(({ state, url }) => url !== null && state !== 'done' && state !== 'failed');
  writeStored(STORAGE_KEY, unfinished.length === 0 ? null : JSON.stringify(unfinished));
  for (const listener of listeners) listener();
}

/** Whose uploads this browser may show now; empty where nobody is signed in. */
export const uploadAccount = (): string => storedCredentials()?.username ?? '';

function ownItems(): readonly UploadItem[] {
  const account = uploadAccount();
  if (own?.of !== items || own.account !== account) {
    own = { of: items, account, items: account === '' ? [] : items.filter((item) => item.account === account) };
  }
  return own.items;
}

export const uploadStore = {
  /** Of whoever is signed in. */
  all: ownItems,
  ofOthers: () => items.filter(({ account }) => account !== uploadAccount()),
  get: (id: string) => items.find((item) => item.id === id),
  add: (item: UploadItem) => set([...items, item]),
  change: (id: string, fields: Partial<UploadItem>) =>
    set(items.map((item) => (item.id === id ? { ...item, ...fields } : item))),
  remove: (id: string) => set(items.filter((item) => item.id !== id)),
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
