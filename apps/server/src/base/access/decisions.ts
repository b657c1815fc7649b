import { AsyncLocalStorage } from 'node:async_hooks';
import type { Classification } from '@osprey/contract';

/** The item in question, for the audit. */
export type AskedItem = { id: string | null; label: Classification | null; usergroups: readonly string[] };

/** Questions of one request to `authorize` so far. */
export type Decisions = {
  asked: Set<string>;
  /** The item of the last question. */
  item: AskedItem | null;
  /** A media token opens this item and no other; null for whole sessions. */
  onlyItem: string | null;
};

const current = new AsyncLocalStorage<Decisions>();

export const newDecisions = (onlyItem: string | null): Decisions => ({ asked: new Set(), item: null, onlyItem });

/** Runs the work of one request so that each `authorize` in it is seen. */
export function watchDecisions<T>(decisions: Decisions, work: () => Promise<T>): Promise<T> {
  return current.run(decisions, work);
}

export const decisionsOfRequest = (): Decisions | undefined => current.getStore();
