/**
 * Passes on a stream but stops when the signal aborts, so that a large file does not delay the shutdown of the server.
 */
export async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const part of source) {
    signal.throwIfAborted();
    yield part;
  }
}
