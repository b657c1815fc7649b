import type { AnnotationFeature } from '@osprey/contract';
import type { AnnotationForm } from './form.ts';

/** Form values and drawn shapes, kept when saving has failed. */
export type Draft = { form: AnnotationForm; features: AnnotationFeature[] };

type Retained = Draft & { account: string; id: string | null };

let retained: Retained | null = null;

/**
 * Holds the one draft that could not be saved, until it is restored or discarded, or the page is closed. It may be
 * classified, so it is kept only in memory, and offered only to the same account.
 */
export const drafts = {
  keep(account: string, id: string | null, draft: Draft) {
    retained = { ...draft, account, id };
  },
  of: (account: string, id: string | null): Draft | null =>
    retained !== null && retained.account === account && retained.id === id ? retained : null,
  drop() {
    retained = null;
  },
};
