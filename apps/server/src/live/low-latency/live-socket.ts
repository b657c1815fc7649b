import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type Actor, AppError, type ErrorCode, LIVE_SOCKET_PATH, type LiveSocketMessage } from '@osprey/contract';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { AuditedItem } from '../../base/audit/request-audit.ts';
import type { LiveRights } from '../../base/items/live-rights.ts';
import type { TicketHolder } from '../../base/ws/hub.ts';
import { isOurPage } from '../../base/ws/our-page.ts';
import type { LiveAccess } from '../rows/live-access.ts';
import type { VideoFeeds } from './feeds.ts';
import { type Hello, readAsk, readHello } from './hello.ts';
import { type PacedViewer, pacedViewer } from './paced-viewer.ts';
import type { PastTelemetry } from './past-telemetry.ts';
import type { TelemetryFeed } from './telemetry-feed.ts';

const MESSAGE_BYTES = 4096;
const HELLO_MS = 5000;
const MESSAGES_PER_SECOND = 20;
const SOCKETS_PER_USER = 50;
const SOCKETS = 500;
/** Interval of audit rows about the amount sent, in milliseconds. */
const NOTE_MS = 20_000;
/** Time limit for a client's reply to the closing handshake, in milliseconds. */
const GOODBYE_MS = 300;
/**
 * Number of buffered bytes above which the connection of a viewer without rights is cut immediately, since the viewer
 * would receive too much while the buffer drains.
 */
const DRAINED_BYTES = 64 * 1024;
/** Close codes of RFC 6455, 7.4.1. */
const POLICY = 1008;
const TRY_LATER = 1013;

