import type { DetailedError, Upload } from 'tus-js-client';
import { authorizationHeader } from '../api/credentials.ts';
import { TransportError } from '../base/transport-error.ts';

/** Maximum number of bytes per request; after each request the server has stored them on disk. */
const CHUNK_BYTES = 64 * 1024 * 1024;
const RETRY_MAX_MS = 30_000;
/**
 * Delays in milliseconds between attempts after the connection was lost: attempts continue for a day. Progress restarts
 * the sequence.
 */
const RETRY_MS = [0, 1000, 3000, 10_000, ...Array<number>(2880).fill(RETRY_MAX_MS)];

const protocol = () => import('tus-js-client');

/**
 * Loads the upload library together with the dialog, instead of with the first file: if the browser cannot load it at
 * that time, it does not try again until the page is reloaded.
 */
export function fetchProtocol(): void {
  protocol().catch(() => null);
}

export type Sending = {
  done: Promise<string>;
  /** Stops sending; the server discards what it has received. */
  stop: () => void;
  /** Stops sending, but the server keeps what it has received: sending the same file again resumes from there. */
  leave: () => void;
  /** Removes the record of the finished upload, so that sending the same file again creates another document. */
  forget: () => Promise<void>;
};

/**
 * Sends a file of any size over tus. Resumes after a lost connection, and where an earlier visit stopped sending the
 * same file. `done` resolves to the id of the upload, which the document form then names, and rejects with the server's
 * error message.
 */
export function sendFile(file: File, onProgress: (percent: number) => void): Sending {
  let upload: Upload | null = null;
  let end: ((terminate: boolean) => void) | null = null;
  /** True if sending was stopped before the upload library was loaded. */
  let ended = false;

  const send = async () => {
    const tus = await protocol().catch((error: Error) => {
      throw new TransportError('noResponse', error);
    });
    return new Promise<string>((resolve, reject) => {
      const sent = new tus.Upload(file, {
        endpoint: '/api/uploads',
        chunkSize: CHUNK_BYTES,
        retryDelays: RETRY_MS,
        onShouldRetry: isPassing,
        metadata: { purpose: 'document', filename: file.name, lastModified: String(file.lastModified) },
        headers: authorizationHeader(),
        onProgress: (bytes) => onProgress(file.size === 0 ? 100 : (100 * bytes) / file.size),
        onSuccess: () => resolve(sent.url?.split('/').at(-1) ?? ''),
        onError: (error) => reject(refusalOf(error)),
      });
      upload = sent;
      end = (terminate) => {
        sent.abort(terminate).catch(() => null);
        reject(new Stopped());
      };
      if (ended) reject(new Stopped());
      else start(sent).catch(reject);
    });
  };
  const endWith = (terminate: boolean) => () => {
    ended = true;
    end?.(terminate);
  };
  return {
    done: send(),
    stop: endWith(true),
    leave: endWith(false),
    forget: async () => {
      if (upload !== null) await forgetAll(upload);
    },
  };
}

/**
 * Resumes sending this file where an earlier visit stopped. If the server no longer knows the upload, it starts from
 * the beginning.
 */
async function start(upload: Upload): Promise<void> {
  const [before] = await upload.findPreviousUploads();
  if (before !== undefined) upload.resumeFromPreviousUpload(before);
  upload.start();
}

async function forgetAll(upload: Upload): Promise<void> {
  const existing = await upload.findPreviousUploads();
  await Promise.all(existing.map(({ urlStorageKey }) => upload.options.urlStorage?.removeUpload(urlStorageKey)));
}

/**
 * Whether a failure is temporary: no response, a lock held by the previous attempt, too many requests, or a server
 * error. A full disk and a refusal are not temporary.
 */
function isPassing({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  return status === 0 || [409, 423, 425, 429].includes(status) || (status >= 500 && status !== 507);
}

/** Thrown when the user has stopped sending; no message is shown. */
export class Stopped extends Error {
  override name = 'Stopped';
}

function refusalOf(error: Error): Error {
  const response = (error as { originalResponse?: { getStatus(): number; getBody(): string } | null }).originalResponse;
  if (!response || response.getStatus() === 0) return new TransportError('noResponse', error);
  try {
    const { text } = JSON.parse(response.getBody()) as { text?: unknown };
    if (typeof text === 'string') return new Error(text);
  } catch {
    // The body of the response is not in the error format of the contract.
  }
  return new TransportError('status', { status: response.getStatus(), statusText: '' });
}
