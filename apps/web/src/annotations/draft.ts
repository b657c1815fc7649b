import type { AnnotationFeature } from '@osprey/contract';
import type { AnnotationForm } from './form.ts';

/** Typed and drawn content when saving failed. */
export type Draft = { form: AnnotationForm; features: AnnotationFeature[] };

type Retained = Draft & { account: string; id: string | null };

let retained: Retained | null = null;

/**
 * The one drawing that could not be saved, until it is restored, discarded, or the page is left. It may be classified: it
 * stays in memory, and is offered to the same account alone.
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
