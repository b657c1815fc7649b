import { Buffer } from 'node:buffer';
import type { Append } from '../../base/storage/storage.ts';

const CHUNK_BYTES = 128 * 1024;
/**
 * Limit of the write queue for a slow disk: 40 s at 6 Mbit/s. Bytes beyond the limit are dropped and counted, to bound
 * memory.
 */
const BACKLOG_BYTES_MAX = 32 * 1024 * 1024;
/** Number of emptied buffers that are kept for reuse. */
const SPARE_MAX = 4;
const SYNC_MS = 500;

/** Number of queued bytes, summed over all files of one sensor. */
export type Backlog = { bytes: number };

export type FileWriterDeps = {
  backlog: Backlog;
  /** Opens the file. Bytes that arrive before it is open are queued. */
  open(): Promise<Append>;
  /** Bytes to write at the start of the file, before those given to `put`; null: none. */
  head: AsyncIterable<Uint8Array> | null;
  /** Called when `head` could not be read completely; the file continues without the rest of `head`. */
  headFailed(error: unknown): void;
  /** Called after bytes were written to the file. The bytes are valid only during the call. */
  written(bytes: Uint8Array): void;
  /** Called once, when a write or a sync failed: writing has ended, and `lostBytes` queued bytes are lost. */
  failed(error: unknown, lostBytes: number): void;
  nowMs(): number;
};

/** Appends a stream to one file without blocking the stream, with a few writes and two syncs per second. */
export type FileWriter = {
  /**
   * Copies the bytes into the queue. Returns false if the bytes were dropped, because the queue is full or the file has
   * failed.
   */
  put(bytes: Uint8Array): boolean;
  /** Called ten times a second: writes the queued bytes, and syncs the file when a sync is due. */
  tick(): void;
  /** Returns the number of bytes that were synced to disk and therefore survive a power cut. */
  syncedBytes(): number;
  /** Ends the file. Resolves when everything is written, synced and closed; resolves to false if the file failed. */
  end(): Promise<boolean>;
};

export function createFileWriter(deps: FileWriterDeps): FileWriter {
  const { backlog, nowMs } = deps;
  const queue: Buffer<ArrayBuffer>[] = [];
  const spare: Buffer<ArrayBuffer>[] = [];
  let chunk = Buffer.alloc(0);
  let filled = 0;
  let file: Append | null = null;
  let hasFailed = false;
  let synced = 0;
  let lastSyncMs = nowMs();
  let syncing: Promise<void> | null = null;
  let draining: Promise<void> | null = start();

  async function start(): Promise<void> {
    try {
      file = await deps.open();
      await writeHead(file).catch(deps.headFailed);
      await drain(file);
    } catch (error) {
      fail(error);
    } finally {
      draining = null;
    }
  }

  async function writeHead(target: Append): Promise<void> {
    for await (const bytes of deps.head ?? []) await write(target, bytes);
  }

  async function drain(target: Append): Promise<void> {
    for (let bytes = queue[0]; bytes && !hasFailed; bytes = queue[0]) {
      await write(target, bytes);
      if (hasFailed) return;
      queue.shift();
      backlog.bytes -= bytes.length;
      if (bytes.buffer.byteLength === CHUNK_BYTES && spare.length < SPARE_MAX) spare.push(Buffer.from(bytes.buffer));
    }
  }

  async function write(target: Append, bytes: Uint8Array): Promise<void> {
    await target.write(bytes);
    deps.written(bytes);
  }

  function fail(error: unknown): void {
    if (hasFailed) return;
    hasFailed = true;
    const lostBytes = queue.reduce((sum, bytes) => sum + bytes.length, filled);
    backlog.bytes -= lostBytes;
    queue.length = 0;
    filled = 0;
    deps.failed(error, lostBytes);
  }

  function put(bytes: Uint8Array): boolean {
    if (hasFailed || backlog.bytes + bytes.length > BACKLOG_BYTES_MAX) return false;
    backlog.bytes += bytes.length;
    for (let at = 0; at < bytes.length; ) {
      if (filled === chunk.length) nextChunk();
      const part = bytes.subarray(at, at + chunk.length - filled);
      chunk.set(part, filled);
      filled += part.length;
      at += part.length;
    }
    return true;
  }

  function nextChunk(): void {
    enqueue();
    chunk = spare.pop() ?? Buffer.allocUnsafeSlow(CHUNK_BYTES);
  }

  function enqueue(): void {
    if (filled > 0) {
      queue.push(chunk.subarray(0, filled));
      filled = 0;
      chunk = Buffer.alloc(0);
    }
    if (file === null || draining !== null || queue.length === 0) return;
    draining = drain(file)
      .catch(fail)
      .finally(() => {
        draining = null;
      });
  }

  function tick(): void {
    if (hasFailed) return;
    enqueue();
    const isDue = nowMs() - lastSyncMs >= SYNC_MS;
    if (file !== null && isDue && syncing === null && file.sizeBytes() > synced) syncing = sync(file);
  }

  /** Writing continues during a sync; bytes written meanwhile count as synced only after the next sync. */
  async function sync(target: Append): Promise<void> {
    const sizeBytes = target.sizeBytes();
    lastSyncMs = nowMs();
    try {
      await target.sync();
      synced = sizeBytes;
    } catch (error) {
      fail(error);
    } finally {
      syncing = null;
    }
  }

  async function end(): Promise<boolean> {
    while (!hasFailed && (draining !== null || filled > 0 || queue.length > 0)) {
      enqueue();
      await draining;
    }
    await draining;
    await syncing;
    if (file !== null && !hasFailed) await sync(file);
    await file?.close().catch(fail);
    return !hasFailed;
  }

  return { put, tick, syncedBytes: () => synced, end };
}
