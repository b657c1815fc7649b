import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import helmet from '@fastify/helmet';
import { type Access, AppError, access as ofProduct } from '@osprey/contract';
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify';
import { compressAnswers } from './compress.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { answerErrors } from './errors.ts';
import { hasManyHosts, hostIn } from './host-header.ts';
import { endIdleBodies } from './idle-bodies.ts';
import { jsonDepth } from './json-depth.ts';
import { announcedLength, readText, TEXT_LIMITS } from './read-text.ts';
import { noSession } from './session.ts';

/**
 * Maximum body size for clients that are not signed in. Bodies of public calls are far smaller, and parsing 1 MiB would
 * delay other requests.
 */
const STRANGER_BYTES = 64 * 1024;
const HEADER_BYTES = 16 * 1024;
/**
 * Maximum length of a URL, in bytes. A query may contain up to 1,000 vertices, and Node counts the URL as part of the
 * headers.
 */
const ADDRESS_BYTES = 128 * 1024;
const HEADER_MS = 10_000;
const PARAM_CHARACTERS = 1024;
const HSTS_SECONDS = 180 * 24 * 3600;

export type AppOptions = {
  log: FastifyBaseLogger;
  tls: { certFile: string; keyFile: string } | null;
  /** Addresses of proxies whose X-Forwarded-* headers are trusted; empty for none. */
  trustedProxies: readonly string[];
  /** Host names and addresses under which this server may be called, in lower case and without port. */
  hosts: ReadonlySet<string>;
  /** Default: the access rules for the items of the product. */
  access?: Pick<Access, 'needsFacts'>;
  /** Absent if the number of connections is unlimited. */
  connections?: ConnectionLimit;
};

/**
 * Creates the HTTP server, with everything that applies to all responses: limits, host check, headers, errors, and a
 * policy for each route.
 */
export async function createApp(options: AppOptions): Promise<FastifyInstance> {
  const { log, tls, trustedProxies, hosts, connections, access = ofProduct } = options;
  const app = Fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: TEXT_LIMITS.maxBytes,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    requestTimeout: 0,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: PARAM_CHARACTERS },
    rewriteUrl: ({ url = '/' }) => pictureAddress(url),
    http: { maxHeaderSize: HEADER_BYTES + ADDRESS_BYTES, headersTimeout: HEADER_MS, connectionsCheckingInterval: 1000 },
    ...(tls ? { https: tlsOptions(tls) } : {}),
  }) as unknown as FastifyInstance;
  app.decorateRequest('session', null as never);
  answerErrors(app);
  requirePolicies(app, access);
  connections?.guard(app);
  endIdleBodies(app);
  onlyExactTypes(app);
  app.setNotFoundHandler({ preHandler: [] }, () => {
    throw new AppError('notFound');
  });
  app.addHook('onRequest', async (request) => {
    request.session = noSession();
    checkSizes(request);
    checkHost(request, hosts);
  });
  await app.register(cookie);
  await app.register(helmet, {
    // Default policy for everything that is not a page. Each kind of response may set its own.
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
    strictTransportSecurity: tls ? { maxAge: HSTS_SECONDS } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginResourcePolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  });
  await compressAnswers(app);
  app.addHook('onSend', async (request, reply) => {
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  });
  return app;
}

/**
 * Maps addresses of pictures to those under /api. Pictures are also served at /videos/… and /documents/…, as the
 * specification requires.
 */
function pictureAddress(url: string): string {
  if (url.startsWith('/videos/')) return `/api${url}`;
  return url.replace(/^(?:\/api)?\/documents\/([0-9a-f-]{36}\.webp(?:\?|$))/, '/api/documents/thumbnails/$1');
}

/** For TLS servers, Node expects the header limits in the same options as key and certificate. */
function tlsOptions({ certFile, keyFile }: { certFile: string; keyFile: string }) {
  return {
    cert: readFileSync(certFile),
    key: readFileSync(keyFile),
    minVersion: 'TLSv1.2' as const,
    maxHeaderSize: HEADER_BYTES + ADDRESS_BYTES,
    headersTimeout: HEADER_MS,
    connectionsCheckingInterval: 1000,
  };
}

/**
 * Checks each route at its registration.
 *
 * @throws with the name of the route, if it states no policy or an unknown action
 */
function requirePolicies(app: FastifyInstance, { needsFacts }: Pick<Access, 'needsFacts'>): void {
  app.addHook('onRoute', ({ method, url, config }) => {
    const route = `${String(method)} ${url}`;
    if (config?.policy === undefined) throw new Error(`Route without a policy: ${route}`);
    try {
      needsFacts(config.policy);
    } catch (cause) {
      throw new Error(`Route with an unknown policy: ${route} by ${config.policy}`, { cause });
    }
  });
}

/** Parses only bodies whose content type exactly matches one that the route accepts. */
function onlyExactTypes(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', async (request: FastifyRequest, payload: IncomingMessage) => {
    const { accepts } = jsonDepth();
    const { bodyBytes = TEXT_LIMITS.maxBytes } = request.routeOptions.config;
    const maxBytes = request.session.actor === null ? STRANGER_BYTES : bodyBytes;
    const body = await readText(payload, announcedLength(request.headers), { ...TEXT_LIMITS, maxBytes, accepts });
    // An empty body counts as no body.
    if (body === '') return undefined;
    return new Promise((resolve, reject) => {
      parseJson(request, body, (error, value) => (error === null ? resolve(value) : reject(error)));
    });
  });
}

function checkSizes({ raw }: FastifyRequest): void {
  const headerBytes = raw.rawHeaders.reduce((sum, text) => sum + text.length, 0);
  if (headerBytes > HEADER_BYTES) throw new AppError('headersTooLarge');
  if ((raw.url?.length ?? 0) > ADDRESS_BYTES) throw new AppError('bodyTooLarge');
}

/**
 * Refuses requests with an unknown Host name: a foreign name that resolves to this server is an attempt to abuse the
 * browser's trust (DNS rebinding).
 */
function checkHost(request: FastifyRequest, hosts: ReadonlySet<string>): void {
  const host = hostIn(request.host);
  if (hasManyHosts(request.raw.rawHeaders)) throw new AppError('invalid', { host: 'More than one host name' });
  if (host === null || !hosts.has(host)) throw new AppError('invalid', { host: 'Unknown host name' });
}

/**
 * Returns the allowed `hosts` of a server: loopback, the address it listens on, and those added in the configuration.
 */
export function hostsOf(listen: string, allowed: readonly string[]): Set<string> {
  const all = ['localhost', '127.0.0.1', '[::1]', listen.includes(':') ? `[${listen}]` : listen, ...allowed];
  return new Set(all.map((name) => name.toLowerCase()));
}
