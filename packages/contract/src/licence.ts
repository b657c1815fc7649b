import { z } from 'zod';
import { defineCall, formFile, micros } from './core/call.ts';

/** Limits of demo mode: number of concurrent users besides admins, and number of platforms recorded concurrently. */
export const DEMO_USERS = 3;
export const DEMO_PLATFORMS = 1;

/** Features that a licence can switch off. A licence without `options` allows all of them. */
export const licenceOptions = ['export', 'live', 'ais', 'conference'] as const;
export type LicenceOption = (typeof licenceOptions)[number];

/**
 * Options whose feature exists in the product. A licence file may also name the others, which are for future features.
 */
export const productOptions = ['export', 'live'] as const satisfies readonly LicenceOption[];

/** Payload (the middle part) of a licence token, as signed. A missing limit means unlimited. */
export const licencePayload = z.object({
  id: z.uuid(),
  customer: z.string().trim().min(1).max(100),
  /** The only server for which the licence is valid; absent if it is valid for any server. */
  node: z.string().max(64).optional(),
  issued: micros,
  /** Time at which the licence expires; absent if it never expires. */
  expires: micros.optional(),
  /** Maximum number of concurrent accounts besides admins. */
  users: z.int().min(1).max(1_000_000).optional(),
  platforms: z.int().min(1).max(100_000).optional(),
  options: z.array(z.enum(licenceOptions)).optional(),
  /** A PNG or JPEG in base64. The server decodes and re-encodes it before showing it. */
  logo: z
    .base64()
    .max(4 * Math.ceil((256 * 1024) / 3))
    .optional(),
});
export type LicencePayload = z.output<typeof licencePayload>;

/**
 * `open`: the licence shipped with the product, without limits. `licensed`: the site's own licence. `demo`: the site's
 * own licence is no longer valid.
 */
export const licenceStates = ['open', 'licensed', 'demo'] as const;

const use = z.object({ now: z.int(), limit: z.int().nullable() });

export const licenceInfo = z.object({
  valid: z.boolean(),
  /** "OK", or a sentence that states the problem. */
  message: z.string(),
  company: z.string().nullable(),
  /** Sent only to superAdmin and admin. */
  details: z
    .object({
      state: z.enum(licenceStates),
      node: z.string(),
      issued: micros.nullable(),
      expires: micros.nullable(),
      users: use,
      platforms: use,
      /** Features of the product and whether they are switched on. */
      options: z.array(z.object({ option: z.enum(productOptions), on: z.boolean() })),
    })
    .optional(),
});
export type LicenceInfo = z.output<typeof licenceInfo>;

export const getLicenceInfo = defineCall({
  method: 'GET',
  path: '/licenseInfo',
  summary: 'Returns whether the licence is valid, and its owner. Its limits are for superAdmin and admin',
  action: 'session.use',
  input: z.object({}),
  answer: licenceInfo,
  errors: ['notSignedIn'],
});

export const getLicenceFile = defineCall({
  method: 'GET',
  path: '/licenseFile',
  summary: 'Returns the licence as readable text, and its token. Empty for the licence that comes with the product',
  action: 'license.manage',
  input: z.object({}),
  answer: z.object({ file: z.string(), token: z.string() }),
  errors: ['notSignedIn', 'forbidden'],
});

export const uploadLicence = defineCall({
  method: 'POST',
  path: '/upload/license',
  summary: 'Uploads a licence in the form field `license`. One that is not valid here changes nothing',
  action: 'license.manage',
  input: z.object({}),
  answer: z.object({ valid: z.boolean(), message: z.string() }),
  errors: ['notSignedIn', 'forbidden', 'invalid', 'bodyTooLarge', 'unsupportedMediaType'],
  raw: 'form',
  form: z.object({ license: formFile }),
});

export const getLicenceLogo = defineCall({
  method: 'GET',
  path: '/licenseLogo/:version',
  summary: 'Returns the picture of the licence, drawn by the server (PNG)',
  action: 'public.use',
  input: z.object({ params: z.object({ version: z.string().regex(/^[0-9a-f]{16}$/) }) }),
  answer: z.unknown(),
  errors: ['notFound'],
  raw: 'media',
});

export type DecodedToken = { header: unknown; payload: unknown };

/**
 * Decodes the parts of a licence token so that they can be read. This does not verify the token: only the server checks
 * the signature.
 *
 * @throws Error with the reason
 */
export function decodeToken(token: string): DecodedToken {
  const parts = token.trim().split('.');
  if (parts.length !== 3) throw new Error(`It has ${parts.length} parts in place of 3.`);
  const [header = '', payload = ''] = parts;
  return { header: partOf(header, 'header'), payload: partOf(payload, 'payload') };
}

function partOf(text: string, name: string): unknown {
  if (!/^[A-Za-z0-9_-]+$/.test(text)) throw new Error(`Its ${name} is not base64url.`);
  try {
    const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Error(`Its ${name} is not JSON.`);
  }
}
