import { addCaseComment, listCaseComments, strikeCaseComment, updateCaseComment } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { auditedItem } from '../../base/audit/item-notes.ts';
import type { RequestAudit } from '../../base/audit/request-audit.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import type { CaseComments, Commented } from './comments.ts';
import type { CaseRepository } from './repository.ts';
import { factsOfCase } from './rows.ts';

export type CommentRoutesDeps = Http & {
  cases: CaseRepository;
  comments: CaseComments;
  changed: (noun: 'cases', ids: string[]) => void;
};

export function commentRoutes(deps: CommentRoutesDeps): void {
  const { cases, comments, changed } = deps;

  callRoute(deps, listCaseComments, async ({ input: { params }, actor, audit }) => {
    const facts = factsOfCase(await cases.read(actor, params.id));
    authorize(actor, 'case.read', facts);
    await audit.read('case.read', facts);
    return comments.list(actor, params.id);
  });

  callRoute(deps, addCaseComment, async ({ input: { params, body }, actor, audit }) =>
    announce(audit, 'added', await comments.add(actor, params.id, body.text)),
  );

  callRoute(deps, updateCaseComment, async ({ input: { params, body }, actor, audit }) =>
    announce(audit, 'changed', await comments.update(actor, params.id, params.commentId, body.text)),
  );

  callRoute(deps, strikeCaseComment, async ({ input: { params }, actor, audit }) =>
    announce(audit, 'struck', await comments.strike(actor, params.id, params.commentId)),
  );

  async function announce(audit: RequestAudit, what: string, { facts, comment }: Commented) {
    await audit.write({ action: 'case.comment', ...auditedItem(facts), result: `${what} ${comment._id}` });
    changed('cases', [facts.id]);
    return comment;
  }
}
