import { readFileSync } from 'node:fs';
import { testData } from '../../../tools/test-support/test-data.ts';
import { type AisMessage, createAisReader } from '../src/index.ts';
import type { Difference } from './peer-table.ts';

export type Found = { missing: string[]; found: (Difference & { type: number })[] };

/** Number of messages after the last match in which the next match is searched for, since peers omit some. */
const REACH = 20;

export function readAll(file: string): AisMessage[] {
  const messages: AisMessage[] = [];
  const reader = createAisReader({ onMessage: (message) => messages.push(message) });
  reader.push(readFileSync(testData(`ais/${file}`)));
  reader.end();
  return messages;
}

/**
 * Compares a peer's messages with ours of the same type and station, in order, each with the most similar of the next
 * few.
 */
export function compareAll<Peer extends { mmsi: number }>(
  peers: readonly Peer[],
  ours: readonly AisMessage[],
  typeOf: (peer: Peer) => number,
  differencesOf: (peer: Peer, message: AisMessage) => Difference[],
): Found {
  const result: Found = { missing: [], found: [] };
  let next = 0;
  for (const peer of peers) {
    const type = typeOf(peer);
    const candidates = ours
      .map((message, at) => ({ message, at }))
      .filter(({ message, at }) => at >= next && message.type === type && message.mmsi === peer.mmsi)
      .slice(0, REACH)
      .map(({ message, at }) => ({ at, found: differencesOf(peer, message) }));
    const best = candidates.sort((a, b) => a.found.length - b.found.length || a.at - b.at)[0];
    if (best === undefined) {
      result.missing.push(`${type} ${peer.mmsi}`);
      continue;
    }
    next = best.at + 1;
    result.found.push(...best.found.map((difference) => ({ ...difference, type })));
  }
  return result;
}

export const keysOf = (found: Found['found']): string[] =>
  [...new Set(found.map(({ type, field }) => `${type} ${field}`))].sort();
