import type { Upload } from 'tus-js-client';
import { authorizationHeader } from '../api/credentials.ts';
import { texts } from './texts.ts';
import { type UploadItem, type UploadTarget, uploadAccount, uploadStore } from './upload-store.ts';

/** Maximum number of simultaneous uploads; the others wait. */
const UPLOADS_MAX = 3;
/** Maximum size of one request. After each, the server has stored the bytes and checks the rights again. */
const CHUNK_BYTES = 64 * 1024 * 1024;
const REPORTED_EVERY_MS = 250;
const FIRST_RETRY_MS = 1000;
const RETRY_MAX_MS = 30_000;

type Running = {
  upload: Upload;
  file: File;
  speed: Speedometer;
  retries: number;
  timer: ReturnType<typeof setTimeout> | null;
};

const running = new Map<string, Running>();
const files = new Map<string, File>();
/** Type of the tus library, which is loaded with the first upload, since the first page does not need it. */
type Tus = typeof import('tus-js-client');
let tus: Tus | null = null;
let onFailed: (item: UploadItem, message: string) => void = () => undefined;

/** Registers a listener for uploads that failed permanently. */
export function onUploadFailed(listener: (item: UploadItem, message: string) => void): () => void {
  onFailed = listener;
  return () => {
    onFailed = () => undefined;
  };
}

/** Queues a file. */
export function startUpload(file: File, target: UploadTarget): void {
  const item: UploadItem = {
    id: crypto.randomUUID(),
    account: uploadAccount(),
    target,
    fileName: file.name,
    sizeBytes: file.size,
    lastModified: file.lastModified,
    sentBytes: 0,
    bytesPerSecond: null,
    state: 'waiting',
    error: null,
    url: null,
  };
  files.set(item.id, file);
  uploadStore.add(item);
  startWaiting();
}

export function pauseUpload(id: string): void {
  stopSending(id, false);
  uploadStore.change(id, { state: 'paused', bytesPerSecond: null });
  startWaiting();
}

/** Resumes an upload after a pause or a failure, or immediately if it is waiting for the server. */
export function resumeUpload(id: string): void {
  stopSending(id, false);
  uploadStore.change(id, { state: 'waiting', error: null });
  startWaiting();
}

/** Removes the upload, and asks the server to delete its bytes. */
export function cancelUpload(id: string): void {
  const item = uploadStore.get(id);
  if (item?.url && !running.has(id) && item.state !== 'done') {
    // Errors are ignored, since the upload is removed from the list anyway and expires on the server.
    const { url } = item;
    import('tus-js-client')
      .then((loaded) => loaded.Upload.terminate(url, { headers: authorizationHeader() }))
      .catch(() => null);
  }
  stopSending(id, true);
  files.delete(id);
  uploadStore.remove(id);
  startWaiting();
}

/** Continues an upload after a reload. Returns whether the file is the same. */
export function continueWith(id: string, file: File): boolean {
  const item = uploadStore.get(id);
  if (!item || file.name !== item.fileName || file.size !== item.sizeBytes) return false;
  if (file.lastModified !== item.lastModified) return false;
  files.set(id, file);
  resumeUpload(id);
  return true;
}

export const isUploading = (): boolean =>
  uploadStore.all().some(({ state }) => state === 'running' || state === 'waiting' || state === 'unreachable');

/** Resumes uploads that wait for the server, which is reachable again. */
export function serverIsBack(): void {
  for (const { id, state } of uploadStore.all()) if (state === 'unreachable') resumeUpload(id);
}

/** Interrupts uploads of other accounts until those sign in again; the bytes already sent remain on the server. */
export function interruptOthers(): void {
  for (const { id, state } of uploadStore.ofOthers()) {
    if (state === 'interrupted') continue;
    stopSending(id, false);
    files.delete(id);
    if (state === 'done' || state === 'failed') uploadStore.remove(id);
    else uploadStore.change(id, { state: 'interrupted', bytesPerSecond: null });
  }
}

function startWaiting(): void {
  const free = UPLOADS_MAX - uploadStore.all().filter(({ state }) => state === 'running').length;
  const next = uploadStore.all().filter(({ id, state }) => state === 'waiting' && files.has(id));
  if (next.length === 0) return;
  if (tus === null) loadTus();
  else for (const item of next.slice(0, Math.max(0, free))) send(tus, item, files.get(item.id)!);
}

function loadTus(): void {
  import('tus-js-client').then(
    (loaded) => {
      tus = loaded;
      startWaiting();
    },
    // If the library cannot be loaded, uploads wait for the server, as after a lost connection.
    () => {
      for (const { id, state } of uploadStore.all()) {
        if (state === 'waiting' && files.has(id)) uploadStore.change(id, { state: 'unreachable' });
      }
    },
  );
}

function stopSending(id: string, terminate: boolean): void {
  const entry = running.get(id);
  if (!entry) return;
  running.delete(id);
  if (entry.timer !== null) clearTimeout(entry.timer);
  entry.upload.abort(terminate).catch(() => null);
}

