import { SaxesParser } from 'saxes';
import { BadFile } from './bad-file.ts';

/** Maximum nesting depth of elements. Nested folders of real drawings stay below it. */
const DEPTH_MAX = 32;

export type XmlAttributes = Readonly<Record<string, string>>;

/** Handlers for the elements of a file, by their local names. `path` ends with the name of the element itself. */
export type XmlListener = {
  open?: (name: string, attributes: XmlAttributes, path: readonly string[]) => void;
  /** `text` is the trimmed text between the previous tag and this one. */
  close?: (name: string, text: string, path: readonly string[]) => void;
  /** Called if the file is not well-formed. If this handler is given, parsing continues as far as possible. */
  fault?: () => void;
};

/** Maximum number of blanks before each part of a file. */
const BLANKS_MAX = 4096;
/** Beginning and end of what may stand before a root element. */
const BEFORE_ROOT = [
  ['<?', '?>'],
  ['<!--', '-->'],
] as const;

/** Returns the text from the root element on, or from its document type, without declarations and comments before it. */
export function fromRoot(text: string): string {
  let at = 0;
  for (;;) {
    at += /^\s*/.exec(text.slice(at, at + BLANKS_MAX))![0].length;
    const part = BEFORE_ROOT.find(([begin]) => text.startsWith(begin, at));
    const end = part === undefined ? -1 : text.indexOf(part[1], at + part[0].length);
    if (part === undefined || end < 0) return text.slice(at);
    at = end + part[1].length;
  }
}

export type XmlLimits = {
  /** Maximum number of characters kept of one text. */
  textMax: number;
  /**
   * Maximum length of one text, tag or comment. The parser buffers each until it ends, so a longer one ends the
   * reading.
   */
  wholeMax: number;
};

/**
 * Tokenizer of XML read in pieces. It knows only the entities of XML itself, rejects document types, and follows no
 * references. Every method throws BadFile if the text is not well-formed, is nested too deeply, or is too long without
 * a tag.
 */
export function createXmlTokenizer(listener: XmlListener, { textMax, wholeMax }: XmlLimits) {
  const parser = new SaxesParser({ xmlns: false });
  const path: string[] = [];
  let text = '';
  let sinceTag = 0;

  function fault(reason: string): void {
    if (listener.fault === undefined) throw new BadFile(reason);
    listener.fault();
  }

  function add(part: string): void {
    if (text.length < textMax) text += part.slice(0, textMax - text.length);
  }

  parser.on('doctype', () => fault('it has a document type (DOCTYPE), which is not taken'));
  parser.on('error', ({ message }) => fault(`it is not well-formed XML: ${plainWords(message)}`));
  parser.on('opentag', ({ name, attributes }) => {
    sinceTag = 0;
    text = '';
    const local = localName(name);
    path.push(local);
    if (path.length > DEPTH_MAX) throw new BadFile('it is nested too deep');
    listener.open?.(local, attributes as XmlAttributes, path);
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', ({ name }) => {
    sinceTag = 0;
    const words = text.trim();
    text = '';
    listener.close?.(localName(name), words, path);
    path.pop();
  });

  return {
    push(piece: string): void {
      sinceTag += piece.length;
      parser.write(piece);
      if (sinceTag > wholeMax) throw new BadFile('it is too long without a tag');
    },
    end: (): void => void parser.close(),
  };
}

const localName = (name: string): string => name.slice(name.lastIndexOf(':') + 1);

/** Rewrites the parser's message, which begins with line and column, as a readable sentence. */
const plainWords = (message: string): string =>
  message
    .replace(/^(?:[^:]*:)?(\d+):\d+: /, 'line $1, ')
    .replace(/\.$/, '')
    .slice(0, 100);

/** Reads XML from a complete text. @throws BadFile */
export function readXml(text: string, listener: XmlListener): void {
  const tokenizer = createXmlTokenizer(listener, { textMax: text.length, wholeMax: text.length });
  tokenizer.push(text);
  tokenizer.end();
}

/** Reads XML piece by piece; `take` returns the rows completed since its last call. @throws BadFile */
export async function* readXmlPieces<Row>(
  pieces: AsyncIterable<string>,
  { take, limits, ...listener }: XmlListener & { take: () => Row[]; limits: XmlLimits },
): AsyncGenerator<Row> {
  const tokenizer = createXmlTokenizer(listener, limits);
  for await (const piece of pieces) {
    tokenizer.push(piece);
    yield* take();
  }
  tokenizer.end();
  yield* take();
}
