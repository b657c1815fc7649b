import { SECURITY_TAG } from './eg0104.ts';
import { eachItem, MAX_DEPTH } from './local-set.ts';
import type { NestedItem } from './st0601-reader.ts';

/** Tags of segments and amendments in ST 0601, which are themselves sets of ST 0601 items (ST 1607). */
const SETS = new Set([100, 101]);

/**
 * Calls `visit` with each security set in an ST 0601 item: the item itself, or those nested in segments and amendments
 * at any depth.
 */
export function eachSecurityItem(
  bytes: Uint8Array,
  item: NestedItem,
  visit: (item: NestedItem) => void,
  depth = 0,
): void {
  if (item.tag === SECURITY_TAG) visit(item);
  if (!SETS.has(item.tag) || depth === MAX_DEPTH) return;
  eachItem(bytes, item, [], (tag, start, end) => eachSecurityItem(bytes, { tag, start, end }, visit, depth + 1));
}
