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

/** Interval at which the table is read again when no event arrives. */
export const POLL_MS = 10_000;
/** Minimum interval between two requests, since positions may arrive continuously. */
export const REQUEST_INTERVAL_MS = 2000;

type Wish = { filter: AisFilter; search: string; sort: string };

/** Reads the ships of the table page by page, and again when events report changes. */
export function useAisTargets({ filter, search, sort }: Wish) {
  const queries = useQueryClient();
  useLiveEvents();
  // The trail is drawn by the map, so its length changes no row; colours are applied by the page.
  const { trail: _trail, plain: _plain, ...rows } = filter;
  const listed = usePages<AisTarget>({
    queryKey: ['ais', 'targets', rows, search, sort],
    read: (api, page, options) => {
      const query = { ...toQuery(filter, search, Date.now() * 1000), ...page, sort } as const;
      return api.call(listAisTargets, { query: query as never }, options);
    },
    // Not read again if the time range has an end: past positions do not change, and the rows that the user looks at
    // stay in place.
    ...(filter.end === null && { everyMs: POLL_MS }),
  });

  const readAgain = useThrottled(() => void listed.refetch({ cancelRefetch: false }), REQUEST_INTERVAL_MS);
  useServerEvent(aisEvent, ({ mission }) => {
    if (mission === filter.mission?.id || filter.mission === null) readAgain();
  });
  // The rights to receivers may have changed, so ships and receivers are read again.
  const forget = () => void queries.invalidateQueries({ queryKey: ['ais'] });
  useServerEvent(platformsEvent, forget);
  useServerEvent(missionsEvent, () => void queries.invalidateQueries({ queryKey: ['ais', 'sources'] }));
  // The ships of the chosen list may have changed, so the table is read again.
  useServerEvent(shipListsEvent, ({ ids }) => {
    if (filter.list !== null && ids.includes(filter.list.id)) readAgain();
  });
  useServerEvent(revokedEvent, () => void queries.resetQueries({ queryKey: ['ais'] }));
  return listed;
}

/**
 * Returns a function that calls `call` immediately, and then at most once every `leastMs` milliseconds. If calls are
 * skipped, one final call follows.
 */
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
