import { whepViewer } from '../../../apps/server/test/whep-client.ts';
import type { Client, Visit } from './client.ts';
import { hlsClient } from './hls-client.ts';
import { ROOM_BYTES } from './room.ts';
import { type ShipOrder, shipPages } from './ship-sockets.ts';
import { socketClient } from './socket-client.ts';

// Runs the viewers other than the browser in a separate process, so that their processor time does not count as the
// server's.

export type Way = 'WHEP' | 'lowLatency' | 'LL-HLS';
export type Order = Visit & { counts: Record<Way, number> };
export type Reported = { way: Way | 'ships'; pictures: number; missed: number };

const OPEN: Record<Way, (visit: Visit) => Promise<Client>> = {
  WHEP: whepClient,
  lowLatency: socketClient,
  'LL-HLS': hlsClient,
};

async function whepClient({ address, sensorId, headers }: Visit): Promise<Client> {
  const viewer = await whepViewer(address, sensorId, headers, { roomBytes: ROOM_BYTES });
  if (viewer.status !== 201) throw new Error(`WHEP: ${viewer.status} ${viewer.body}`);
  return {
    pictures: () => viewer.pictures.length,
    missed: viewer.missing,
    close: viewer.close,
  };
}

const clients: { way: Way; client: Client }[] = [];

async function open({ counts, ...visit }: Order): Promise<void> {
  for (const [way, count] of Object.entries(counts) as [Way, number][]) {
    for (let n = 0; n < count; n += 1) clients.push({ way, client: await OPEN[way](visit) });
  }
}

/**
 * Returns the number of ship frames received by the page that got the fewest; null before pages with ships are open.
 */
let shipFrames: (() => number) | null = null;

const notify = (): Reported[] => [
  ...clients.map(({ way, client }) => ({ way, pictures: client.pictures(), missed: client.missed() })),
  ...(shipFrames === null ? [] : [{ way: 'ships' as const, pictures: shipFrames(), missed: 0 }]),
];

async function carryOut(order: Order | ShipOrder | 'tell'): Promise<void> {
  if (order === 'tell') return;
  if ('ships' in order) shipFrames = await shipPages(order);
  else await open(order);
}

/**
 * The first message opens viewers, a later one opens pages with ships, and each "tell" requests their state. The
 * process ends when the channel closes.
 */
process.on('message', (order: Order | ShipOrder | 'tell') => {
  const done = carryOut(order);
  done.then(
    () => process.send?.(notify()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.on('disconnect', () => process.exit());
