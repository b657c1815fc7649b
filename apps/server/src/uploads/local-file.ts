import { createHash } from 'node:crypto';
import { constants, createReadStream } from 'node:fs';
import { AppError } from '@osprey/contract';
import type { AcceptDeps, Received } from './accept.ts';
import { createJudge } from './judge.ts';
import { receive } from './receive.ts';

/** Microseconds in a millisecond. */
const US = 1000;

export type LocalFile = {
  id: string;
  /** Name that is shown to users. */
  name: string;
  path: string;
  /** Modification time of the file; null when it has none. */
  modifiedMs: number | null;
  signal?: AbortSignal;
};

/** Thrown when a file cannot be read because of its permissions or its disk. Other files are not affected. */
export class UnreadableFile extends AppError {
  constructor({ code }: NodeJS.ErrnoException, cause?: unknown) {
    super('unsupportedFile', { reason: `it cannot be read (${code ?? 'no reason given'})` }, cause);
  }
}

/** Copies a file of this machine to an upload key, where it is durable, hashed and checked. @throws AppError */
export async function takeLocalFile(
  { storage }: Pick<AcceptDeps, 'storage'>,
  { id, name, path, modifiedMs, signal }: LocalFile,
): Promise<Received> {
  const key = `uploads/${id}.part`;
  const hash = createHash('sha256');
  const judge = createJudge(storage, key, name);
  await storage.remove(key);
  let unreadable: NodeJS.ErrnoException | null = null;
  try {
    const file = await storage.append(key);
    try {
      const flags = constants.O_RDONLY | constants.O_NOFOLLOW;
      const source = createReadStream(path, { flags: flags as never, ...(signal ? { signal } : {}) });
      source.once('error', (error) => {
        if (!signal?.aborted) unreadable = error;
      });
      await receive({ source, file, hash, maxBytes: Number.POSITIVE_INFINITY, durable: judge.grown });
    } finally {
      await file.close();
    }
    const kind = await judge.complete();
    const lastModified = modifiedMs === null ? null : Math.round(modifiedMs * US);
    return { id, key, kind, name, sizeBytes: file.sizeBytes(), sha256: hash.digest('hex'), lastModified };
  } catch (error) {
    await storage.remove(key);
    throw unreadable === null ? error : new UnreadableFile(unreadable, error);
  }
}
