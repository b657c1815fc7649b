/** A stream that ends with the signal: a large file must not delay the end of the server. */
export async function* abortable<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  for await (const part of source) {
    signal.throwIfAborted();
    yield part;
  }
}
