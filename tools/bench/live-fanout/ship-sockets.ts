import { io, type Socket } from 'socket.io-client';
import type { Visit } from './client.ts';

/**
 * Order to open pages with ships on their map, using several accounts, since an account may have at most ten sockets.
 */
export type ShipOrder = Pick<Visit, 'address'> & { accounts: Visit['headers'][]; ships: number; area: object };

/**
 * Opens the sockets of such pages. Returns a function that gives the number of frames received so far by the page with
 * the fewest.
 */
export async function shipPages({ address, accounts, ships, area }: ShipOrder): Promise<() => number> {
  const frames: number[] = [];
  for (let n = 0; n < ships; n += 1) {
    const headers = accounts[n % accounts.length]!;
    const answer = await fetch(`${address}/api/tickets`, { method: 'POST', headers });
    const socket: Socket = io(address, {
      ...{ transports: ['websocket'], forceNew: true, auth: (await answer.json()) as object },
    });
    frames.push(0);
    socket.on('aisFrame', () => (frames[n] = (frames[n] ?? 0) + 1));
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve);
      socket.once('connect_error', reject);
    });
    socket.emit('AisView', { area, minutes: 6, mission: null, list: null });
  }
  return () => Math.min(...frames);
}
