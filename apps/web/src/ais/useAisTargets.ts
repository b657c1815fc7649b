import {
  type AisTarget,
  aisEvent,
  listAisTargets,
  missionsEvent,
  platformsEvent,
  revokedEvent,
  shipListsEvent,
} from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { usePages } from '../api/usePages.ts';
import { useServerEvent } from '../events/events.ts';
import { useLiveEvents } from '../events/useLiveEvents.ts';
import { type AisFilter, toQuery } from './ais-filter.ts';

/** Where no event comes, the table is read again so often. */
export const POLL_MS = 10_000;
/** Minimum interval between requests while positions arrive all the time. */
export const LEAST_MS = 2000;

type Wish = { filter: AisFilter; search: string; sort: string };

/** The ships of the table, page after page; it follows by events. */
export function useAisTargets({ filter, search, sort }: Wish) {
  const queries = useQueryClient();
  useLiveEvents();
  // A trail is drawn by the map: another length of it changes no row, and colours are those of the page.
  const { trail: _trail, plain: _plain, ...rows } = filter;
  const listed = usePages<AisTarget>({
    queryKey: ['ais', 'targets', rows, search, sort],
    read: (api, page, options) => {
      const query = { ...toQuery(filter, search, Date.now() * 1000), ...page, sort } as const;
      return api.call(listAisTargets, { query: query as never }, options);
    },
    // In a time that is over nothing moves: rows that are being looked at stay where they are.
    ...(filter.end === null && { everyMs: POLL_MS }),
  });

  const readAgain = useThrottled(() => void listed.refetch({ cancelRefetch: false }), LEAST_MS);
  useServerEvent(aisEvent, ({ mission }) => {
    if (mission === filter.mission?.id || filter.mission === null) readAgain();
  });
  // Rights to hear a receiver changed: shown ships are asked for again, and receivers too.
  const forget = () => void queries.invalidateQueries({ queryKey: ['ais'] });
  useServerEvent(platformsEvent, forget);
  useServerEvent(missionsEvent, () => void queries.invalidateQueries({ queryKey: ['ais', 'sources'] }));
  // A changed list may show other ships.
  useServerEvent(shipListsEvent, ({ ids }) => {
    if (filter.list !== null && ids.includes(filter.list.id)) readAgain();
  });
  useServerEvent(revokedEvent, () => void queries.resetQueries({ queryKey: ['ais'] }));
  return listed;
}

/** Calls at once, and then every `leastMs` milliseconds at most; the last call is never lost. */
export function useThrottled(call: () => void, leastMs: number): () => void {
  const latest = useRef(call);
  const state = useRef<{ last: number; timer: ReturnType<typeof setTimeout> | null }>({ last: -leastMs, timer: null });
  useEffect(() => {
    latest.current = call;
  });
  useEffect(() => {
    const own = state.current;
    return () => {
      if (own.timer) clearTimeout(own.timer);
      own.timer = null;
    };
  }, []);
  return () => {
    const own = state.current;
    if (own.timer) return;
    const waitMs = Math.max(0, own.last + leastMs - performance.now());
    own.timer = setTimeout(() => {
      own.timer = null;
      own.last = performance.now();
      latest.current();
    }, waitMs);
  };
}
