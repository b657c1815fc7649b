import { type Actor, type AnnotationAction, type AnnotationRow, can, type LockableFacts } from '@osprey/contract';

export const factsOf = (row: AnnotationRow): LockableFacts => ({
  securityClassification: row.securityClassification,
  audience: row.audience,
  usergroups: row.usergroups,
  draft: false,
  locked: row.restricted,
  authorId: row.authorId,
});

/** Returns whether a button for it is enabled; the server asks again. */
export const mayDo = (actor: Actor, action: AnnotationAction, row: AnnotationRow): boolean =>
  can(actor, action, factsOf(row)).allowed;
