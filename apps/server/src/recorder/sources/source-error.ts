/** A source cannot be opened, or ended. The message is a full sentence for operators and holds no secrets. */
export class SourceError extends Error {
  override name = 'SourceError';
}
