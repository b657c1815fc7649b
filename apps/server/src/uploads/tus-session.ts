import { type Actor, AppError } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { newDecisions, watchDecisions } from '../base/access/decisions.ts';
import { about } from '../base/audit/about.ts';
import { requestAudit } from '../base/audit/request-audit.ts';
import type { Http } from '../base/http/call-route.ts';
import { runOut } from './run-out.ts';
import { checkVersion, TUS_VERSION } from './tus-protocol.ts';

export type TusRequest = { actor: Actor; request: FastifyRequest; reply: FastifyReply };

type TusRoute = {
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE';
  url: string;
  /** The only content type that the body may have; null: no body is allowed. Checked before anything is parsed. */
  bodyType: string | null;
  handle: (context: TusRequest) => Promise<unknown>;
};

/**
 * Registers one method of tus uploads. These calls are not JSON, so they do not go through `callRoute`, but the same
 * rules apply: a policy, authentication before the body is read, and refusals in the audit.
 */
export function tusRoute(http: Http, { method, url, bodyType, handle }: TusRoute): void {
  http.app.route({
    method,
    url,
    config: { policy: 'mission.upload' },
    onRequest: async (request, reply) => {
      reply.header('Tus-Resumable', TUS_VERSION).header('Cache-Control', 'no-store');
      if (http.setUpNeeded()) throw new AppError('notSetUp');
      const { 'content-type': type, 'content-encoding': encoding } = request.headers;
      if (type !== (bodyType ?? undefined) || encoding !== undefined) throw new AppError('unsupportedMediaType');
      request.session = await http.identify(request, { media: false });
      if (request.session.actor === null) throw new AppError(request.session.refusal ?? 'notSignedIn');
    },
    handler: async (request, reply) => {
      const { actor, credentialId } = request.session;
      if (actor === null) throw new AppError('notSignedIn');
      checkVersion(request.headers);
      const decisions = newDecisions(null);
      const audit = requestAudit(http.auditWriter, { actor, session: credentialId, address: request.ip }, http.nowUs);
      try {
        await watchDecisions(decisions, () => handle({ actor, request, reply }));
        return reply;
      } catch (error) {
        runOut(request);
        if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'notFound')) {
          await audit.write({
            action: 'mission.upload',
            ...about(decisions.item?.id, decisions.item?.label),
            decision: 'refused',
            result: error.code,
          });
        }
        throw error;
      }
    },
  });
}
