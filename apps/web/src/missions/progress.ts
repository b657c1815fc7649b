import type { MissionUpdate } from '@osprey/contract';
import { useSyncExternalStore } from 'react';

/** The last progress message of each mission and of each of its sensors, by id. */
const latest = new Map<string, MissionUpdate>();
const listeners = new Set<() => void>();

/**
 * An upload reports its progress four times a second: a silent one was paused, cancelled or cut off, which no event
 * reports. ms
 */
const SILENT_MS = 5000;
const silences = new Map<string, ReturnType<typeof setTimeout>>();

/**
 * Finds out whether this message is the last one about a file: from here on the mission's own state shows the outcome.
 */
const isLast = ({ type, progress }: MissionUpdate): boolean =>
  type === 'ingest_complete' ||
  type === 'error' ||
  (type === 'upload_progress' && progress !== null && progress >= 100);

export function takeProgress(update: MissionUpdate): void {
  const ids = [update.mission, ...(update.sensor === null ? [] : [update.sensor])];
  for (const id of ids) {
    clearTimeout(silences.get(id));
    if (isLast(update)) latest.delete(id);
    else latest.set(id, update);
    if (update.type === 'upload_progress' && !isLast(update))
      silences.set(
        id,
        setTimeout(() => forgetProgress([id]), SILENT_MS),
      );
  }
  for (const listener of listeners) listener();
}

/** Forgets progress: after a reconnect, or when the mission is gone. */
export function forgetProgress(ids?: readonly string[]): void {
  if (ids === undefined) latest.clear();
  else for (const id of ids) latest.delete(id);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** Current progress of a mission or sensor; null without any. */
export function useProgress(id: string): MissionUpdate | null {
  return useSyncExternalStore(subscribe, () => latest.get(id) ?? null);
}
