import { revokedEventOf } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { isCode } from '../base/transport-error.ts';
import { beginsWith } from './about.ts';
import { useEvents, useServerEvent } from './events.ts';
import { type PageItem, pageItems } from './items.ts';
import { itemsRevoked } from './revoked.ts';

/**
 * Drops data when the rights to them are lost: after an event, or when an item that was read before is not found any
 * more.
 */
export function useRevocations(items: readonly PageItem[] = pageItems): void {
  const queries = useQueryClient();
  const { bus } = useEvents();
  const revokedEvent = useMemo(() => revokedEventOf(items.map(({ noun }) => noun)), [items]);

  useServerEvent(revokedEvent, ({ noun, ids, all }) => {
    if (noun !== 'session') itemsRevoked(queries, { noun, ids, all }, items);
  });

  useEffect(
    () =>
      queries.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { queryKey, state } = event.query;
        if (state.data === undefined || !isCode(state.error, 'notFound')) return;
        for (const { noun, notFoundIsLost: key } of items) {
          if (key === undefined || !beginsWith(queryKey, key)) continue;
          // The right was lost while no event could arrive, so the page emits the event itself.
          bus.emit(revokedEvent.name, { noun, ids: [String(queryKey[key.length])] });
        }
      }),
    [queries, bus, items, revokedEvent],
  );
}
