import saxes from 'saxes';
import { BadFile } from './bad-file.ts';

export type Element = { name: string; attributes: Record<string, string> };

type Listener = {
  open: (element: Element, path: readonly string[]) => void;
  text: (text: string, path: readonly string[]) => void;
  /** `path` ends with the name of the element that closes. */
  close: (path: readonly string[]) => void;
};

/** Elements in each other. */
const DEPTH_MAX = 64;

/**
 * Reads XML by the local names of its elements. It knows no entities but those of XML itself, and follows nothing.
 *
 * @throws BadFile where it is not well-formed
 */
export function readXml(text: string, listener: Listener): void {
  const parser = new saxes.SaxesParser({ xmlns: false });
  const path: string[] = [];
  let fault: string | null = null;
  parser.on('opentag', ({ name, attributes }) => {
    path.push(localName(name));
    if (path.length > DEPTH_MAX) fault ??= 'it is nested too deep';
    if (fault === null) listener.open({ name: path.at(-1)!, attributes: attributes as Record<string, string> }, path);
  });
  parser.on('text', (part) => fault === null && listener.text(part, path));
  parser.on('cdata', (part) => fault === null && listener.text(part, path));
  parser.on('closetag', () => {
    if (fault === null) listener.close(path);
    path.pop();
  });
  parser.on('error', ({ message }) => {
    fault ??= `it is not well-formed XML: ${message
      .replace(/^(?:[^:]*:)?(\d+):\d+: /, 'line $1, ')
      .replace(/\.$/, '')
      .slice(0, 100)}`;
  });
  parser.write(text).close();
  if (fault !== null) throw new BadFile(fault);
}

const localName = (name: string): string => name.split(':').at(-1) ?? name;
