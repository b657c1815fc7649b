import { connect } from 'node:net';
import { z } from 'zod';
import { frameReader, jsonFrame } from '../recorder-wire/frames.ts';
import { FRAME } from '../recorder-wire/protocol.ts';

/** A recorder that lives says at once who it is. */
const HELLO_MS = 5000;

/** The greeting of any version: enough to end it. */
const greeting = z.object({
  kind: z.literal('hello'),
  protocol: z.int().catch(0),
  pid: z.int(),
  sources: z.array(z.object({ on: z.boolean() })).catch([]),
  recordings: z.array(z.object({ state: z.string() })).catch([]),
});
type Greeting = z.output<typeof greeting>;

/** The connection between main and the recorder: it notices the recorder's end, and can end it. */
export type RecorderLine = Greeting & {
  closed: Promise<void>;
  /** In good order; `closed` follows. */
  end(): void;
  /** Closes this connection alone. */
  leave(): void;
  isClosed(): boolean;
};

/** Null where no recorder answers. */
export function findRecorder(path: string): Promise<RecorderLine | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const late = setTimeout(() => socket.destroy(), HELLO_MS);
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    void closed.then(() => {
      clearTimeout(late);
      resolve(null);
    });
    // No recorder listens; the end follows by itself.
    socket.on('error', () => undefined);
    let isGreeted = false;
    const read = frameReader((kind, payload) => {
      // All else is for others.
      if (isGreeted || kind !== FRAME.json) return;
      isGreeted = true;
      clearTimeout(late);
      const hello = greeting.parse(JSON.parse(payload.toString('utf8')));
      const end = () => void socket.write(jsonFrame({ kind: 'end' }));
      const leave = () => void socket.destroy();
      resolve({ ...hello, closed, end, leave, isClosed: () => socket.destroyed });
    });
    socket.on('data', (piece: Buffer) => {
      try {
        read(piece);
      } catch {
        socket.destroy();
      }
    });
  });
}
