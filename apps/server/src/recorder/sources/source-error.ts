/**
 * Thrown when a source cannot be opened, or has ended. The message is a full sentence for operators and contains no
 * secrets.
 */
export class SourceError extends Error {
  override name = 'SourceError';
}
