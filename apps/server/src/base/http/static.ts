import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { open, readdir, readFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { AppError } from '@osprey/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

const PAGE = 'index.html';
const CALL_PAGE = 'conference.html';
const CALL_PATH = '/conference';
const NONCE_MARK = '__CSP_NONCE__';
/** Suffixes of precompressed copies and their encodings, smallest first. */
const PACKED = { '.br': 'br', '.gz': 'gzip' } as const;
const BASE_MAP = '/base-map/';
const YEAR_SECONDS = 365 * 24 * 3600;
const HOUR = 'public, max-age=3600';

const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.pbf': 'application/x-protobuf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webp': 'image/webp',
  '.woff': 'font/woff',
  '.woff2': 'font/woff2',
};

export type StaticOptions = {
  tls: boolean;
  /** Other servers that the conference page may connect to. */
  callServers?: readonly string[];
};

type Packed = { path: string; encoding: 'br' | 'gzip' };
type StaticFile = { path: string; type: string; packed: Packed[] };

/**
 * Serves the built web client. The files are listed once at startup, so a requested path is never joined to a file
 * path. Every other path outside /api is a route of the single-page application.
 */
export async function staticRoutes(app: FastifyInstance, folder: string, options: StaticOptions): Promise<void> {
  const files = await listFiles(folder);
  const page = await readFile(join(folder, PAGE), 'utf8').catch(() => null);
  const callPage = await readFile(join(folder, CALL_PAGE), 'utf8').catch(() => null);

  app.route({
    method: ['GET', 'HEAD'],
    url: '/*',
    config: { policy: 'public.use' },
    exposeHeadRoute: false,
    handler: (request, reply) => {
      const path = request.url.split('?')[0] ?? '/';
      if (path === '/api' || path.startsWith('/api/') || path.startsWith('/socket.io')) throw new AppError('notFound');
      const file = files.get(path);
      if (file) return sendFile(request, reply, { file, path });
      // A tile without a file contains only sea.
      if (path.startsWith(BASE_MAP)) return reply.code(204).header('cache-control', HOUR).send();
      // A missing script must not be answered with the page. No route of the page begins with this path.
      if (page === null || path.startsWith('/assets/')) throw new AppError('notFound');
      if (path === CALL_PATH && callPage !== null) {
        return sendPage(reply, callPage, { policy: (nonce) => callPolicy(nonce, options), devices: 'self' });
      }
      const framed = isFramedByUs(request);
      if (framed) reply.header('x-frame-options', 'SAMEORIGIN');
      const { tls } = options;
      // The host name has been checked against the names of this server.
      const socket = `${tls || request.protocol === 'https' ? 'wss' : 'ws'}://${request.host}`;
      return sendPage(reply, page, { policy: (nonce) => pagePolicy(nonce, { tls, framed, socket }), devices: '' });
    },
  });
}

async function listFiles(folder: string): Promise<Map<string, StaticFile>> {
  const entries: Dirent[] = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const paths = new Set(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name)),
  );
  const files = new Map<string, StaticFile>();
  for (const path of paths) {
    if ([PAGE, CALL_PAGE].includes(basename(path)) || extname(path) in PACKED) continue;
    files.set(path.slice(folder.length), {
      path,
      type: types[extname(path)] ?? 'application/octet-stream',
      packed: Object.entries(PACKED)
        .map(([suffix, encoding]) => ({ path: `${path}${suffix}`, encoding }))
        .filter((packed) => paths.has(packed.path)),
    });
  }
  return files;
}

type Asked = { file: StaticFile; path: string };

async function sendFile(request: FastifyRequest, reply: FastifyReply, { file, path }: Asked) {
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const packed = file.packed.find(({ encoding }) => new RegExp(`\\b${encoding}\\b`).test(accepted));
  // The listed file may have been removed by a new build of the client while the server is running.
  const handle = await open(packed?.path ?? file.path).catch(() => null);
  if (handle === null) throw new AppError('notFound');
  if (packed) reply.header('content-encoding', packed.encoding);
  if (file.packed.length > 0) reply.header('vary', 'accept-encoding');
  // The name of an asset contains the hash of its content, so it may be cached for long.
  const cache = path.startsWith('/assets/') ? `public, max-age=${YEAR_SECONDS}, immutable` : HOUR;
  const { size } = await handle.stat();
  reply.header('cache-control', cache).header('content-length', size).type(file.type);
  // Workers run under the policy of their own script.
  if (file.type.startsWith('text/javascript')) reply.header('content-security-policy', workerPolicy);
  if (request.method === 'HEAD') {
    await handle.close();
    return reply.send();
  }
  return reply.send(handle.createReadStream());
}

const workerPolicy = "default-src 'self'; object-src 'none'";

type PageOptions = {
  policy: (nonce: string) => string;
  /** Pages that may use camera, microphone and screen capture: none, or the page itself. */
  devices: '' | 'self';
};

function sendPage(reply: FastifyReply, page: string, { policy, devices }: PageOptions) {
  const nonce = randomBytes(16).toString('base64');
  return reply
    .header('cache-control', 'no-store')
    .header('content-security-policy', policy(nonce))
    .header('permissions-policy', `camera=(${devices}), microphone=(${devices}), display-capture=(${devices})`)
    .type('text/html; charset=utf-8')
    .send(page.replaceAll(NONCE_MARK, nonce));
}

/**
 * Whether a page of this server embeds the page in a frame, as the conference page does on a phone to show missions
 * below the call. Browsers set these headers themselves.
 */
const isFramedByUs = ({ headers }: FastifyRequest): boolean =>
  headers['sec-fetch-dest'] === 'iframe' && headers['sec-fetch-site'] === 'same-origin';

/**
 * Content security policy of pages (trust.md section 3): nothing from other origins, no inline scripts, and styles only
 * with a nonce generated for each response. The page may not be framed, except by pages of this server.
 */
export function pagePolicy(
  nonce: string,
  { tls, framed, socket }: { tls: boolean; framed: boolean; socket: string },
): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "worker-src 'self'",
    // Browsers differ in whether 'self' includes WebSockets.
    `connect-src 'self' ${socket}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
    ...(tls ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}

/** Policy of the conference page, which may connect only to this server and the conference server. */
function callPolicy(nonce: string, { tls, callServers = [] }: StaticOptions): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    'media-src blob:',
    "font-src 'self'",
    "worker-src 'self'",
    "frame-src 'self'",
    `connect-src ${["'self'", ...callServers].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    ...(tls ? ['upgrade-insecure-requests'] : []),
  ].join('; ');
}
