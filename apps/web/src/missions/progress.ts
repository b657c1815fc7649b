import type { MissionUpdate } from '@osprey/contract';
import { useSyncExternalStore } from 'react';

/** The last progress message of each mission and of each of its sensors, by id. */
const latest = new Map<string, MissionUpdate>();
const listeners = new Set<() => void>();

/**
 * Time without messages after which an upload counts as paused, cancelled or cut off, in milliseconds. A running upload
 * reports its progress four times a second, and no event reports its interruption.
 */
const SILENT_MS = 5000;
const silences = new Map<string, ReturnType<typeof setTimeout>>();

/** Returns whether this message is the last one about a file; afterwards the mission's own state shows the outcome. */
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

/** Discards progress after a reconnect, or of missions that were removed. */
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

/** Returns the current progress of a mission or sensor; null if there is none. */
export function useProgress(id: string): MissionUpdate | null {
  return useSyncExternalStore(subscribe, () => latest.get(id) ?? null);
}
