import { authorizationHeader } from '../api/credentials.ts';
import { TransportError } from '../api/transport-error.ts';

/** One request's worth: after each the server has it on disk. */
const CHUNK_BYTES = 64 * 1024 * 1024;
const RETRY_MS = [0, 1000, 3000, 10_000, 30_000];

export type Sending = { done: Promise<string>; stop: () => void };

/**
 * Sends a file of any size over tus, going on after a lost line. Answers the upload's id, which the form of the document
 * then names; rejects with the server's own words.
 */
export function sendFile(file: File, onProgress: (percent: number) => void): Sending {
  let stopped = false;
  let stopUpload = () => {};
  const send = async () => {
    const { Upload } = await import('tus-js-client');
    return new Promise<string>((resolve, reject) => {
      const upload = new Upload(file, {
        endpoint: '/api/uploads',
        chunkSize: CHUNK_BYTES,
        retryDelays: RETRY_MS,
        storeFingerprintForResuming: false,
        metadata: { purpose: 'document', filename: file.name, lastModified: String(file.lastModified) },
        headers: authorizationHeader(),
        onProgress: (sent) => onProgress(file.size === 0 ? 100 : (100 * sent) / file.size),
        onSuccess: () => resolve(upload.url?.split('/').at(-1) ?? ''),
        onError: (error) => reject(refusalOf(error)),
      });
      stopUpload = () => {
        upload.abort(true).catch(() => null);
        reject(new Stopped());
      };
      if (stopped) stopUpload();
      else upload.start();
    });
  };
  return {
    done: send(),
    stop() {
      stopped = true;
      stopUpload();
    },
  };
}

/** The user stopped it: nothing to tell. */
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
    // Not our error shape.
  }
  return new TransportError('status', { status: response.getStatus(), statusText: '' });
}
