import { connect } from 'node:net';
import { z } from 'zod';
import { jsonMessage, messageReader } from '../recorder-wire/messages.ts';
import { FRAME } from '../recorder-wire/protocol.ts';

/** Time limit for the greeting, in milliseconds; a running recorder sends it immediately. */
const HELLO_MS = 5000;

/** The part of the greeting that all protocol versions have in common, which is enough to stop the recorder. */
const greeting = z.object({
  kind: z.literal('hello'),
  protocol: z.int().catch(0),
  pid: z.int(),
  sources: z.array(z.object({ on: z.boolean() })).catch([]),
  recordings: z.array(z.object({ state: z.string() })).catch([]),
});
type Greeting = z.output<typeof greeting>;

/** The main process's connection to the recorder: it detects the recorder's exit, and can stop the recorder. */
export type RecorderLine = Greeting & {
  closed: Promise<void>;
  /** Stops the recorder in an orderly way; `closed` settles afterwards. */
  end(): void;
  /** Closes this connection only. */
  leave(): void;
  isClosed(): boolean;
};

/** Connects to a recorder; null if none responds. */
export function findRecorder(path: string): Promise<RecorderLine | null> {
  return new Promise((resolve) => {
    const socket = connect(path);
    const late = setTimeout(() => socket.destroy(), HELLO_MS);
    const closed = new Promise<void>((done) => socket.once('close', () => done()));
    void closed.then(() => {
      clearTimeout(late);
      resolve(null);
    });
    // No recorder is listening; a close event follows automatically.
    socket.on('error', () => undefined);
    let isGreeted = false;
    const read = messageReader((kind, payload) => {
      // The main process reads only the greeting; other messages are for other processes.
      if (isGreeted || kind !== FRAME.json) return;
      isGreeted = true;
      clearTimeout(late);
      const hello = greeting.parse(JSON.parse(payload.toString('utf8')));
      const end = () => void socket.write(jsonMessage({ kind: 'end' }));
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
