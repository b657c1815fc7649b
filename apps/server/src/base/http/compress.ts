import compress from '@fastify/compress';
import type { Call } from '@osprey/contract';
import type { FastifyInstance } from 'fastify';

/** An answer in one piece below this size, bytes, is sent as it is: its headers weigh as much. */
const SMALLEST_BYTES = 1024;

/** JSON, text and XML of any kind; media, archives and files as they were uploaded never. */
const TYPES = /^(?:text\/|application\/(?:[\w.+-]+\+)?(?:json|xml|yaml|x-ndjson)(?:;|$)|image\/svg\+xml)/;

/**
 * Compresses what the routes answer from here on, by the encoding that the client accepts: zstd, brotli or gzip, in this
 * order, since zstd costs the least. Streams are compressed as they come, and an error in one still ends the connection.
 */
export async function compressAnswers(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    encodings: ['zstd', 'br', 'gzip'],
    threshold: SMALLEST_BYTES,
    customTypes: TYPES,
    // A body that is compressed could hold any number of bytes: it stays refused.
    globalDecompression: false,
  });
  // A file that is sent in ranges has the bytes, the length and the tag that it is stored with. The hooks of the library come
  // after this one, and go by the header of the request.
  app.addHook('onSend', async (request, reply) => {
    if (reply.hasHeader('accept-ranges')) request.headers['x-no-compression'] = '';
  });
}

/**
 * Calls whose answers hold a secret next to what the client sent. Compressed, the length of such an answer says how much
 * of the two is equal, so that the secret can be guessed piece by piece (BREACH). The tokens in lists of missions and
 * documents are others in each answer and valid for five minutes in one session: nothing can be guessed from them.
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

/** False for an answer that holds a secret. */
export const isCompressed = ({ method, path }: Pick<Call, 'method' | 'path'>): boolean =>
  !SECRET.has(`${method} ${path}`);
