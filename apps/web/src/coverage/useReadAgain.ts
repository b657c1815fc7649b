import { groundEvent, missionsEvent, revokedEvent } from '@osprey/contract';
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useServerEvent } from '../events/events.ts';

/** Time in milliseconds over which events are collected, since the steps of a job follow each other closely. */
const COLLECT_MS = 1000;
/**
 * Minimum interval in milliseconds between reads while missions are recording: they continuously see new ground, and
 * results may be at most 5 s behind live.
 */
const RECORDING_REFRESH_MS = 4000;

type Timer = ReturnType<typeof setTimeout> | undefined;

/**
 * Reads results again when missions change, and while missions that are being recorded see new ground. When access to
 * some items of the kinds in `nouns` is lost, the old results are removed immediately.
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
    changed.current = setTimeout(() => void queries.invalidateQueries({ queryKey }), COLLECT_MS);
  });
  useServerEvent(groundEvent, () => {
    grown.current ??= setTimeout(() => {
      grown.current = undefined;
      // A read in progress is not cancelled, even if it takes long, since new ground arrives continuously.
      void queries.invalidateQueries({ queryKey }, { cancelRefetch: false });
    }, RECORDING_REFRESH_MS);
  });
  useServerEvent(revokedEvent, ({ noun }) => {
    if (nouns.includes(noun)) void queries.resetQueries({ queryKey });
  });
}
