import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, type Server, type Socket } from 'node:net';
import { AppError } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';

export type ConnectionLimit = {
  most: number;
  /** Connections that were refused since the start. */
  refused(): number;
  guard(app: FastifyInstance): void;
};

const RETRY_AFTER_SECONDS = '1';

/**
 * Limits the number of simultaneous connections of one address. Connections through a trusted proxy are counted by the
 * client address that each request or socket is forwarded for.
 *
 * @param most maximum for one address
 * @param trusted addresses and networks of proxies
 */
export function connectionLimit({ most, trusted }: { most: number; trusted: readonly string[] }): ConnectionLimit {
  const proxies = networks(trusted);
  const open = new Map<string, number>();
  let refused = 0;

  /** Counts a connection and returns the function that releases it. Null if the address has reached the limit. */
  function acquire(address: string): (() => void) | null {
    const count = open.get(address) ?? 0;
    if (count >= most) {
      refused += 1;
      return null;
    }
    open.set(address, count + 1);
    return () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    };
  }

  /** Reads the client address that a trusted proxy forwards; null for a direct connection. */
  function forwardedFor({ socket, headers }: IncomingMessage): string | null {
    if (!proxies(plain(socket.remoteAddress))) return null;
    const named = String(headers['x-forwarded-for'] ?? '').split(',');
    return (
      named.map((part) => plain(part.trim())).findLast((address) => isIP(address) !== 0 && !proxies(address)) ?? null
    );
  }

  function onConnection(socket: Socket): void {
    const address = plain(socket.remoteAddress);
    if (proxies(address)) return;
    const release = acquire(address);
    if (release === null) socket.destroy();
    else socket.once('close', release);
  }

  function onUpgrade(request: IncomingMessage, socket: Socket): void {
    const address = forwardedFor(request);
    if (address === null) return;
    const release = acquire(address);
    if (release === null) socket.destroy();
    else socket.once('close', release);
  }

  return {
    most,
    refused: () => refused,
    guard(app) {
      const server = app.server as Server;
      server.on('connection', onConnection);
      server.prependListener('upgrade', onUpgrade);
      app.addHook('onRequest', async ({ raw }, reply) => {
        const address = forwardedFor(raw);
        if (address === null) return;
        const release = acquire(address);
        if (release === null) throw new AppError('tooManyRequests', { seconds: RETRY_AFTER_SECONDS });
        reply.raw.once('close', release);
      });
    },
  };
}

/** Removes the IPv6 prefix of a mapped IPv4 address, so that both forms count as the same address. */
const plain = (address = ''): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function networks(entries: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const entry of entries) {
    const [address = '', bits] = entry.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
