import { LIST_MAX } from '@osprey/contract';

/** A call takes so many items at most; more of them go one part after the other. The first that fails ends it. */
export async function inParts(ids: readonly string[], send: (part: string[]) => Promise<unknown>): Promise<void> {
  for (let at = 0; at < ids.length; at += LIST_MAX) await send(ids.slice(at, at + LIST_MAX));
}
