// Bundlers omit modules from which nothing is imported. The package's entry would be one of them, so this side-effect
// import is here instead.
import './sentences.ts';
import { z } from 'zod';
import type { Action } from '../access/can.ts';
import type { ErrorCode } from './errors.ts';
import { LIST_MAX } from './limits.ts';

/**
 * Description of one REST call: the server implements it, the client calls it, and the OpenAPI document is generated
 * from it.
 */
export type Call<Input extends z.ZodType = z.ZodType, Answer extends z.ZodType = z.ZodType> = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path relative to /api, with `:name` for each key of `params`. */
  path: string;
  summary: string;
  /** Right required by the call. A call without one does not compile. */
  action: Action;
  /** An object of up to three parts: params, query, body. */
  input: Input;
  answer: Answer;
  errors: readonly ErrorCode[];
  /**
   * Whether the call returns or sets something that outlives the credential of the request: a credential, a password, a
   * key. Programs get 403, so that a stolen credential cannot extend its access.
   */
  lasting?: true;
  /**
   * Body other than JSON: media bytes and playlists, forms, SDP in requests and answers. The handler writes such an
   * answer itself.
   */
  raw?: 'media' | 'form' | 'sdp';
  /** Named parts of a form; if omitted, the form has files under any name. */
  form?: z.ZodType;
  /** Maximum size of a JSON body in bytes; if omitted, 1 MiB. */
  bodyBytes?: number;
};

/** Schema for a file in a form. */
export const formFile = z.string().meta({ contentMediaType: 'application/octet-stream' });

/** Validates the type of a call while preserving the exact types of its schemas. */
export function defineCall<Input extends z.ZodType, Answer extends z.ZodType>(call: Call<Input, Answer>) {
  return call;
}

export const id = z.uuid();

/** Id or name of a mission or sensor, percent-encoded once in the address. */
export const idOrName = z.string().min(1).max(256);

/** Reason for an action, as stored in its audit row. */
export const reasonText = z
  .string()
  .max(500)
  .refine((text) => !text.includes('\0'), 'Control characters are not allowed');

/** UTC microseconds since 1970; a safe integer until the year 2255. */
export const micros = z.int();

/** A time in a query: microseconds, or ISO 8601 with a time zone. Converted to microseconds. */
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

/** A list in a query: comma-separated, or as repeated parameters. Empty entries are dropped. */
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

/** A boolean in a query: `1`, `true`, or the parameter without a value mean true. */
export const flag = z.enum(['', '0', '1', 'true', 'false']).transform((text) => text !== '0' && text !== 'false');

/** Answer of calls that only confirm that they were carried out. */
export const done = z.object({ message: z.string() });
