/** The file is refused as a whole: the end of the sentence "The file was refused: …". */
export class BadFile extends Error {
  override name = 'BadFile';
}
