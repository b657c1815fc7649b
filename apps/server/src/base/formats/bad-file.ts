/** A file that is refused as a whole. The message completes the sentence "The file was refused: …". */
export class BadFile extends Error {
  override name = 'BadFile';
}
