import { groundEvent, missionsEvent, revokedEvent } from '@osprey/contract';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServerEvent } from '../events/events.ts';

/** Steps of a job come close together. */
const GATHER_MS = 1000;
/** Missions that record see new ground all the time, and answers are at most 5 s later than live. */
const GREW_MS = 4000;

type Timer = ReturnType<typeof setTimeout> | undefined;

/**
 * Reads answers again when missions changed, and while they record and see new ground; at once, without the earlier answer,
 * when some of `nouns` were lost.
 */
export function useReadAgain(queryKey: QueryKey, nouns: readonly string[]): void {
  const queries = useQueryClient();
  const changed = useRef<Timer>(undefined);
  const grown = useRef<Timer>(undefined);
  useEffect(
    () => () => {
      clearTimeout(changed.current);
      clearTimeout(grown.current);
    },
    [],
  );
  useServerEvent(missionsEvent, () => {
    clearTimeout(changed.current);
    changed.current = setTimeout(() => void queries.invalidateQueries({ queryKey }), GATHER_MS);
  });
  useServerEvent(groundEvent, () => {
    grown.current ??= setTimeout(() => {
      grown.current = undefined;
      // An answer that takes long is waited for: more ground is about to come.
      void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }, GREW_MS);
  });
  useServerEvent(revokedEvent, ({ noun }) => {
    if (nouns.includes(noun)) void queries.resetQueries({ queryKey });
  });
}
