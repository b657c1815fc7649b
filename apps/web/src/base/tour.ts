import { z } from 'zod';
import { readStoredJson, writeStored } from './keys.ts';

const KEY = 'tour';

/** State for each account, by its name: `due` after a set-up with samples, `seen` once the tour has begun. */
const states = z.record(z.string(), z.enum(['due', 'seen']));
const all = () => states.safeParse(readStoredJson(KEY)).data ?? {};
const keep = (account: string, state: 'due' | 'seen') =>
  writeStored(KEY, JSON.stringify({ ...all(), [account]: state }));

/** The first sample that this account opens begins the tour. */
export const makeTourDue = (account: string): void => keep(account, 'due');

export const isTourDue = (account: string): boolean => all()[account] === 'due';

let asking: string | null = null;
const listeners = new Set<() => void>();

function setAsking(account: string | null): void {
  asking = account;
  for (const listener of listeners) listener();
}

/** The user asks for the tour: it begins over the open mission, or over the next one. */
export const askForTour = setAsking;

/** Skipped or finished makes no difference: it never begins by itself again. */
export function noteTourBegun(account: string): void {
  keep(account, 'seen');
  setAsking(null);
}

/** The account that asked for the tour, until it begins. */
export const tourAskedBy = (): string | null => asking;

export function onTourAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
