import { BadFile } from '../bad-file.ts';
import { digitsOf } from '../numbers.ts';

/** One element of well-known text (OGC 01-009): `PARAMETER["False_Easting",500000]`. */
export type WktNode = { keyword: string; values: (string | WktNode)[] };

/** Maximum number of elements; a reference system has about forty. */
const NODES_MAX = 1000;
const DEPTH_MAX = 16;

/** @throws BadFile if the text is not well-known text */
export function parseWkt(text: string): WktNode {
  const tokens = text.match(/"(?:[^"]|"")*"|[[\](),]|[^\s"[\](),]+/g) ?? [];
  let [at, nodes] = [0, 0];

  function node(depth: number): WktNode {
    const keyword = tokens[at] ?? '';
    nodes += 1;
    if (!/^[A-Z_0-9]+$/i.test(keyword) || nodes > NODES_MAX || depth > DEPTH_MAX) throw notWkt();
    at += 1;
    const values: WktNode['values'] = [];
    if (tokens[at] !== '[' && tokens[at] !== '(') throw notWkt();
    do {
      at += 1;
      const token = tokens[at] ?? '';
      const next = tokens[at + 1];
      if (next === '[' || next === '(') values.push(node(depth + 1));
      else {
        if (token === '' || /^[[\](),]$/.test(token)) throw notWkt();
        values.push(token.startsWith('"') ? token.slice(1, -1).replaceAll('""', '"') : token);
        at += 1;
      }
    } while (tokens[at] === ',');
    if (tokens[at] !== ']' && tokens[at] !== ')') throw notWkt();
    at += 1;
    return { keyword: keyword.toUpperCase(), values };
  }

  const root = node(0);
  if (at < tokens.length) throw notWkt();
  return root;
}

const notWkt = () => new BadFile('its reference system (.prj) is not written as well-known text');

export const childrenOf = ({ values }: WktNode, keyword: string): WktNode[] =>
  values.filter((value): value is WktNode => typeof value !== 'string' && value.keyword === keyword);

export const childOf = (node: WktNode | undefined, keyword: string): WktNode | undefined =>
  node === undefined ? undefined : childrenOf(node, keyword)[0];

/** Returns the value at this index if it is a text; else empty. */
export const textOf = (node: WktNode | undefined, index = 0): string => {
  const value = node?.values[index];
  return typeof value === 'string' ? value : '';
};

/** Returns the EPSG code stated in an element; null if it has none, or one of another authority. */
export function epsgCodeOf(node: WktNode | undefined): number | null {
  const authority = childOf(node, 'AUTHORITY');
  const digits = textOf(authority, 1);
  return textOf(authority).toUpperCase() === 'EPSG' && /^\d{4,6}$/.test(digits) ? digitsOf(digits) : null;
}
