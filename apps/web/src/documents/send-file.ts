import type { DetailedError, Upload } from 'tus-js-client';
import { authorizationHeader } from '../api/credentials.ts';
import { TransportError } from '../base/transport-error.ts';

/** One request's worth: after each the server has it on disk. */
const CHUNK_BYTES = 64 * 1024 * 1024;
const LONGEST_RETRY_MS = 30_000;
/** A lost connection is retried for a day; progress restarts the count. */
const RETRY_MS = [0, 1000, 3000, 10_000, ...Array<number>(2880).fill(LONGEST_RETRY_MS)];

const protocol = () => import('tus-js-client');

/**
 * Fetched with the dialog, not with the first file: a browser that could not fetch it once does not try again until the
 * page is reloaded.
 */
export function fetchProtocol(): void {
  protocol().catch(() => null);
}

export type Sending = {
  done: Promise<string>;
  /** Stops sending for good: the server discards what it has. */
  stop: () => void;
  /** Stops sending without discarding: sending the same file again resumes from there. */
  leave: () => void;
  /** Forgets the finished upload, so that sending the same file again makes another document. */
  forget: () => Promise<void>;
};

/**
 * Sends a file of any size over tus, going on after a lost line, and where an earlier visit left the same file. Returns the
 * upload's id, which the form of the document then names; rejects with the server's own words.
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

/** Resumes this file where an earlier visit left it; one that the server does not know any more starts again. */
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
 * Failures that pass: no answer, a lock of the attempt before, too many requests. Full disks and refusals do not pass.
 */
function isPassing({ originalResponse }: DetailedError): boolean {
  const status = originalResponse?.getStatus() ?? 0;
  return status === 0 || [409, 423, 425, 429].includes(status) || (status >= 500 && status !== 507);
}

/** The user stopped it: no message. */
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
    // The answer has no error of ours.
  }
  return new TransportError('status', { status: response.getStatus(), statusText: '' });
}
