import type { AnnotationFeature } from '@osprey/contract';
import type { AnnotationForm } from './form.ts';

/** Typed and drawn content when saving failed. */
export type Draft = { form: AnnotationForm; features: AnnotationFeature[] };

type Kept = Draft & { account: string; id: string | null };

let kept: Kept | null = null;

/**
 * The one drawing that could not be saved, until it is restored, discarded, or the page is left. It may be classified: it
 * stays in memory, and is offered to the same account alone.
 */
export const drafts = {
  keep(account: string, id: string | null, draft: Draft) {
    kept = { ...draft, account, id };
  },
  of: (account: string, id: string | null): Draft | null =>
    kept !== null && kept.account === account && kept.id === id ? kept : null,
  drop() {
    kept = null;
  },
};
