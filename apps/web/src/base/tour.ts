import { z } from 'zod';
import { readStoredJson, writeStored } from './keys.ts';

const KEY = 'tour';

/**
 * State of the tour for each account, by name: `due` after a set-up with sample data, `seen` once the tour has begun.
 */
const states = z.record(z.string(), z.enum(['due', 'seen']));
const all = () => states.safeParse(readStoredJson(KEY)).data ?? {};
const keep = (account: string, state: 'due' | 'seen') =>
  writeStored(KEY, JSON.stringify({ ...all(), [account]: state }));

/** Marks the tour as due: it begins when this account opens its first sample. */
export const makeTourDue = (account: string): void => keep(account, 'due');

export const isTourDue = (account: string): boolean => all()[account] === 'due';

let asking: string | null = null;
const listeners = new Set<() => void>();

function setAsking(account: string | null): void {
  asking = account;
  for (const listener of listeners) listener();
}

/** Called when the user requests the tour. It begins over the open mission, or over the next one that is opened. */
export const askForTour = setAsking;

/** Records that the tour has begun, so that it never begins automatically again, whether it is finished or skipped. */
export function noteTourBegun(account: string): void {
  keep(account, 'seen');
  setAsking(null);
}

/** Returns the account that requested the tour, until the tour begins. */
export const tourAskedBy = (): string | null => asking;

export function onTourAsked(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
