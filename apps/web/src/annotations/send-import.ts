import { type ImportedAnnotations, importedAnnotations } from '@osprey/contract';
import { authorizationHeader } from '../api/credentials.ts';
import { errorOf } from '../api/http-api.ts';
import { TransportError } from '../base/transport-error.ts';

type Options = {
  /** One part with fewer positions in place of several parts. */
  simplify: boolean;
  /** Percent of the bytes that are on their way. */
  onProgress: (percent: number) => void;
};

/** Sends a file to be read. Over XMLHttpRequest, which alone says how much was sent. */
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
