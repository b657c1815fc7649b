import { LIST_MAX } from '@osprey/contract';

/** Sends more ids than a call takes (LIST_MAX) in parts, one after the other. The first part that fails ends it. */
export async function inParts(ids: readonly string[], send: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += LIST_MAX) await send(ids.slice(at, at + LIST_MAX));
}
