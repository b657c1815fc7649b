/** A tus server in memory, used through the browser's own XMLHttpRequest; only the network is simulated. */
export const server = {
  uploads: new Map<string, { length: number; offset: number; metadata: string }>(),
  requests: [] as string[],
  headers: [] as Record<string, string>[],
  /** Faults of the next requests, which occur before the server receives them. */
  faults: [] as ('down' | { status: number; body: string })[],
  held: [] as (() => void)[],
  hold: false,
};

export function resetServer(): void {
  server.uploads.clear();
  Object.assign(server, { requests: [], headers: [], faults: [], held: [], hold: false });
}

export class FakeRequest {
  upload: { onprogress?: (event: { loaded: number; lengthComputable: boolean }) => void } = {};
  onload: (() => void) | null = null;
  onerror: ((error: unknown) => void) | null = null;
  withCredentials = false;
  status = 0;
  responseText = '';
  #method = '';
  #url = '';
  #sent: Record<string, string> = {};
  #answer: Record<string, string> = {};
  #aborted = false;

  open(method: string, url: string) {
    this.#method = method;
    this.#url = url;
  }
  setRequestHeader(name: string, value: string) {
    this.#sent[name.toLowerCase()] = value;
  }
  getResponseHeader(name: string) {
    return this.#answer[name.toLowerCase()] ?? null;
  }
  abort() {
    this.#aborted = true;
  }
  send(body: Blob | null) {
    const go = () => {
      if (!this.#aborted) this.#serve(body);
    };
    if (server.hold && this.#method === 'PATCH') server.held.push(go);
    else queueMicrotask(go);
  }
  #reply(status: number, answer: Record<string, string> = {}, text = '') {
    this.status = status;
    this.#answer = answer;
    this.responseText = text;
    this.onload?.();
  }
  #serve(body: Blob | null) {
    server.requests.push(this.#method);
    server.headers.push(this.#sent);
    const fault = server.faults.shift();
    if (fault === 'down') return this.onerror?.(new Error('network'));
    if (fault) return this.#reply(fault.status, {}, fault.body);
    if (this.#method === 'POST') {
      const url = `http://localhost:3000${this.#url}/${server.uploads.size + 1}`;
      const { 'upload-length': length = '0', 'upload-metadata': metadata = '' } = this.#sent;
      server.uploads.set(url, { length: Number(length), offset: 0, metadata });
      return this.#reply(201, { location: url });
    }
    const upload = server.uploads.get(this.#url);
    if (!upload) return this.#reply(404);
    if (this.#method === 'DELETE') {
      server.uploads.delete(this.#url);
      return this.#reply(204);
    }
    if (this.#method === 'PATCH') {
      upload.offset += body?.size ?? 0;
      this.upload.onprogress?.({ loaded: body?.size ?? 0, lengthComputable: true });
    }
    return this.#reply(this.#method === 'HEAD' ? 200 : 204, {
      'upload-offset': String(upload.offset),
      'upload-length': String(upload.length),
    });
  }
}
