import type { QueryClient, QueryKey } from '@tanstack/react-query';
import type { PageItem } from './items.ts';

export type Item = { noun: string; id: string };

/** Whether the key of a query begins with these parts. */
export const beginsWith = (key: QueryKey, first: QueryKey): boolean => first.every((part, at) => key[at] === part);

/**
 * Returns a function that reads from the key of a query the single item that the query concerns. It returns null for
 * lists, for counts, and for parts of items that the page does not know.
 */
export function itemReader(queries: QueryClient, items: readonly PageItem[]): (key: QueryKey) => Item | null {
  const readers = items.map(({ noun, one, ofParts }) => ({ noun, one, ofPart: ofParts?.(queries) }));
  return (key) => {
    for (const { noun, one, ofPart } of readers) {
      const id = idAfter(key, one) ?? ofPart?.(key) ?? null;
      if (id !== null) return { noun, id };
    }
    return null;
  };
}

function idAfter(key: QueryKey, beginnings: readonly QueryKey[]): string | null {
  const beginning = beginnings.find((one) => beginsWith(key, one));
  return beginning === undefined ? null : String(key[beginning.length]);
}
