import { Readable } from 'node:stream';
import { type Action, type Actor, AppError, type Call, type ErrorCode } from '@osprey/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { z } from 'zod';
import { doorOf } from '../access/authorize.ts';
import { type Decisions, newDecisions, watchDecisions } from '../access/decisions.ts';
import { about } from '../audit/about.ts';
import type { AuditIntents } from '../audit/intents.ts';
import { type RequestAudit, requestAudit } from '../audit/request-audit.ts';
import type { AuditWriter } from '../audit/writer.ts';
import type { Items } from '../items/items.ts';
import { isCompressed } from './compress.ts';
import { checkContentType } from './content-type.ts';
import type { IdentifySession, Session } from './session.ts';

/**
 * Dependencies of the call routes. Each registered route is added to `served`, which is compared with the contract at
 * startup.
 */
export type Http = {
  app: FastifyInstance;
  identify: IdentifySession;
  auditWriter: AuditWriter;
  auditIntents: AuditIntents;
  nowUs: () => number;
  /** Returns true until the first superAdmin exists. Until then, only set-up and health calls are answered. */
  setUpNeeded: () => boolean;
  served: Set<Call>;
  /** The items that calls act on; their rules decide the calls' actions. */
  items: Pick<Items, 'access' | 'factsOf' | 'kinds'>;
};

export type CallContext<Input, Who extends Actor | null> = {
  input: Input;
  actor: Who;
  session: Session;
  request: FastifyRequest;
  reply: FastifyReply;
  audit: RequestAudit;
};

/** A handler's answer. A stream is sent unchanged, so the handler is responsible for its content. */
type Answered<Answer extends z.ZodType> = z.input<Answer> | Readable;

type Handler<Input extends z.ZodType, Answer extends z.ZodType, Who extends Actor | null> = (
  context: CallContext<z.output<Input>, Who>,
) => Promise<Answered<Answer>>;

/** Calls that answer while the server waits for its first superAdmin. */
const beforeSetUp = new Set(['/setup', '/health']);

/**
 * Serves one call of the contract: validates input and answer, and returns errors in a uniform shape. Actions that
 * concern no item are decided here. For an action on an item, the handler must call `authorize` with the item's facts;
 * if it answers without doing so, the request fails.
 */
export function callRoute<Input extends z.ZodType, Answer extends z.ZodType>(
  http: Http,
  call: Call<Input, Answer>,
  handle: Handler<Input, Answer, Actor>,
): void {
  if (call.action === 'public.use') throw new Error(`${nameOf(call)} is public: use publicCallRoute`);
  const authorize = doorOf(http.items.access);
  serve(http, call, (context) => {
    if (context.actor === null) throw new AppError('notSignedIn');
    if (!http.items.access.needsFacts(call.action)) authorize(context.actor, call.action);
    return handle({ ...context, actor: context.actor });
  });
}

/** Serves a call that needs no credential; an invalid credential counts as none. */
export function publicCallRoute<Input extends z.ZodType, Answer extends z.ZodType>(
  http: Http,
  call: Call<Input, Answer>,
  handle: Handler<Input, Answer, Actor | null>,
): void {
  if (call.action !== 'public.use') throw new Error(`${nameOf(call)} is not public: use callRoute`);
  serve(http, call, handle);
}

export const nameOf = (call: Pick<Call, 'method' | 'path'>): string => `${call.method} ${call.path}`;

function serve<Input extends z.ZodType, Answer extends z.ZodType>(
  http: Http,
  call: Call<Input, Answer>,
  handle: Handler<Input, Answer, Actor | null>,
): void {
  http.served.add(call as unknown as Call);
  const media = call.raw === 'media';
  const needsPerson = call.lasting === true;
  const options: RouteOptions = {
    method: call.method,
    url: `/api${call.path}`,
    config: { policy: call.action, ...(call.bodyBytes !== undefined && { bodyBytes: call.bodyBytes }) },
    exposeHeadRoute: media,
    ...(!isCompressed(call) && { compress: false }),
    onRequest: async (request) => {
      if (http.setUpNeeded() && !beforeSetUp.has(call.path)) throw new AppError('notSetUp');
      checkContentType(request, call.raw === 'form' || call.raw === 'sdp' ? call.raw : 'json');
      request.session = await http.identify(request, { media });
      // Checked before the body is read, so that nothing from unauthenticated clients is parsed.
      if (request.session.actor === null && call.action !== 'public.use') {
        throw new AppError(request.session.refusal ?? 'notSignedIn');
      }
    },
    handler: async (request, reply) => {
      const session = request.session;
      const decisions = newDecisions(session.onlyItem);
      const audit = requestAudit(
        http.auditWriter,
        { actor: session.actor, session: session.credentialId, address: request.ip },
        http.nowUs,
      );
      let intent = null as { end: () => void } | null;
      try {
        const answer = await watchDecisions(decisions, async () => {
          if (needsPerson && session.kind === 'program') throw new AppError('forbidden');
          const input = parseInput(call, request);
          if (isChange(call)) intent = await audit.begin(http.auditIntents, intentOf(call, request));
          return handle({ input, actor: session.actor, session, request, reply, audit });
        });
        if (reply.sent) return reply;
        checkAsked(http, call, decisions);
        await noteChange(call, { decisions, params: request.params, answer, audit });
        return answer instanceof Readable ? reply.send(answer) : finish(call, reply, answer);
      } catch (error) {
        await noteRefusal(call, session, decisions, audit, error);
        throw error;
      } finally {
        intent?.end();
      }
    },
  };
  http.app.route(options);
  // Thumbnails are outside of /api too, where the specification has them.
  if (call.path.startsWith('/videos/')) http.app.route({ ...options, url: call.path });
}

