import { Buffer } from 'node:buffer';
import type { Append } from '../../base/storage/storage.ts';

const CHUNK_BYTES = 128 * 1024;
/** Limit of the queue for a slow disk: 40 s of 6 Mbit/s. Bytes beyond it are dropped and counted, to bound memory. */
const BACKLOG_BYTES_MAX = 32 * 1024 * 1024;
/** Number of emptied buffers that are kept for reuse. */
const SPARE_MAX = 4;
const SYNC_MS = 500;

/** Queued bytes of all files of one sensor. */
export type Backlog = { bytes: number };

export type FileWriterDeps = {
  backlog: Backlog;
  /** Opens the file; bytes that arrive meanwhile are queued. */
  open(): Promise<Append>;
  /** Bytes to write before all others; null: none. */
  head: AsyncIterable<Uint8Array> | null;
  /** Called when `head` could not be read to its end; the file continues without the rest of it. */
  headFailed(error: unknown): void;
  /** Called with bytes that are now in the file; they are valid during the call only. */
  written(bytes: Uint8Array): void;
  /** Called once, when a write or a sync failed: writing has ended, and this many queued bytes are lost. */
  failed(error: unknown, lostBytes: number): void;
  nowMs(): number;
};

/** Appends a stream to one file without blocking the stream: a few writes and two syncs a second. */
export type FileWriter = {
  /** Copies the bytes into the queue. False: the queue is full or the file failed, and the bytes were dropped. */
  put(bytes: Uint8Array): boolean;
  /** Called ten times a second: writes the queued bytes, and syncs when due. */
  tick(): void;
  /** Number of bytes that are synced, so that they survive a power cut. */
  syncedBytes(): number;
  /** Settles when everything is written, synced and closed; false when the file failed. */
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

  /** Writes continue during a sync; their bytes count as synced only after the next one. */
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
