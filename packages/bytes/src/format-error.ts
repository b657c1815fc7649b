/** Error for input that violates its format at a known position. */
export class FormatError extends Error {
  override name = 'FormatError';
  /** Byte offset in the buffer that was being read. */
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`);
    this.offset = offset;
  }
}
