import { type Classification, classificationOf, classificationRank } from '@osprey/contract';
import { createContext, useContext, useEffect, useId, useSyncExternalStore } from 'react';

const shownLabels = new Map<string, number>();
const listeners = new Set<() => void>();

function notify() {
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

const highest = () => Math.max(1, ...shownLabels.values());

/** Returns the highest of the labels; the lowest label that exists if there are none. */
export const highestOf = (labels: readonly Classification[]): Classification =>
  classificationOf(Math.max(1, ...labels.map(classificationRank)));

/** Whether a part of the page is out of sight, so that its labels do not count. */
export const LabelsHidden = createContext(false);

/**
 * Registers the labels of the items that a view shows, for as long as it shows them. The label bar shows the highest
 * registered label.
 */
export function useShownLabels(labels: readonly Classification[]): void {
  const id = useId();
  const rank = Math.max(1, ...labels.map(classificationRank));
  const hidden = useContext(LabelsHidden);
  useEffect(() => {
    if (hidden) return;
    shownLabels.set(id, rank);
    notify();
    return () => {
      shownLabels.delete(id);
      notify();
    };
  }, [id, rank, hidden]);
}

/** Returns the highest classification of everything on screen. */
export function useHighestLabel(): Classification {
  return classificationOf(useSyncExternalStore(subscribe, highest));
}
