import { type ImportedAnnotations, importedAnnotations } from '@osprey/contract';
import { authorizationHeader } from '../api/credentials.ts';
import { errorOf } from '../api/http-api.ts';
import { TransportError } from '../base/transport-error.ts';

type Options = {
  /** Whether to return a single part with fewer positions instead of several parts. */
  simplify: boolean;
  /** Called with the percentage of bytes that have been sent. */
  onProgress: (percent: number) => void;
};

/**
 * Sends a file to the server, which reads its shapes. Uses XMLHttpRequest, since `fetch` does not report how much has
 * been sent.
 */
export function sendForImport(file: File, { simplify, onProgress }: Options) {
  const request = new XMLHttpRequest();
  const done = new Promise<ImportedAnnotations>((resolve, reject) => {
    request.open('POST', `/api/annotations/import${simplify ? '?simplify=1' : ''}`);
    for (const [name, value] of Object.entries(authorizationHeader())) request.setRequestHeader(name, value);
    request.upload.addEventListener('progress', ({ loaded, total }) => onProgress((100 * loaded) / Math.max(1, total)));
    request.addEventListener('error', () => reject(new TransportError('noResponse')));
    request.addEventListener('abort', () => reject(new TransportError('request')));
    request.addEventListener('load', () => {
      const { status, statusText, responseText } = request;
      if (status < 200 || status >= 300) {
        errorOf(new Response(responseText, { status: Math.max(200, status), statusText })).then(reject, reject);
        return;
      }
      try {
        resolve(importedAnnotations.parse(JSON.parse(responseText)));
      } catch (cause) {
        reject(new TransportError('request', cause));
      }
    });
    const form = new FormData();
    form.append('file', file);
    request.send(form);
  });
  return { done, stop: () => request.abort() };
}
