import { type Actor, type AnnotationAction, type AnnotationRow, can, type LockableFacts } from '@osprey/contract';

export const factsOf = (row: AnnotationRow): LockableFacts => ({
  securityClassification: row.securityClassification,
  audience: row.audience,
  usergroups: row.usergroups,
  draft: false,
  locked: row.restricted,
  authorId: row.authorId,
});

/** Whether a button for the action is enabled. The server checks the right again. */
export const mayDo = (actor: Actor, action: AnnotationAction, row: AnnotationRow): boolean =>
  can(actor, action, factsOf(row)).allowed;
