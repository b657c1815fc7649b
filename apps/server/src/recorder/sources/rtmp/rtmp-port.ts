import { createHash } from 'node:crypto';
import type { Server, Socket } from 'node:net';
import { setTimeout as rest } from 'node:timers/promises';
import { FormatError } from '@osprey/bytes';
import { rateLimit } from '../rate-limit.ts';
import type { SenderList } from '../sender-list.ts';
import { type FlvTag, type PublishAnswer, rtmpSession } from './session.ts';

/** Time limit for a connection to present a valid key. */
const STRANGER_MS = 10_000;
/** Maximum number of connections that have not presented a key yet. */
const STRANGERS_MAX = 64;
/** A publisher that is silent for this time may be replaced by another connection with the same key. */
const GIVE_WAY_MS = 3000;
/** A publisher that is silent for this time is disconnected. */
const SILENCE_MS = 10_000;
/** Pause in reading a sender that exceeds the rate limit. */
const HOLD_MS = 20;
/** Time for the last reply to arrive before the connection is destroyed. */
const FAREWELL_MS = 1000;
/** Maximum number of reply bytes that the other side has not read. */
const UNREAD_MAX = 64 * 1024;

export type Refusal = 'sender' | 'key' | 'inUse' | 'protocol';

/** Registration of one sensor at a port that several sensors may share. */
export type RtmpEndpoint = {
  maySend: SenderList;
  /** Called when an encoder with this sensor's key has connected. */
  begin(): void;
  /** Takes a tag; returns the number of transport stream bytes made from it. */
  take(tag: FlvTag): number;
  end(): void;
  /** Called when an encoder was refused that may have intended to push to this sensor. */
  refused(why: Refusal): void;
};

type Publisher = { socket: Socket; receivedMs: number };

export type RtmpPort = ReturnType<typeof rtmpPort>;

/**
 * Serves the encoders that push to one port, distinguished by app and key. An unknown key is neither stored nor logged.
 */
export function rtmpPort(server: Server, { nowMs = () => performance.now() } = {}) {
  const endpoints = new Map<string, RtmpEndpoint>();
  const publishers = new Map<RtmpEndpoint, Publisher>();
  const sockets = new Set<Socket>();
  let strangers = 0;

  function accept(socket: Socket): void {
    // Ignored here: socket errors also end the loop that reads the socket.
    socket.on('error', () => undefined);
    const address = socket.remoteAddress ?? '';
    const isWelcome = [...endpoints.values()].some(({ maySend }) => maySend(address));
    if (!isWelcome || strangers >= STRANGERS_MAX) {
      refusedAll(isWelcome ? 'protocol' : 'sender');
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    serve(socket, address).catch(() => socket.destroy());
  }

  /** Serves one connection. Resolves when the connection has ended for any reason. */
  async function serve(socket: Socket, address: string): Promise<void> {
    const publisher: Publisher = { socket, receivedMs: nowMs() };
    let endpoint: RtmpEndpoint | null = null;
    let isStranger = true;
    strangers += 1;
    const late = setTimeout(() => {
      refusedAll('protocol');
      socket.destroy();
    }, STRANGER_MS);
    const known = () => {
      clearTimeout(late);
      if (isStranger) strangers -= 1;
      isStranger = false;
    };
    const session = rtmpSession({
      send(bytes) {
        if (socket.writableLength > UNREAD_MAX) throw new FormatError('Answers are not read', 0);
        socket.write(bytes);
      },
      publish(path) {
        const found = endpoints.get(digestOf(path)) ?? null;
        const answer = answerTo(found, address);
        if (answer !== 'taken' || found === null) return answer;
        known();
        socket.setTimeout(SILENCE_MS, () => socket.destroy());
        replace(found, publisher);
        endpoint = found;
        return answer;
      },
    });
    try {
      await read(socket, session, publisher, () => endpoint);
    } catch (error) {
      if (error instanceof FormatError) refusedAll('protocol', endpoint);
    } finally {
      known();
      if (endpoint !== null) leave(endpoint, publisher);
      bidFarewell(socket);
    }
  }

  async function read(
    socket: Socket,
    session: ReturnType<typeof rtmpSession>,
    publisher: Publisher,
    endpointOf: () => RtmpEndpoint | null,
  ): Promise<void> {
    const limit = rateLimit();
    const within = async (bytes: number) => {
      while (!socket.destroyed && !limit.accepts(bytes, nowMs())) await rest(HOLD_MS);
    };
    // The socket must stay open after the loop, so that the last reply can be sent.
    for await (const bytes of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      publisher.receivedMs = nowMs();
      await within(bytes.length);
      for (const tag of session.read(bytes)) {
        const endpoint = endpointOf();
        if (endpoint === null || publishers.get(endpoint) !== publisher) return;
        // A few received bytes may decode to many, so the decoded bytes count against the rate limit as well.
        await within(endpoint.take(tag));
      }
      if (session.hasEnded()) return;
    }
  }

  function answerTo(endpoint: RtmpEndpoint | null, address: string): PublishAnswer {
    if (endpoint === null) {
      refusedAll('key');
      return 'denied';
    }
    if (!endpoint.maySend(address)) {
      endpoint.refused('sender');
      return 'denied';
    }
    const other = publishers.get(endpoint);
    if (other === undefined || nowMs() - other.receivedMs >= GIVE_WAY_MS) return 'taken';
    endpoint.refused('inUse');
    return 'inUse';
  }

  function replace(endpoint: RtmpEndpoint, publisher: Publisher): void {
    const other = publishers.get(endpoint);
    if (other !== undefined) {
      leave(endpoint, other);
      other.socket.destroy();
    }
    publishers.set(endpoint, publisher);
    endpoint.begin();
  }

  function leave(endpoint: RtmpEndpoint, publisher: Publisher): void {
    if (publishers.get(endpoint) !== publisher) return;
    publishers.delete(endpoint);
    endpoint.end();
  }

  /**
   * Notifies the given endpoint of a refusal. Without a valid key the intended sensor is unknown, so all registered
   * endpoints are notified.
   */
  function refusedAll(why: Refusal, endpoint: RtmpEndpoint | null = null): void {
    if (endpoint !== null) endpoint.refused(why);
    else for (const one of endpoints.values()) one.refused(why);
  }

  server.on('error', () => undefined);
  server.on('tlsClientError', () => refusedAll('protocol'));

  return {
    accept,

    /**
     * Registers an endpoint for `path`. Returns a function that removes it; null if another sensor has registered the
     * path.
     */
    add(path: string, endpoint: RtmpEndpoint): (() => void) | null {
      const digest = digestOf(path);
      if (endpoints.has(digest)) return null;
      endpoints.set(digest, endpoint);
      return () => {
        endpoints.delete(digest);
        publishers.get(endpoint)?.socket.destroy();
        publishers.delete(endpoint);
      };
    },

    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Returns the digest by which keys are looked up, so that the duration of a look-up reveals nothing about the keys. */
function digestOf(path: string): string {
  const parts = path.split('/').filter((part) => part !== '');
  return createHash('sha256').update(parts.join('/')).digest('base64');
}

function bidFarewell(socket: Socket): void {
  if (socket.destroyed) return;
  socket.end();
  socket.resume();
  const late = setTimeout(() => socket.destroy(), FAREWELL_MS);
  socket.once('close', () => clearTimeout(late));
}
