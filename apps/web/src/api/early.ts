/** Responses to requests that public/early.js sent before the client was loaded, by address. */
type Early = Map<string, { authorization: string; atMs: number; answer: Promise<Response> }>;

declare global {
  var ospreyEarly: Early | undefined;
  /** Value of `rel` in the links with which public/early.js preloads code during this visit. */
  var ospreyCodeRel: 'preload' | 'modulepreload' | undefined;
}

/** Maximum age of an early response, in milliseconds; an older one may be outdated, so the call is made again. */
const RESPONSE_AGE_MAX_MS = 5_000;

/** Returns the early response for this address and credential, if there is one. Each is returned only once. */
export function takeEarly(address: string, authorization: string | undefined): Promise<Response> | null {
  const asked = globalThis.ospreyEarly?.get(address);
  globalThis.ospreyEarly?.delete(address);
  if (asked === undefined || asked.authorization !== authorization) return null;
  return performance.now() - asked.atMs < RESPONSE_AGE_MAX_MS ? asked.answer : null;
}
