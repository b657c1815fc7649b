/** Responses that public/early.js asked for before the client was there, by address. */
type Early = Map<string, { authorization: string; atMs: number; answer: Promise<Response> }>;

declare global {
  var ospreyEarly: Early | undefined;
  /** How public/early.js fetches code at this visit: `rel` of a link. */
  var ospreyCodeRel: 'preload' | 'modulepreload' | undefined;
}

/** Older answers may be out of date: the call is made again. */
const GOOD_MS = 5_000;

/** The answer of this address to this credential, if it was asked for early; each is handed out once. */
export function takeEarly(address: string, authorization: string | undefined): Promise<Response> | null {
  const asked = globalThis.ospreyEarly?.get(address);
  globalThis.ospreyEarly?.delete(address);
  if (asked === undefined || asked.authorization !== authorization) return null;
  return performance.now() - asked.atMs < GOOD_MS ? asked.answer : null;
}
