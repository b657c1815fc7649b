// Bundlers leave out modules from which nothing is imported; the entry of the package would be one, so this import is
// here.
import './sentences.ts';
import { z } from 'zod';
import type { Action } from '../access/can.ts';
import type { ErrorCode } from './errors.ts';
import { LIST_MAX } from './limits.ts';

/** One REST call, as data: the server serves it, the web calls it, OpenAPI describes it. */
export type Call<Input extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api, with `:name` for each key of `params`. */
  path: string;
  summary: string;
  /** The right that the call needs. A call without one does not compile. */
  action: Action;
  /** An object of up to three parts: params, query, body. */
  input: Input;
  answer: Answer;
  errors: readonly ErrorCode[];
  /**
   * Whether the call hands out or sets something that outlives the calling credential: a credential, a password, a key.
   * Programs get 403, so that a stolen credential cannot extend its access.
   */
  lasting?: true;
  /**
   * Body other than JSON: media bytes and playlists, forms, SDP in and out. The handler writes such an answer itself.
   */
  raw?: 'media' | 'form' | 'sdp';
  /** The named parts of a form. Left out: files under any name. */
  form?: z.ZodType;
  /** The most bytes of a JSON body; left out: 1 MiB. */
  bodyBytes?: number;
};

/** A part of a form that is a file. */
export const formFile = z.string().meta({ contentMediaType: 'application/octet-stream' });

/** Keeps the schemas' exact types while checking the rest. */
export function defineCall<Input extends z.ZodType, Answer extends z.ZodType>(call: Call<Input, Answer>) {
  return call;
}

export const id = z.uuid();

/** A mission or sensor by its id or its name, percent-encoded once in the address. */
export const idOrName = z.string().min(1).max(256);

/** Why something was done, as its audit row holds it. */
export const reasonText = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed');

/** UTC microseconds since 1970; a safe integer until the year 2255. */
export const micros = z.int();

/** A moment in a query: microseconds, or ISO 8601 with a zone. Comes out as microseconds. */
export const moment = z
  .string()
  .max(40)
  .transform((text, context) => {
    const isIso = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
    const us = /^-?\d{1,16}$/.test(text) ? Number(text) : isIso ? Date.parse(text) * 1000 : Number.NaN;
    if (Number.isSafeInteger(us)) return us;
    context.addIssue({ code: 'custom', message: 'Not a time: use microseconds or ISO 8601 with a zone' });
    return z.NEVER;
  });

/** A list in a query: comma separated, or the key repeated. Empty entries are dropped. */
export const list = (limit = LIST_MAX) =>
  z
    .union([z.string().max(65_536), z.array(z.string().max(1024))])
    .transform((value) =>
      (Array.isArray(value) ? value : [value])
        .flatMap((text) => text.split(','))
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    )
    .pipe(z.array(z.string().max(256)).max(limit));

/** Yes or no in a query: `1`, `true`, or the bare key mean yes. */
export const flag = z.enum(['', '0', '1', 'true', 'false']).transform((text) => text !== '0' && text !== 'false');

/** Answer of calls that only confirm that they were carried out. */
export const done = z.object({ message: z.string() });
