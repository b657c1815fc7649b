import type { FromRecorder, Hello } from './protocol.ts';

/** Maximum number of segments in one message, so that it is built and read within a few milliseconds. */
const PIECE = 1000;

/** Splits a hello for the socket: first without segments, then its segments in pieces. */
export function* greeting(hello: Hello): Iterable<FromRecorder> {
  const { ring, segments } = hello;
  yield { ...hello, ring: [], segments: [] };
  for (let at = 0; at < ring.length; at += PIECE) {
    yield { kind: 'known', ring: ring.slice(at, at + PIECE), segments: [], isLast: false };
  }
  for (let at = 0; at < segments.length; at += PIECE) {
    yield { kind: 'known', ring: [], segments: segments.slice(at, at + PIECE), isLast: false };
  }
  yield { kind: 'known', ring: [], segments: [], isLast: true };
}

/**
 * Reassembles the hello of one connection; messages that arrive between its pieces are held back until it is complete.
 */
export function greetingReader() {
  let hello: Hello | null = null;
  let isComplete = false;
  const between: FromRecorder[] = [];

  return {
    /** Processes a message; returns the messages to pass on now. */
    take(message: FromRecorder): readonly FromRecorder[] {
      if (isComplete) return [message];
      if (message.kind === 'hello') hello = message;
      else if (message.kind !== 'known') between.push(message);
      else {
        for (const segment of message.ring) hello?.ring.push(segment);
        for (const segment of message.segments) hello?.segments.push(segment);
        isComplete = message.isLast;
      }
      if (!isComplete || hello === null) return [];
      const complete = [hello, ...between.splice(0)];
      // Release the memory, since the connection may last for days.
      hello = null;
      return complete;
    },
  };
}