function parseInput<Input extends z.ZodType>(call: Call<Input>, request: FastifyRequest): z.output<Input> {
  const { params, query, body } = request;
  // Refuse NUL: no text in PostgreSQL can contain it, and a NUL in a list makes PostgreSQL close the connection.
  if (request.url.includes('%00')) throw new AppError('invalid');
  const parsed = call.input.safeParse({ params, query, body: call.raw === 'form' ? undefined : body });
  if (!parsed.success) throw new AppError('invalid', fieldTexts(parsed.error), parsed.error);
  return parsed.data;
}

/** Returns the path and message of each invalid field, so that the client can show the message next to the field. */
export function fieldTexts(error: z.ZodError): Record<string, string> {
  return Object.fromEntries(error.issues.map((issue) => [issue.path.join('.'), issue.message]));
}

function finish<Answer extends z.ZodType>(call: Call<z.ZodType, Answer>, reply: FastifyReply, answer: unknown) {
  if (call.raw === 'media') return reply.send(answer);
  // Parsing removes fields that the contract does not name, so that nothing is disclosed by accident.
  return call.answer.parse(answer);
}

function checkAsked(
  { items: { access } }: Pick<Http, 'items'>,
  call: Pick<Call, 'method' | 'path' | 'action'>,
  { asked }: Decisions,
): void {
  const decided = !access.needsFacts(call.action) || [...asked].some((action) => access.needsFacts(action));
  if (!decided) throw new Error(`${nameOf(call)} answered without asking authorize`);
}

/** Calls that change nothing worth an audit row, or whose handlers write more specific rows. */
const quiet: ReadonlySet<string> = new Set([
  '/tickets',
  '/login',
  '/login/guest',
  '/logout',
  '/setup',
  '/sensors/:id/view',
  '/sharing/readers',
  '/coverage/find',
]);

const isChange = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean => method !== 'GET' && !quiet.has(path);

/** Returns what is known about a change before it is made: the item named in its URL or its body. */
const intentOf = (
  call: Pick<Call, 'method' | 'path' | 'action'>,
  { params, body }: Pick<FastifyRequest, 'params' | 'body'>,
) => ({ action: call.action, subject: idIn(params, 'id') ?? idIn(body, '_id'), result: nameOf(call) });

type Changed = { decisions: Decisions; params: unknown; answer: unknown; audit: RequestAudit };

const uuid = z.uuid();

function idIn(where: unknown, field: 'id' | '_id'): string | null {
  if (typeof where !== 'object' || where === null || !(field in where)) return null;
  return uuid.safeParse((where as Record<string, unknown>)[field]).data ?? null;
}

/** Result of a row about a sensor: audit rows about a sensor begin with its id, by which its name is found. */
function sensorIn(params: unknown, name: string): string {
  const { sensor } = (params ?? {}) as Record<string, unknown>;
  const parsed = uuid.safeParse(sensor);
  return parsed.success ? `sensor ${parsed.data} ${name}` : name;
}

/** Writes an audit row for each change, unless its handler has written a more specific one. */
async function noteChange(
  call: Pick<Call, 'method' | 'path' | 'action'>,
  { decisions: { item }, params, answer, audit }: Changed,
): Promise<void> {
  if (!isChange(call) || audit.count() > 0) return;
  await audit.write({
    action: call.action,
    // The URL names subjects that need no facts; the answer names what was just created.
    ...about(item?.id ?? idIn(params, 'id') ?? idIn(answer, '_id'), item?.label),
    usergroups: item?.usergroups ?? [],
    result: sensorIn(params, nameOf(call)),
  });
}

const refusals: ReadonlySet<ErrorCode> = new Set(['forbidden', 'guestDownload', 'notFound']);

/** Writes an audit row when a signed-in account was refused. */
async function noteRefusal(
  call: Pick<Call, 'method' | 'path' | 'action'>,
  { actor }: Session,
  { item }: Decisions,
  audit: RequestAudit,
  error: unknown,
): Promise<void> {
  if (actor === null || !(error instanceof AppError) || !refusals.has(error.code)) return;
  await audit.write({
    action: call.action,
    ...about(item?.id, item?.label),
    decision: 'refused',
    result: error.code,
  });
}

declare module 'fastify' {
  interface FastifyRequest {
    session: Session;
  }
  interface FastifyContextConfig {
    /** The right required by the route. A route without one prevents the server from starting. */
    policy?: Action;
    /** Maximum size of the route's JSON body, if it is higher than the default. */
    bodyBytes?: number;
  }
}
