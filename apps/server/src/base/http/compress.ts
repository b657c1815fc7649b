import compress from '@fastify/compress';
import type { Call } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';

/**
 * Smallest response that is compressed, in bytes. Smaller ones are sent unchanged, since their headers are about as
 * large.
 */
const SMALLEST_BYTES = 1024;

/**
 * Content types that are compressed: JSON, text and XML of any kind, but never media, archives or files as uploaded.
 */
const TYPES = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-ndjson)(?:;|$)|image\/svg\+xml)/;

/**
 * Compresses the responses of routes registered from here on. Uses the first encoding that the client accepts of zstd,
 * brotli and gzip; zstd comes first since it costs the least. Streams are compressed as they are sent, and an error in
 * a stream still ends the connection.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ['zstd', 'br', 'gzip'],
    threshold: SMALLEST_BYTES,
    customTypes: TYPES,
    // Compressed request bodies remain refused, since they could expand to any size.
    globalDecompression: false,
  });
  // A file served in ranges must keep its stored bytes, length and tag. The library's hooks run after this one and
  // check this request header.
  app.addHook('onSend', async (request, reply) => {
    if (reply.hasHeader('accept-ranges')) request.headers['x-no-compression'] = '';
  });
}

/**
 * Calls whose answers contain a secret next to text from the client. When such an answer is compressed, its length
 * reveals how much of the two is equal, so that the secret could be guessed piece by piece (BREACH). The tokens in
 * lists of missions and documents need no such protection: they differ in each answer and are valid for five minutes in
 * one session.
 */
const SECRET: ReadonlySet<string> = new Set([
  'POST /backups/key',
  'POST /conference/token',
  'POST /credentials',
  'POST /documents/:id/token',
  'POST /exports/:id/ticket',
  'GET /info',
  'POST /login',
  'POST /login/guest',
  'POST /login/second-factor',
  'POST /second-factor',
  'PUT /second-factor',
  'POST /second-factor/recovery-codes',
  'POST /setup',
  'POST /single-sign-on/session',
  'POST /tickets',
  'POST /users/:id/link',
  'POST /users/invitations',
]);

/** False for the answers of calls that contain a secret. */
export const isCompressed = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean =>
  !SECRET.has(`${method} ${path}`);
