import { Socket } from 'node:dgram';
import { runChild } from '../src/processes/child.ts';

/** First bytes of a datagram that end this recorder while it reads it: by an error, or as the engine ends itself. */
export const BOMBS = { throws: 'THROW', aborts: 'ABORT' };

let bomb: string | null = null;
const { now } = performance;
performance.now = () => {
  if (bomb === BOMBS.throws) throw new Error('a fault of the reader');
  if (bomb === BOMBS.aborts) process.abort();
  return now.call(performance);
};
const emit = Socket.prototype.emit;
Socket.prototype.emit = function (this: Socket, name: string, ...args: unknown[]) {
  const text = name === 'message' ? String(args[0]).slice(0, 5) : '';
  bomb = Object.values(BOMBS).includes(text) ? text : null;
  return Reflect.apply(emit, this, [name, ...args]);
} as typeof emit;

// Loaded by a test for its names alone too.
if (process.env.OSPREY_ROLES === 'recorder') await runChild('recorder');
