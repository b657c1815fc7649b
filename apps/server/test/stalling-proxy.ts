import { connect, createServer, type Socket } from 'node:net';
import { socketOf } from '../src/base/db/postgres-server.ts';
import { atEnd } from './cleanup.ts';

/** Between a process and the database, as a network that can drop packets: `stall` drops all, `flow` none from then on. */
export async function stallingProxy(url: string) {
  const target = new URL(url);
  const [host, port] = [decodeURIComponent(target.hostname), Number(target.port)];
  const reachFar = () => (host.startsWith('/') ? connect(socketOf({ host, port })) : connect(port, host));
  const sockets = new Set<Socket>();
  let stalled = false;
  let refusals = 0;
  let refusal: Uint8Array = new Uint8Array(0);
  const server = createServer((near) => {
    if (refusals > 0) {
      refusals -= 1;
      near.on('error', () => undefined);
      near.once('data', () => near.end(refusal));
      return;
    }
    const far = reachFar();
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('data', (bytes) => void (stalled || to.write(bytes)));
      from.on('error', () => undefined);
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  atEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  target.hostname = '127.0.0.1';
  target.port = String((server.address() as { port: number }).port);
  return {
    url: target.href,
    stall: () => {
      stalled = true;
    },
    flow: () => {
      stalled = false;
    },
    /** The next connections get this answer to their first bytes, in place of the database. */
    refuse: (count: number, answer: Uint8Array) => {
      refusals = count;
      refusal = answer;
    },
    refusals: () => refusals,
  };
}
