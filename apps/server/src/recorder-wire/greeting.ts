import type { FromRecorder, Hello } from './protocol.ts';

/** Segments in one message: made and read in some milliseconds. */
const PIECE = 1000;

/** A hello as it goes over the socket: followed by its segments, in pieces. */
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

/** Puts the hello of one connection together; what was said between its pieces comes after it. */
export function greetingReader() {
  let hello: Hello | null = null;
  let isComplete = false;
  const between: FromRecorder[] = [];

  return {
    /** The messages to pass on now. */
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
      // Not kept for as long as the connection lasts.
      hello = null;
      return complete;
    },
  };
}