export type LiveSocketDeps = {
  server: HttpServer;
  hosts: ReadonlySet<string>;
  redeem: (ticket: string) => Promise<(TicketHolder & { address: string }) | null>;
  /** Returns whether changes of rights are being received; without them no viewer is admitted. */
  isServing: () => boolean;
  live: Pick<LiveRights, 'account'>;
  access: Pick<LiveAccess, 'watch' | 'modes'>;
  feeds: Pick<VideoFeeds, 'join'>;
  telemetry: Pick<TelemetryFeed, 'listen'>;
  past: Pick<PastTelemetry, 'answer'>;
  /** Resolves when the audit contains the start of the read, or an amount read. @throws AppError unavailable */
  noteRead: (
    reading: { holder: TicketHolder & { address: string }; actor: Actor; item: AuditedItem; sensorId: string },
    range: [number, number] | null,
  ) => Promise<void>;
  nowMs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Requests of a client. Before its rights are checked, only the latest request is kept, in `early`. */
type Asks = { early: string | null; onText: ((text: string) => void) | null };

type Guest = { socket: WebSocket; stream: Socket; asks: Asks };

const OLD_TICKET = 'The ticket is no longer valid. Please try again.';

/**
 * The WebSocket of live sensors: telemetry for all viewing modes, and video for the mode lowLatency. The ticket in the
 * first message is the only identification; the session ends when the right is lost.
 */
export function liveSocket(deps: LiveSocketDeps) {
  const { feeds, telemetry, nowMs, log } = deps;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_BYTES, perMessageDeflate: false });
  const byUser = new Map<string, number>();
  deps.server.on('upgrade', onUpgrade);

  function onUpgrade(request: IncomingMessage, stream: Duplex, head: Buffer): void {
    if (URL.parse(request.url ?? '', 'http://local')?.pathname !== LIVE_SOCKET_PATH) return;
    if (!isOurPage(request, deps.hosts) || sockets.clients.size >= SOCKETS) {
      stream.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
      return;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => greet(socket, stream as Socket));
  }

  /** Waits for the first message; later messages are handled once the client may watch. */
  function greet(socket: WebSocket, stream: Socket): void {
    const late = setTimeout(() => socket.terminate(), HELLO_MS);
    let greeted = false;
    let second = 0;
    let count = 0;
    const asks: Asks = { early: null, onText: null };
    socket.on('message', (data: RawData, isBinary: boolean) => {
      const now = Math.floor(nowMs() / 1000);
      count = now === second ? count + 1 : 1;
      second = now;
      if (count > MESSAGES_PER_SECOND) return socket.terminate();
      if (greeted) return isBinary ? undefined : onText(asks, data.toString());
      greeted = true;
      clearTimeout(late);
      const hello = isBinary ? null : readHello(data.toString());
      if (hello === null) return end(socket, 'The first message must hold a ticket and a sensor.');
      admit({ socket, stream, asks }, hello).catch((error: unknown) => {
        if (!(error instanceof AppError)) log.warn({ error }, 'live socket failed');
        if (error instanceof AppError) end(socket, error.message, { error: error.code });
        else end(socket, 'The server failed. Please try again.');
      });
    });
    socket.once('close', () => clearTimeout(late));
    // After an error of a frame or of the connection, a close event follows automatically.
    socket.on('error', () => undefined);
  }

  async function admit({ socket, stream, asks }: Guest, hello: Hello): Promise<void> {
    if (!deps.isServing()) throw new AppError('unavailable');
    const holder = await deps.redeem(hello.ticket);
    const account = holder === null ? null : await deps.live.account(holder.userId, holder.ceiling);
    if (holder === null || account === null || account.epoch !== holder.userEpoch) return end(socket, OLD_TICKET);
    // A client that disconnected meanwhile will not emit another close event.
    if (socket.readyState !== socket.OPEN) return;
    const open = byUser.get(holder.userId) ?? 0;
    if (open >= SOCKETS_PER_USER) return end(socket, 'Too many live views are open.', { close: TRY_LATER });
    byUser.set(holder.userId, open + 1);
    const leaves: (() => void)[] = [() => leave(holder.userId)];
    const left = () => {
      for (const one of leaves.splice(0)) one();
    };
    socket.once('close', left);
    const { actor } = account;
    const close = () => {
      left();
      cut(socket, stream);
    };
    const watching = await deps.access.watch({ actor, credentialId: holder.credentialId, close }, hello.sensor);

    leaves.push(watching.end);
    if (socket.readyState !== socket.OPEN) return left();
    if (hello.video && !(await deps.access.modes(actor, watching.platform)).includes('Preview')) {
      throw new AppError('forbidden');
    }
    const reading = { holder, actor, item: watching.item, sensorId: hello.sensor };
    await deps.noteRead(reading, null);
    if (socket.readyState !== socket.OPEN) return left();
    const note = (from: number, to: number) => deps.noteRead(reading, [from, to]);
    leaves.push(begin({ socket, asks }, hello, note));
  }

  /** Begins a session; returns a function that ends it. */
  function begin(
    { socket, asks }: Omit<Guest, 'stream'>,
    hello: Hello,
    note: (from: number, to: number) => Promise<void>,
  ): () => void {
    const viewer = pacedViewer(socket, { nowMs, impossible: (text) => end(socket, text) });
    let noted = 0;
    const noteSent = () => {
      const from = noted;
      noted = viewer.bytesSent();
      // If the audit row cannot be written, the session ends.
      note(from, noted).catch(() => end(socket, new AppError('unavailable').message));
    };
    const timer = setInterval(noteSent, NOTE_MS);
    const deaf = telemetry.listen(hello.sensor, (row) => viewer.telemetry(row.text()));
    const mute = receiveAsks(asks, hello.sensor, viewer);
    const blind = hello.video ? viewer.catchUp(() => feeds.join(hello.sensor, viewer)) : () => undefined;
    return () => {
      clearInterval(timer);
      deaf();
      mute();
      blind();
      noteSent();
    };
  }

  /** Replies to requests for telemetry of rewound video, one at a time. Returns a function that stops this. */
  function receiveAsks(asks: Asks, sensorId: string, viewer: PacedViewer): () => void {
    let isOver = false;
    let isBusy = false;
    async function answer(text: string): Promise<void> {
      const asked = readAsk(text);
      if (asked === null || isBusy || isOver) return;
      isBusy = true;
      try {
        const send = (message: LiveSocketMessage) => viewer.telemetry(JSON.stringify(message));
        await deps.past.answer({ sensorId, asked }, send, () => isOver);
      } catch (error) {
        // Possible cause: the requested segment has just left the ring.
        log.warn({ error, sensorId }, 'telemetry of the past not read');
      } finally {
        isBusy = false;
      }
    }
    asks.onText = (text) => void answer(text);
    if (asks.early !== null) asks.onText(asks.early);
    return () => {
      isOver = true;
    };
  }

  function leave(userId: string): void {
    const open = (byUser.get(userId) ?? 1) - 1;
    if (open > 0) byUser.set(userId, open);
    else byUser.delete(userId);
  }

  return {
    count: (): number => sockets.clients.size,
    close(): void {
      deps.server.off('upgrade', onUpgrade);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
}

function onText(asks: Asks, text: string): void {
  if (asks.onText === null) asks.early = text;
  else asks.onText(text);
}

/** Cuts a connection after a right was lost: nothing that is still buffered may be sent. */
function cut(socket: WebSocket, stream: Socket): void {
  if (socket.bufferedAmount > DRAINED_BYTES) stream.resetAndDestroy();
  else end(socket, 'You may no longer watch this.');
}

function end(socket: WebSocket, text: string, { close = POLICY, error }: { close?: number; error?: ErrorCode } = {}) {
  if (socket.readyState !== socket.OPEN) return;
  socket.send(JSON.stringify({ kind: 'end', text, code: error } satisfies LiveSocketMessage));
  socket.close(close);
  const impolite = setTimeout(() => socket.terminate(), GOODBYE_MS);
  socket.once('close', () => clearTimeout(impolite));
}
