import type { Readable } from 'node:stream';

/** A stored file: its length and the SHA-256 of its bytes, in hex. */
export type Stored = { sizeBytes: number; sha256: string };

export type StoredStat = { sizeBytes: number; modifiedMs: number };

/**
 * A half-open range of bytes, `end` excluded. Without `end` it extends to the end of the file. A range beyond the end
 * of the file is shortened, or fails with CutShort if `isComplete` is set.
 */
export type ByteRange = { start: number; end?: number; isComplete?: boolean };

/** A file opened for random-access reading. The caller that opened it must close it. */
export type StoredFile = {
  readonly sizeBytes: number;
  /** Fills `buffer` from `position` on; fewer bytes come only at the end of the file. */
  read: (buffer: Uint8Array, position: number) => Promise<number>;
  close: () => Promise<void>;
};

/** A growing file. Callers must ensure that there is only one writer at a time. */
export type Append = {
  /** Number of bytes written so far, whether or not they are synced. */
  sizeBytes: () => number;
  write: (bytes: Uint8Array) => Promise<void>;
  /**
   * Syncs the file, so that everything written so far survives a power failure. After one failure, all later calls fail
   * too, since the data of a failed sync must be considered lost.
   */
  sync: () => Promise<void>;
  /** Truncates the file to `sizeBytes`. */
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
  /**
   * Stores a whole file and replaces an existing one. The file has a temporary name until it is synced, so that readers
   * never see an incomplete one.
   */
  put: (key: string, source: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) => Promise<Stored>;
  /** Opens a growing file at its end, making it when absent. */
  append: (key: string) => Promise<Append>;
  read: (key: string, range?: ByteRange) => Readable;
  open: (key: string) => Promise<StoredFile>;
  /** Null for an absent key. */
  stat: (key: string) => Promise<StoredStat | null>;
  /** Renames a file durably. An existing target is replaced. */
  move: (from: string, to: string) => Promise<void>;
  /**
   * Makes the same bytes available under a second key: as a hard link if the medium supports it, else as a copy.
   * Neither file may be written to afterwards.
   */
  duplicate: (from: string, to: string) => Promise<void>;
  /** Removes one file. An absent file is no error. */
  remove: (key: string) => Promise<void>;
  /** Removes everything in a directory, such as `indexes/{sensorId}`. */
  removeAll: (folder: string) => Promise<void>;
  /** Whether a directory of this name exists, empty or not. */
  hasFolder: (folder: string) => Promise<boolean>;
  /** Yields every file in a directory, in no particular order. */
  list: (folder: string) => AsyncIterable<StoredStat & { key: string }>;
  space: () => Promise<{ freeBytes: number; totalBytes: number }>;
  /** Removes temporary files that a crash left, when older than this. */
  sweep: (olderThanMs: number) => Promise<number>;
  /** Returns the file's path on disk; only for the decoder sandbox. */
  path: (key: string) => string;
};

export class NotStored extends Error {
  override name = 'NotStored';
}

const KEY_MAX = 240;
const part = /^[A-Za-z0-9_-][A-Za-z0-9._-]*$/;

/** A file ends before the requested bytes. */
export class CutShort extends Error {
  override name = 'CutShort';
}

/**
 * Rejects keys that could leave their directory or collide with a temporary file. An invalid key is a fault of the
 * server, never of a user.
 */
export function checkKey(key: string): string {
  const parts = key.split('/');
  if (key.length > KEY_MAX || parts.length < 2 || !parts.every((name) => part.test(name))) {
    throw new RangeError('Not a storage key');
  }
  return key;
}

/** Checks the name of a directory: a key without its last part, of at least one part. */
export function checkFolder(folder: string): string {
  checkKey(`${folder}/x`);
  return folder;
}
