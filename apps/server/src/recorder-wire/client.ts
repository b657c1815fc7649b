import type { Logger } from 'pino';
import { greetingReader } from './greeting.ts';
import { localSocket } from './local-socket.ts';
import { type KlvMessage, type MediaMessage, readKlvMessage, readMediaMessage } from './media-messages.ts';
import { jsonMessage } from './messages.ts';
import {
  FRAME,
  type FromRecorder,
  fromRecorder,
  nothingProbed,
  type Orders,
  PROBE_MS,
  type Probed,
  type Recording,
  type RecordingDescription,
  type SourceOrder,
  type ToRecorder,
} from './protocol.ts';
import { recorderSocket } from './socket-path.ts';

/**
 * Time limit of a request, in milliseconds: a running recorder replies immediately, unless it is waiting for a disk.
 */
const ANSWER_MS = 10_000;

export type RecorderRequest =
  | { kind: 'record'; recording: Recording; preRoll: boolean }
  | { kind: 'stop'; missionId: string; sensors: string[] | null }
  | { kind: 'retry'; sensorId: string }
  | { kind: 'describe'; missionId: string; description: RecordingDescription };

export type RecorderClient = {
  connected(): boolean;
  /** Resolves with null when the request was carried out, else with a sentence that gives the reason. */
  request(request: RecorderRequest): Promise<string | null>;
  /** Opens an address until its first pictures arrive. An abort ends the probe at once. */
  probe(order: SourceOrder, signal: AbortSignal): Promise<Probed>;
  /** Stores the orders, and sends them to each recorder that connects. */
  order(orders: Orders): void;
  settled(missionId: string): void;
  /** Requests media frames of a sensor until `unwatch`; the first frame after a pause has `lost` set. */
  watch(sensorId: string): void;
  unwatch(sensorId: string): void;
  close(): void;
};

export type RecorderClientOptions = {
  dataDir: string;
  /** Called for each message; `hello` is the first of each connection. */
  onMessage(message: FromRecorder): void;
  onMedia?(message: MediaMessage): void;
  onKlv?(message: KlvMessage): void;
  /** Called when the connection to the recorder is lost; the client reconnects automatically. */
  onLost?(): void;
  log: Logger;
};

/** Another process's side of the recorder's socket; it connects and reconnects automatically. */
export function recorderClient(options: RecorderClientOptions): RecorderClient {
  const { dataDir, onMessage, onMedia, onKlv, onLost, log } = options;
  const path = recorderSocket(dataDir);
  const watched = new Map<string, number>();
  const waiting = new Map<number, (error: string | null) => void>();
  const probing = new Map<number, (result: Probed) => void>();
  let orders: Orders | null = null;
  let greeted = false;
  let closed = false;
  let requests = 0;
  let greetings = greetingReader();

  function onClose(): void {
    const was = greeted;
    greeted = false;
    greetings = greetingReader();
    for (const [request, answer] of waiting) {
      waiting.delete(request);
      answer('The recorder has ended.');
    }
    for (const end of probing.values()) end(nothingProbed('The recorder has ended.'));
    if (was && !closed) onLost?.();
  }

  function onPayload(kind: number, payload: Buffer): void {
    if (kind === FRAME.json) {
      const message = fromRecorder.parse(JSON.parse(payload.toString('utf8')));
      for (const each of greetings.take(message)) onText(each);
    } else if (greeted) {
      if (kind === FRAME.media) onMedia?.(readMediaMessage(payload));
      else onKlv?.(readKlvMessage(payload));
    }
  }

  function onText(message: FromRecorder): void {
    if (message.kind === 'answer') {
      waiting.get(message.request)?.(message.error);
      waiting.delete(message.request);
      return;
    }
    if (message.kind === 'probed') return void probing.get(message.request)?.(message.result);
    if (message.kind === 'hello') greet();
    onMessage(message);
  }

  function greet(): void {
    greeted = true;
    if (orders !== null) notify({ kind: 'orders', orders });
    for (const sensorId of watched.keys()) notify({ kind: 'watch', sensorId });
  }

  function notify(message: ToRecorder): void {
    if (greeted) socket.write(jsonMessage(message));
  }

  const socket = localSocket(path, {
    onPayload,
    onClose,
    onCut: (error) => log.error({ error }, 'the recorder said what nobody understands'),
  });
  return {
    connected: () => greeted,
    request(asked) {
      if (!greeted) return Promise.resolve('The recorder does not run.');
      const request = ++requests;
      return new Promise((resolve) => {
        const late = setTimeout(() => answer('The recorder does not answer.'), ANSWER_MS);
        const answer = (error: string | null) => {
          clearTimeout(late);
          waiting.delete(request);
          resolve(error);
        };
        waiting.set(request, answer);
        notify({ ...asked, request });
      });
    },
    probe(order, signal) {
      if (!greeted) return Promise.resolve(nothingProbed('The recorder does not run.'));
      const request = ++requests;
      return new Promise((resolve) => {
        const late = setTimeout(() => end(nothingProbed('The recorder does not answer.')), PROBE_MS + ANSWER_MS);
        const stop = () => {
          notify({ kind: 'probeEnd', request });
          end(nothingProbed('The test was stopped.'));
        };
        const end = (result: Probed) => {
          clearTimeout(late);
          signal.removeEventListener('abort', stop);
          probing.delete(request);
          resolve(result);
        };
        probing.set(request, end);
        notify({ kind: 'probe', request, order });
        if (signal.aborted) stop();
        else signal.addEventListener('abort', stop);
      });
    },
    order(requested) {
      orders = requested;
      notify({ kind: 'orders', orders });
    },
    settled: (missionId) => notify({ kind: 'settled', missionId }),
    watch(sensorId) {
      const watchers = watched.get(sensorId) ?? 0;
      watched.set(sensorId, watchers + 1);
      if (watchers === 0) notify({ kind: 'watch', sensorId });
    },
    unwatch(sensorId) {
      const watchers = watched.get(sensorId) ?? 0;
      if (watchers > 1) watched.set(sensorId, watchers - 1);
      else if (watched.delete(sensorId)) notify({ kind: 'unwatch', sensorId });
    },
    close() {
      closed = true;
      socket.close();
    },
  };
}