function send({ Upload: TusUpload }: Tus, item: UploadItem, file: File): void {
  const { id, target } = item;
  const upload: Upload = new TusUpload(file, {
    endpoint: target.kind === 'import' ? '/api/imports' : '/api/uploads',
    uploadUrl: item.url,
    chunkSize: CHUNK_BYTES,
    // Retries are implemented here, since their number must not be limited.
    retryDelays: null,
    storeFingerprintForResuming: false,
    metadata: {
      ...(target.kind === 'sensor' && { sensorId: target.sensorId }),
      ...(target.kind === 'tiles' && { purpose: 'tiles' }),
      filename: item.fileName,
      lastModified: String(item.lastModified),
    },
    headers: authorizationHeader(),
    onUploadUrlAvailable: () => uploadStore.change(id, { url: upload.url }),
    onProgress: (sentBytes) => reported(id, sentBytes),
    onSuccess: () => {
      if (target.kind === 'tiles') void addTiles(id, upload.url);
      else arrived(id);
    },
    onError: (error) => failed(id, error),
  });
  const before = running.get(id);
  running.set(id, { upload, file, speed: speedometer(), retries: before?.retries ?? 0, timer: null });
  uploadStore.change(id, { state: 'running' });
  upload.start();
}

function arrived(id: string): void {
  running.delete(id);
  files.delete(id);
  uploadStore.change(id, { state: 'done', sentBytes: uploadStore.get(id)?.sizeBytes ?? 0, bytesPerSecond: null });
  startWaiting();
}

/** Asks the server to check the tiles and add the file as a layer. */
async function addTiles(id: string, url: string | null): Promise<void> {
  const response = await fetch('/api/map/files', {
    method: 'POST',
    headers: { ...authorizationHeader(), 'content-type': 'application/json' },
    body: JSON.stringify({ upload: url?.split('/').at(-1) }),
  }).catch(() => null);
  const item = uploadStore.get(id);
  // The upload was cancelled meanwhile.
  if (!item) return;
  if (response?.ok) return arrived(id);
  const answer = (await response?.json().catch(() => null)) as { code?: string; text?: string } | null;
  // The server deletes an invalid file. Otherwise the file is complete on the server, and a retry only requests the
  // layer again.
  refused(item, answer?.text ?? texts.notAdded, answer?.code === 'badFile' ? null : url);
}

function reported(id: string, sentBytes: number): void {
  const entry = running.get(id);
  const bytesPerSecond = entry?.speed.add(sentBytes);
  if (!entry || bytesPerSecond === undefined) return;
  entry.retries = 0;
  uploadStore.change(id, { sentBytes, bytesPerSecond });
}

type Refusal = { status: number; text: string } | null;

/** Returns the server's refusal; null if it did not answer. */
function refusalOf(error: Error): Refusal {
  const response = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null }).originalResponse;
  if (!response || response.getStatus() === 0) return null;
  try {
    const { text } = JSON.parse(response.getBody()) as { text?: unknown };
    if (typeof text === 'string') return { status: response.getStatus(), text };
  } catch {
    // The answer has no error in the server's own format, so the library's message is shown.
  }
  return { status: response.getStatus(), text: response.getBody().slice(0, 200) || error.message };
}

/**
 * Whether an error is temporary: the upload is locked by the previous attempt, or there are too many requests. Full
 * disks and refusals are permanent.
 */
const isPassing = ({ status }: { status: number }) =>
  [409, 423, 425, 429].includes(status) || (status >= 500 && status !== 507);

function failed(id: string, error: Error): void {
  const entry = running.get(id);
  const item = uploadStore.get(id);
  if (!entry || !item) return;
  const refusal = refusalOf(error);
  if (refusal === null || isPassing(refusal)) {
    const wait = Math.min(RETRY_MAX_MS, FIRST_RETRY_MS * 2 ** entry.retries);
    entry.retries += 1;
    entry.timer = setTimeout(() => {
      const now = uploadStore.get(id);
      if (tus && now?.state === 'unreachable') send(tus, now, entry.file);
    }, wait);
    uploadStore.change(id, { state: 'unreachable', bytesPerSecond: null });
    startWaiting();
    return;
  }
  running.delete(id);
  if (refusal.status === 401) {
    // The account has signed out or in again; the server keeps the bytes for that account.
    files.delete(id);
    uploadStore.change(id, { state: 'interrupted', bytesPerSecond: null });
    startWaiting();
    return;
  }
  // The server has deleted the upload, so another try starts from the first byte.
  refused(item, refusal.text, null);
}

function refused(item: UploadItem, error: string, url: string | null): void {
  running.delete(item.id);
  const sentBytes = url === null ? 0 : item.sentBytes;
  uploadStore.change(item.id, { state: 'failed', error, url, sentBytes, bytesPerSecond: null });
  onFailed(item, error);
  startWaiting();
}

type Speedometer = { add: (bytes: number) => number | null | undefined };

/** Measures bytes per second over the last few seconds; undefined if it is too early for a new value. */
export function speedometer(nowMs: () => number = () => performance.now()): Speedometer {
  const samples: { ms: number; bytes: number }[] = [];
  return {
    add(bytes) {
      const ms = nowMs();
      const last = samples.at(-1);
      if (last && ms - last.ms < REPORTED_EVERY_MS) return undefined;
      samples.push({ ms, bytes });
      if (samples.length > 12) samples.shift();
      const first = samples[0]!;
      return ms - first.ms < 500 ? null : Math.max(0, ((bytes - first.bytes) * 1000) / (ms - first.ms));
    },
  };
}
