import { SaxesParser } from 'saxes';

/** Folders in folders of a drawing are no deeper. */
const DEPTH_MAX = 32;
const TEXT_MAX = 128;
/** The parser keeps a text, a tag or a comment until it ends: one that is longer ends the reading instead. */
const WHOLE_MAX = 1024 * 1024;

/** Handlers for the elements of a file. Names come without their prefix. */
export type XmlReader<Row> = {
  open: (name: string, attributes: Readonly<Record<string, unknown>>) => void;
  /** `text`: the beginning of the text between the last tag and this one. */
  close: (name: string, text: string) => void;
  /** Rows that are whole. */
  take: () => Row[];
};

/**
 * Reads an XML file piece by piece. A document type, and with it every entity but those of XML itself, ends the
 * reading.
 *
 * @throws Error when it is not well-formed, or when there is too much text between two tags
 */
export async function* readXml<Row>(pieces: AsyncIterable<string>, reader: XmlReader<Row>): AsyncGenerator<Row> {
  const parser = new SaxesParser({ position: false });
  let text = '';
  let depth = 0;
  let sinceTag = 0;
  parser.on('doctype', () => {
    throw new Error('Document types are not taken');
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    depth += 1;
    if (depth > DEPTH_MAX) throw new Error('Nested too deep');
    text = '';
    reader.open(localName(name), attributes);
  });
  parser.on('text', (part) => {
    if (text.length < TEXT_MAX) text += part.slice(0, TEXT_MAX);
  });
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    depth -= 1;
    reader.close(localName(name), text.trim());
    text = '';
  });
  for await (const piece of pieces) {
    sinceTag += piece.length;
    parser.write(piece);
    if (sinceTag > WHOLE_MAX) throw new Error('Too long without a tag');
    yield* reader.take();
  }
  parser.close();
  yield* reader.take();
}

const localName = (name: string): string => name.split(':').at(-1) ?? name;
