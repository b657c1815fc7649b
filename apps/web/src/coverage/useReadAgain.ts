import { missionsEvent, revokedEvent } from '@osprey/contract';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServerEvent } from '../events/events.ts';

/** Steps of a job come close together. */
const GATHER_MS = 1000;

/** Reads answers again when missions changed; at once, without the earlier answer, when some of `nouns` were lost. */
export function useReadAgain(queryKey: QueryKey, nouns: readonly string[]): void {
  const queries = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  useServerEvent(missionsEvent, () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => void queries.invalidateQueries({ queryKey }), GATHER_MS);
  });
  useServerEvent(revokedEvent, ({ noun }) => {
    if (nouns.includes(noun)) void queries.resetQueries({ queryKey });
  });
}
