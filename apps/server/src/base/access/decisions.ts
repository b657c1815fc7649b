import { AsyncLocalStorage } from 'node:async_hooks';
import type { Classification } from '@osprey/contract';

/** The item that a decision is about, as recorded in the audit. */
export type AskedItem = { id: string | null; label: Classification | null; usergroups: readonly string[] };

/** Calls of `authorize` so far during one request. */
export type Decisions = {
  asked: Set<string>;
  /** The item of the most recent call of `authorize`. */
  item: AskedItem | null;
  /** Id of the only item that a media token gives access to; null for full sessions. */
  onlyItem: string | null;
};

const current = new AsyncLocalStorage<Decisions>();

export const newDecisions = (onlyItem: string | null): Decisions => ({ asked: new Set(), item: null, onlyItem });

/** Runs the work of one request and records each call of `authorize` made in it. */
export function watchDecisions<T>(decisions: Decisions, work: () => Promise<T>): Promise<T> {
  return current.run(decisions, work);
}

export const decisionsOfRequest = (): Decisions | undefined => current.getStore();
