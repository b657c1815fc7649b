import { BadFile } from './bad-file.ts';

/** Maximum length of one feature, in characters. A line with ten points a second for a day has about forty million. */
const FEATURE_MAX = 64 * 1024 * 1024;
/** Maximum nesting depth, the same as for all accepted JSON. */
const JSON_DEPTH_MAX = 64;
const KEY_MAX = 64;
/** Maximum nesting depth of collections; real files do not reach it. */
export const COLLECTIONS_MAX = 16;

export type Json = Readonly<Record<string, unknown>>;
export const objectOf = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};

/** `feature`: an element of the list `features`. `root`: a whole text, or what is around its list. */
export type GeoJsonPart = { kind: 'feature'; value: unknown } | { kind: 'root'; value: unknown; hasList: boolean };

/**
 * Tokenizer of GeoJSON (RFC 7946) and of GeoJSON text sequences (RFC 8142, or one text per line) read in pieces. It
 * holds one feature at a time. Every method throws BadFile for invalid JSON, excessive depth, or a feature that is too
 * long.
 */
export function createGeoJsonTokenizer() {
  let depth = 0;
  let inString = false;
  let isEscaped = false;
  let key = '';
  let isObject = false;
  let inList = false;
  let hasList = false;
  /** Text of the current feature, number of features so far, and text around the list. */
  let [element, elements, around] = ['', 0, ''];
  let parts: GeoJsonPart[] = [];

  function keep(text: string): void {
    if (inList) element += text;
    else around += text;
    if (element.length > FEATURE_MAX || around.length > FEATURE_MAX)
      throw new BadFile('one of its features is too long');
  }

  function inside(char: string): void {
    if (isEscaped) isEscaped = false;
    else if (char === '\\') isEscaped = true;
    else if (char === '"') inString = false;
    else if (depth === 1 && key.length < KEY_MAX) key += char;
  }

  function endElement(isLast: boolean): void {
    if (!isLast || elements > 0 || element.trim() !== '') parts.push({ kind: 'feature', value: parsed(element) });
    elements += 1;
    element = '';
  }

  function endRoot(): void {
    parts.push({ kind: 'root', value: parsed(around.replaceAll('\u001e', '')), hasList });
    around = '';
    hasList = false;
  }

  function open(char: string): boolean {
    depth += 1;
    if (depth > JSON_DEPTH_MAX) throw new BadFile('it is nested too deep');
    if (depth === 1) isObject = char === '{';
    return depth === 2 && char === '[' && key === 'features' && isObject;
  }

  function push(piece: string): void {
    // Start of the part of `piece` not yet stored.
    let from = 0;
    const keepTo = (end: number) => {
      keep(piece.slice(from, end));
      from = end;
    };
    for (let at = 0; at < piece.length; at += 1) {
      const char = piece[at]!;
      if (inString) inside(char);
      else if (char === '"') {
        inString = true;
        if (depth === 1) key = '';
      } else if (char === '{' || char === '[') {
        if (!open(char)) continue;
        keepTo(at + 1);
        [inList, hasList, elements] = [true, true, 0];
      } else if (char === ',' && inList && depth === 2) {
        keepTo(at);
        endElement(false);
        from = at + 1;
      } else if (char === '}' || char === ']') {
        if (inList && depth === 2) {
          keepTo(at);
          endElement(true);
          inList = false;
        }
        depth -= 1;
        if (depth < 0) throw NOT_JSON();
        if (depth > 0) continue;
        keepTo(at + 1);
        endRoot();
      }
    }
    keepTo(piece.length);
  }

  function takeParts(): GeoJsonPart[] {
    const taken = parts;
    parts = [];
    return taken;
  }

  return {
    push(piece: string): GeoJsonPart[] {
      push(piece);
      return takeParts();
    },
    end(): GeoJsonPart[] {
      if (depth !== 0 || inString) throw NOT_JSON();
      if (around.replaceAll('\u001e', '').trim() !== '') endRoot();
      return takeParts();
    },
  };
}

const NOT_JSON = () => new BadFile('it is not valid JSON');

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw NOT_JSON();
  }
}

/** Yields the parts of a complete text. @throws BadFile */
export function* geoJsonParts(text: string): Generator<GeoJsonPart> {
  const tokenizer = createGeoJsonTokenizer();
  yield* tokenizer.push(text);
  yield* tokenizer.end();
}

/** Yields the parts of a text read in pieces, each as soon as it is complete. @throws BadFile */
export async function* readGeoJsonPieces(pieces: AsyncIterable<string>): AsyncGenerator<GeoJsonPart> {
  const tokenizer = createGeoJsonTokenizer();
  for await (const piece of pieces) yield* tokenizer.push(piece);
  yield* tokenizer.end();
}

export type GeoJsonListener = {
  /** Called for each feature, and for each bare geometry, whose `properties` are null. */
  feature: (geometry: unknown, properties: unknown) => void;
  /** Called for collections nested too deeply. */
  tooDeep: () => void;
};

/**
 * Reports the features in one part of a GeoJSON file to the listener.
 *
 * @throws BadFile for a reference system other than WGS 84, wherever it is named
 */
export function eachFeature(part: GeoJsonPart, listener: GeoJsonListener): void {
  if (part.kind === 'feature') walk(part.value, listener, 1);
  else if (!part.hasList || objectOf(part.value).type !== 'FeatureCollection') walk(part.value, listener, 0);
  else checkReferenceSystem(objectOf(part.value));
}

function walk(value: unknown, listener: GeoJsonListener, depth: number): void {
  const { type, features, geometry, properties } = objectOf(value);
  if (depth > COLLECTIONS_MAX) {
    listener.tooDeep();
    return;
  }
  checkReferenceSystem(objectOf(value));
  checkReferenceSystem(objectOf(geometry));
  if (type === 'FeatureCollection' && Array.isArray(features)) {
    for (const one of features as unknown[]) walk(one, listener, depth + 1);
  } else if (type === 'Feature') listener.feature(geometry, properties);
  else listener.feature(value, null);
}

/** Names of WGS 84 with longitude first. The authority of a code may include a version (`EPSG:6.9:4326`). */
const WGS84 =
  /(?:CRS:?84|EPSG(?::|\/)(?:[\d.]*(?::|\/))?(?:4326|4979)|OGC[:/]1\.3[:/]CRS84h?|epsg\.xml#4326|WGS ?84)$/i;

/**
 * Checks the member `crs` of the old GeoJSON draft, since coordinates in a system other than WGS 84 would be misplaced.
 */
function checkReferenceSystem({ crs }: Json): void {
  const { type, properties } = objectOf(crs);
  const { name, code, href } = objectOf(properties);
  const named = type === 'EPSG' ? `EPSG:${String(code)}` : (name ?? href);
  if (typeof named !== 'string' || WGS84.test(named)) return;
  throw new BadFile(`its reference system is ${named.slice(0, 60)}; GeoJSON is taken in WGS 84 degrees alone`);
}
