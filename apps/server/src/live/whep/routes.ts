import type { IncomingMessage } from 'node:http';
import { type Actor, AppError, closeWhep, openWhep } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import { type CallContext, callRoute, type Http } from '../../base/http/call-route.ts';
import { announcedLength, readText, TEXT_LIMITS } from '../../base/http/read-text.ts';
import { whyNot } from '../../gateway/picture-feed.ts';
import type { MediaSessions } from '../../media/play/media-sessions.ts';
import type { SourceState } from '../../recorder-wire/protocol.ts';
import type { LiveAccess } from '../rows/live-access.ts';
import type { GatewayClient } from './client.ts';

/** Maximum number of sessions per user: a page shows a grid of live players; more would be a mistake. */
const SESSIONS_PER_USER = 16;
const RETRY_AFTER_SECONDS = 10;

export type WhepRoutesDeps = Http & {
  gateway: Pick<GatewayClient, 'open' | 'closeSession'>;
  access: Pick<LiveAccess, 'watch' | 'modes' | 'mayWatch'>;
  /** Current state of a source. */
  sourceOf: (sensorId: string) => SourceState | null;
  sessions: Pick<MediaSessions, 'read'>;
};

type Asked = CallContext<{ params: { sensor: string }; body: string }, Actor>;

/** WebRTC by WHEP (RFC 9725): the api checks the rights, and the gateway sends the pictures. */
export function whepRoutes(deps: WhepRoutesDeps): void {
  const { gateway, access } = deps;
  /** Open sessions by id, with user and sensor. */
  const open = new Map<string, { userId: string; sensorId: string }>();
  deps.app.addContentTypeParser('application/sdp', (request: FastifyRequest, payload: IncomingMessage) =>
    readText(payload, announcedLength(request.headers), TEXT_LIMITS),
  );

  callRoute(deps, openWhep, async (context) => {
    const { input, actor, session: credential, reply } = context;
    const sensorId = input.params.sensor;
    const session = crypto.randomUUID();
    let isLost = false;
    const end = () => {
      isLost = true;
      open.delete(session);
      gateway.closeSession(session);
    };
    const watched = await access.watch({ actor, credentialId: credential.credentialId, close: end }, sensorId);
    const over = () => {
      open.delete(session);
      watched.end();
    };
    try {
      if (!(await access.modes(actor, watched.platform)).includes('WebRtc')) throw new AppError('forbidden');
      if (isLost) throw new AppError('notFound');
      checkCount(actor.id);
      open.set(session, { userId: actor.id, sensorId });
      checkSource(deps.sourceOf(sensorId));
      const note = readingOf(deps, context, watched.item);
      await note(null);
      reply.code(201).type('application/sdp').header('location', `/api/live/${sensorId}/whep/${session}`);
      const answer = await openSession(
        { session, sensorId, offer: input.body },
        { sent: (bytes) => note(bytes), over },
      );
      // The right was lost while the session was being opened.
      if (!open.has(session)) {
        gateway.closeSession(session);
        throw new AppError('notFound');
      }
      return answer;
    } catch (error) {
      over();
      throw error;
    }
  });

  callRoute(deps, closeWhep, async ({ input: { params }, actor }) => {
    await access.mayWatch(actor, params.sensor);
    const existing = open.get(params.session);
    if (existing?.userId !== actor.id || existing.sensorId !== params.sensor) throw new AppError('notFound');
    gateway.closeSession(params.session);
    return { message: 'The WebRTC session has ended.' };
  });

  function checkCount(userId: string): void {
    const own = [...open.values()].filter((one) => one.userId === userId);
    if (own.length >= SESSIONS_PER_USER)
      throw new AppError('tooManyRequests', { seconds: String(RETRY_AFTER_SECONDS) });
  }

  type Handlers = { sent: (bytes: number) => Promise<void>; over: () => void };

  /** @throws AppError */
  async function openSession(
    requested: { session: string; sensorId: string; offer: string },
    { sent, over }: Handlers,
  ): Promise<string> {
    const opening = await gateway.open(requested, {
      // If the audit row cannot be written, the session ends.
      sent: (bytes) => void sent(bytes).catch(() => gateway.closeSession(requested.session)),
      ended: over,
    });
    if ('answer' in opening) return opening.answer;
    if (opening.reason === null) throw new AppError('unavailable');
    throw new AppError('ruleRefused', { reason: opening.reason });
  }
}

/** Rejects known faults of the source, so that the gateway need not detect them. */
function checkSource(source: SourceState | null): void {
  if (source?.state !== 'online') throw new AppError('ruleRefused', { reason: 'This sensor sends nothing now.' });
  const { video } = source;
  if (video === null) return;
  const isOrdinary = { bitDepth: 8, chroma: '4:2:0', interlaced: false } as const;
  const reason = whyNot({ ...video, ...isOrdinary });
  if (reason !== null) throw new AppError('ruleRefused', { reason });
}

/** Returns a function that writes an audit row: null for the start of reading, then the number of bytes so far. */
function readingOf({ sessions }: WhepRoutesDeps, context: Asked, item: { id: string } & ReadItem) {
  const { actor, session, request, audit, input } = context;
  const via = session.credentialId ?? request.ip;
  let noted = 0;
  return (bytes: number | null): Promise<void> => {
    const fetched = bytes === null ? null : { bytes: bytes - noted, contentSpan: 'now' as const };
    noted = bytes ?? 0;
    return sessions.read({ actor, via, mission: item, sensorId: input.params.sensor, audit }, fetched);
  };
}

type ReadItem = Parameters<MediaSessions['read']>[0]['mission'];
