import { type PlatformConfig, platformsFile } from '@osprey/contract';
import { CST, type Document, isNode, isScalar, Lexer, LineCounter, parseDocument, visit } from 'yaml';
import type { z } from 'zod';

/** Maximum nesting depth of brackets; a configuration needs four. */
const DEPTH_MAX = 16;
const ERRORS_MAX = 50;

export type FileError = { line: number | null; text: string };
export type ReadFile = { platforms: PlatformConfig[]; lineOf: LineOf } | { errors: FileError[] };

/**
 * Returns the line of a value given its path (`[0, 'sensors', 1, 'url']`, starting at the list of platforms), or the
 * line of its nearest parent.
 */
export type LineOf = (path: readonly (string | number)[]) => number | null;

/**
 * Parses platforms.yml: plain YAML 1.2 without tags, anchors and aliases, validated by the contract's schema. No part
 * of it is ever executed or resolved.
 */
export function readPlatformsFile(bytes: Uint8Array): ReadFile {
  const text = decode(bytes);
  if (text === null) return { errors: [{ line: null, text: 'The file is not text in UTF-8' }] };
  const unsafe = unsafeToken(text);
  if (unsafe !== null) return { errors: [unsafe] };
  const lines = new LineCounter();
  try {
    const document = parseDocument(text, {
      schema: 'core',
      // Off, since the library compares each key with all others of its map: a file with one large map blocked the
      // server for minutes.
      uniqueKeys: false,
      lineCounter: lines,
      prettyErrors: false,
      logLevel: 'silent',
    });
    const lineAt = (offset: number) => lines.linePos(offset).line;
    if (document.errors.length > 0) {
      return {
        errors: document.errors
          .slice(0, ERRORS_MAX)
          .map(({ pos, message }) => ({ line: lineAt(pos[0]), text: message })),
      };
    }
    const duplicates = keysTwice(document, lineAt);
    return duplicates.length > 0 ? { errors: duplicates.slice(0, ERRORS_MAX) } : checked(document, lineAt);
  } catch (error) {
    if (error instanceof RangeError) return { errors: [{ line: null, text: 'The file is nested too deeply' }] };
    throw error;
  }
}

function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/**
 * Returns the first unsafe token of the file. Checked before any value is built, since an alias may expand to a million
 * copies.
 */
function unsafeToken(text: string): FileError | null {
  let line = 1;
  let depth = 0;
  let isScalar = false;
  const isSecond = secondDocument();
  for (const source of new Lexer().lex(text)) {
    const type = isScalar ? 'scalar' : CST.tokenType(source);
    isScalar = source === CST.SCALAR;
    if (type === 'alias' || type === 'anchor') return { line, text: 'Anchors and aliases (& and *) are not taken' };
    if (type === 'tag') return { line, text: 'Tags (!) are not taken' };
    if (isSecond(type)) return { line, text: 'The file holds a second document: one is taken' };
    if (type === 'directive-line') return { line, text: 'Directives (%) are not taken' };
    if (type === 'flow-map-start' || type === 'flow-seq-start') depth += 1;
    if (type === 'flow-map-end' || type === 'flow-seq-end') depth -= 1;
    if (depth > DEPTH_MAX) return { line, text: 'The file is nested too deeply' };
    line += source.split('\n').length - 1;
  }
  return null;
}

const between = new Set<string | null>(['space', 'newline', 'comment', 'byte-order-mark']);

/**
 * Returns a function to call for each token; it returns true once a second document begins, which the library would
 * ignore.
 */
function secondDocument(): (type: string | null) => boolean {
  let isBegun = false;
  let isOver = false;
  return (type) => {
    if (between.has(type)) return false;
    if (type === 'doc-end') isOver = isBegun;
    else if (isOver || (type === 'doc-start' && isBegun)) return true;
    else if (type !== 'doc-mode') isBegun = true;
    return false;
  };
}

function keysTwice(document: Document, lineAt: (offset: number) => number): FileError[] {
  const errors: FileError[] = [];
  visit(document, {
    Map(_key, map) {
      const existing = new Set<unknown>();
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        if (existing.has(key.value))
          errors.push({ line: lineAt(key.range?.[0] ?? 0), text: 'Map keys must be unique' });
        existing.add(key.value);
      }
    },
  });
  return errors;
}

function checked(document: Document, lineAt: (offset: number) => number): ReadFile {
  const isList = Array.isArray(document.toJS({ maxAliasCount: 0 }));
  const lineOf: LineOf = (path) => {
    const whole = isList ? [...path] : ['platforms', ...path];
    for (let length = whole.length; length >= 0; length--) {
      const node = length === 0 ? document.contents : document.getIn(whole.slice(0, length), true);
      if (isNode(node) && node.range) return lineAt(node.range[0]);
    }
    return null;
  };
  const parsed = platformsFile.safeParse(document.toJS({ maxAliasCount: 0 }) ?? []);
  if (parsed.success) return { platforms: parsed.data, lineOf };
  const errors = issuesOf(parsed.error, isList).map(({ path, message }) => {
    const inList = path[0] === 'platforms' ? path.slice(1) : path;
    const place = inList.filter((part) => typeof part !== 'symbol') as (string | number)[];
    return { line: lineOf(place), text: place.length === 0 ? message : `${placeText(place)}: ${message}` };
  });
  return { errors: errors.slice(0, ERRORS_MAX) };
}

/** A file is either a list or an object; returns only the issues of the form that was intended. */
function issuesOf(error: z.ZodError, isList: boolean) {
  return error.issues.flatMap((issue) =>
    issue.code === 'invalid_union' && issue.path.length === 0 ? (issue.errors[isList ? 1 : 0] ?? []) : [issue],
  );
}

/** Formats a path, for example as `platform 2, sensor 1, url`. */
function placeText(path: readonly (string | number)[]): string {
  const [platform, field, sensor, ...rest] = path;
  const parts = [`platform ${Number(platform) + 1}`];
  if (field === 'sensors' && typeof sensor === 'number') parts.push(`sensor ${sensor + 1}`, ...rest.map(String));
  else parts.push(...[field, sensor, ...rest].filter((part) => part !== undefined).map(String));
  return parts.join(', ');
}
