import { Readable } from 'node:stream';
import {
  type Actor,
  endSessions,
  exportActivity,
  listActivity,
  listSessions,
  listUserMessages,
  type UserMessage,
} from '@osprey/contract';
import type { AuditViews } from '../../base/audit/views.ts';
import { callRoute, type Http } from '../../base/http/call-route.ts';
import { whileUnchanged } from '../../base/http/still-allowed.ts';
import { activityText } from './export.ts';
import type { Activity } from './repository.ts';
import type { Sessions } from './sessions.ts';

export type ActivityRoutesDeps = Http & {
  activity: Activity;
  views: AuditViews;
  sessions: Sessions;
  messages: (actor: Actor) => Promise<UserMessage[]>;
  /** Notifies an account's open pages of changes to the account. */
  notifyAccount: (userId: string, action: string) => void;
  /** Returns the number of open pages of a session, and the status of the newest one. */
  pagesOf: (sessionId: string) => { pages: number; status: string | null };
};

/**
 * Serves activity and current sessions. Each look at the activity is written to the audit: see `base/audit/views.ts`.
 */
export function activityRoutes(deps: ActivityRoutesDeps): void {
  const { activity, sessions, nowUs } = deps;

  callRoute(deps, listActivity, async ({ input: { query }, actor, session, request, reply, audit }) => {
    const { limit, after, count, ...filter } = query;
    const who = { actor, session: session.credentialId, address: request.ip };
    const [{ rows, next }, total] = await Promise.all([
      activity.page(actor, query),
      count ? activity.count(actor, query) : null,
      deps.views.note(audit, { ...who, result: 'GET /activity', filter }),
    ]);
    if (next !== null) reply.header('x-next-after', next);
    if (total !== null) reply.header('x-total-count', String(total));
    return rows;
  });

  callRoute(deps, exportActivity, async ({ input: { query }, actor, session, request, reply, audit }) => {
    const { format, ...filter } = query;
    const day = new Date(nowUs() / 1000).toISOString().slice(0, 10);
    reply.type(format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8');
    reply.header('content-disposition', `attachment; filename="activity-${day}.${format}"`);
    reply.header('cache-control', 'private, no-store');
    if (request.method === 'HEAD') return Readable.from([]);
    await audit.write({ action: 'audit.read', result: `GET /activity/export ${format}` });
    const rows = whileUnchanged(deps, { request, session }, activity.all(actor, filter));
    return Readable.from(activityText(format, rows), { objectMode: false });
  });

  callRoute(deps, listSessions, async ({ input: { query }, actor, session }) => {
    const open = await sessions.list(actor, query.users);
    return open.map((one) => ({ ...one, ...deps.pagesOf(one._id), current: one._id === session.credentialId }));
  });

  callRoute(deps, listUserMessages, ({ actor }) => deps.messages(actor));

  callRoute(deps, endSessions, async ({ input: { query }, actor, audit }) => {
    const ended = await sessions.end(actor, query.sessions);
    // The account is the subject of the row; its result names the session.
    for (const { id, userId } of ended) {
      await audit.write({ action: 'user.endSession', subject: userId, result: `session ${id}` });
      if (userId !== actor.id) deps.notifyAccount(userId, 'user.endSession');
    }
    return { message: ended.length === 1 ? 'Session ended.' : `${ended.length} sessions ended.` };
  });
}
