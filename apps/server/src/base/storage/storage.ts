import type { Readable } from 'node:stream';

/** A stored file: its length and the SHA-256 of its bytes, in hex. */
export type Stored = { sizeBytes: number; sha256: string };

export type StoredStat = { sizeBytes: number; modifiedMs: number };

/**
 * A half-open range of bytes, `end` excluded; without `end`, up to the end of the file. A range that reaches past the end
 * is cut there; with `isComplete` it fails with CutShort.
 */
export type ByteRange = { start: number; end?: number; isComplete?: boolean };

/** A file open for reading at any place. The opener closes it. */
export type StoredFile = {
  readonly sizeBytes: number;
  /** Fills `buffer` from `position` on; fewer bytes come only at the end of the file. */
  read: (buffer: Uint8Array, position: number) => Promise<number>;
  close: () => Promise<void>;
};

/** A file that grows. One writer at a time, which the caller sees to. */
export type Append = {
  /** Bytes written so far, durable or not. */
  sizeBytes: () => number;
  write: (bytes: Uint8Array) => Promise<void>;
  /** After it, all that was written survives a power cut. After one failure each later call fails: a failed sync is believed. */
  sync: () => Promise<void>;
  /** Cuts everything after `sizeBytes`. */
  truncate: (sizeBytes: number) => Promise<void>;
  close: () => Promise<void>;
};

/**
 * Store of originals, indexes and pictures. Keys are made by the server from ids, never from a user's file name:
 * `originals/{sensorId}/{fileId}.ts`, `renditions/{sensorId}/{fileId}.ts`, `indexes/{sensorId}/…`,
 * `pictures/{missionId}/…`, `uploads/…`.
 * Reading an absent key throws NotStored; every other failure is the medium's own error.
 */
export type Storage = {
  /** Stores a whole file: under a temporary name until synced, so a reader never meets half of it. Replaces an old one. */
  put: (key: string, source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => Promise<Stored>;
  /** Opens a growing file at its end, making it when absent. */
  append: (key: string) => Promise<Append>;
  read: (key: string, range?: ByteRange) => Readable;
  open: (key: string) => Promise<StoredFile>;
  /** Null for an absent key. */
  stat: (key: string) => Promise<StoredStat | null>;
  /** Durable rename; the target is replaced. */
  move: (from: string, to: string) => Promise<void>;
  /**
   * The same bytes under one more key: a second name of the file where its medium has those, else a copy. Neither may be
   * written to from then on.
   */
  duplicate: (from: string, to: string) => Promise<void>;
  /** Removes one file; an absent one is no failure. */
  remove: (key: string) => Promise<void>;
  /** Removes everything under a folder, `indexes/{sensorId}`. */
  removeAll: (folder: string) => Promise<void>;
  /** Whether there is a folder of this name, with files or without. */
  hasFolder: (folder: string) => Promise<boolean>;
  /** Every file under a folder, in no order. */
  list: (folder: string) => AsyncIterable<StoredStat & { key: string }>;
  space: () => Promise<{ freeBytes: number; totalBytes: number }>;
  /** Removes temporary files that a crash left, when older than this. */
  sweep: (olderThanMs: number) => Promise<number>;
  /** The place in the file system, for the decoder sandbox only. */
  path: (key: string) => string;
};

export class NotStored extends Error {
  override name = 'NotStored';
}

const KEY_MAX = 240;
const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** A file ends before the bytes that were asked for. */
export class CutShort extends Error {
  override name = 'CutShort';
}

/** Refuses every key that could leave its folder or meet a temporary file. A wrong key is a fault of ours, not of a user. */
export function checkKey(key: string): string {
  const parts = key.split('/');
  if (key.length > KEY_MAX || parts.length < 2 || !parts.every((name) => part.test(name))) {
    throw new RangeError('Not a storage key');
  }
  return key;
}

/** A folder is the key without its last part: one part or more. */
export function checkFolder(folder: string): string {
  checkKey(`${folder}/x`);
  return folder;
}
