import { useSyncExternalStore } from 'react';

/**
 * Number of rows that other features add to the list of Activity: all of them, and those that the user has not seen.
 */
export type ActivityNews = { all: number; unseen: number };

const NONE: ActivityNews = { all: 0, unseen: 0 };
let news = NONE;
const listeners = new Set<() => void>();

export function setActivityNews(next: ActivityNews): void {
  if (next.all === news.all && next.unseen === news.unseen) return;
  news = next;
  for (const listener of listeners) listener();
}

export const forgetActivityNews = (): void => setActivityNews(NONE);

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const useActivityNews = (): ActivityNews => useSyncExternalStore(subscribe, () => news);
