import { LIST_MAX } from '@osprey/contract';

/**
 * Sends a list of ids that is longer than a call accepts (LIST_MAX) in several calls, one after the other. Rejects with
 * the error of the first call that fails; the remaining ones are not made.
 */
export async function inParts(ids: readonly string[], send: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += LIST_MAX) await send(ids.slice(at, at + LIST_MAX));
}
