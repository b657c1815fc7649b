import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { randomOf } from '../simulator/src/random.ts';

export type LossyRelayOptions = {
  /** Port on loopback to which datagrams are forwarded. */
  to: number;
  /** With the same seed, the same datagrams are treated in the same way. */
  seed: number;
  /** Shares of datagrams that are lost or duplicated, from 0 to 1. */
  loss?: number;
  duplicates?: number;
  /** Share of datagrams that are held back until up to three later ones have passed. */
  reorder?: number;
  /** Maximum delay of each packet, in milliseconds. */
  jitterMs?: number;
};

/** Counts of datagrams; `reordered` counts those sent after a later one. */
export type RelayCounts = { received: number; dropped: number; duplicated: number; reordered: number };

/** Number of datagrams at the start that are always forwarded, so that every receiver knows where the stream begins. */
const SPARED = 3;
const HELD_MS = 20;

type Held = { bytes: Uint8Array; behind: number; overtaken: boolean; clock: NodeJS.Timeout };

/**
 * Simulates a bad network: receives datagrams on its own port and forwards them, with some lost, duplicated and
 * reordered.
 *
 * @param passed called once with each datagram that is not lost, in order of arrival
 */
export async function lossyRelay(options: LossyRelayOptions, passed?: (bytes: Uint8Array) => void) {
  const { to, seed, loss = 0, duplicates = 0, reorder = 0, jitterMs = 0 } = options;
  const random = randomOf(seed);
  const counts: RelayCounts = { received: 0, dropped: 0, duplicated: 0, reordered: 0 };
  const held = new Set<Held>();
  const delayed = new Set<NodeJS.Timeout>();
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');

  function leave(bytes: Uint8Array): void {
    if (jitterMs === 0) {
      socket.send(bytes, to, '127.0.0.1');
      return;
    }
    const clock = setTimeout(() => {
      delayed.delete(clock);
      socket.send(bytes, to, '127.0.0.1');
    }, random() * jitterMs);
    delayed.add(clock);
  }

  function letGo(one: Held): void {
    if (!held.delete(one)) return;
    clearTimeout(one.clock);
    leave(one.bytes);
  }

  socket.on('message', (bytes) => {
    counts.received += 1;
    // Draw all four numbers each time, so that changing one share does not change which datagrams the others affect.
    const [isLost, isDouble, isLate] = [random() < loss, random() < duplicates, random() < reorder];
    const behind = 1 + Math.floor(random() * 3);
    if (counts.received > SPARED && isLost) {
      counts.dropped += 1;
      return;
    }
    passed?.(bytes);
    if (counts.received > SPARED && isLate) {
      const one: Held = { bytes, behind, overtaken: false, clock: setTimeout(() => letGo(one), HELD_MS) };
      held.add(one);
      return;
    }
    leave(bytes);
    if (isDouble) {
      counts.duplicated += 1;
      leave(bytes);
    }
    for (const one of held) {
      if (!one.overtaken) counts.reordered += 1;
      one.overtaken = true;
      one.behind -= 1;
      if (one.behind <= 0) letGo(one);
    }
  });

  return {
    port: socket.address().port,
    counts: () => ({ ...counts }),
    /** Sends the held datagrams, and ends. */
    async close(): Promise<void> {
      for (const one of [...held]) letGo(one);
      for (const clock of delayed) clearTimeout(clock);
      await new Promise<void>((resolve) => socket.close(resolve));
    },
  };
}
