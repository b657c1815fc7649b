import type { Readable } from 'node:stream';
import type { Actor, Classification } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OpenReads } from '../access/open-reads.ts';
import type { Session } from '../http/session.ts';
import { type AskedBytes, askedBytes } from './byte-range.ts';

/** The range that a request asks for. @throws AppError rangeNotSatisfiable, after saying how long the file is */
export function rangeOf(request: FastifyRequest, reply: FastifyReply, sizeBytes: number): AskedBytes {
  try {
    return askedBytes(request.headers.range, sizeBytes);
  } catch (error) {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw error;
  }
}

/** A file whose bytes stay as they are; another file has another tag. */
export type WholeFile = { sizeBytes: number; tag: string };

/**
 * The range of such a file. A download that broke is gone on with by `If-Range` (RFC 9110, 13.1.5); where that names
 * something else than this file's tag, the file is sent whole.
 *
 * @throws AppError rangeNotSatisfiable
 */
export function rangeOfWhole(request: FastifyRequest, reply: FastifyReply, { sizeBytes, tag }: WholeFile): AskedBytes {
  const known = request.headers['if-range'];
  if (known !== undefined && known !== etagOf(tag)) return { start: 0, end: sizeBytes, isPart: false };
  return rangeOf(request, reply, sizeBytes);
}

/** What goes before these bytes; the tag is a strong one. */
export function rangeHeaders(reply: FastifyReply, { sizeBytes, tag }: WholeFile, { start, end, isPart }: AskedBytes) {
  reply
    .header('etag', etagOf(tag))
    .header('accept-ranges', 'bytes')
    .header('content-length', end - start);
  if (isPart) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`);
}

const etagOf = (tag: string): string => `"${tag}"`;

type Asking = { actor: Actor; session: Session; request: FastifyRequest };

/** A transfer that a revocation can end. */
export function watchedRead(
  reads: OpenReads,
  { actor, session, request }: Asking,
  item: { id: string; securityClassification: Classification },
  stream: Readable,
): Readable {
  const forget = reads.add({
    userId: actor.id,
    credentialId: session.credentialId,
    itemId: item.id,
    securityClassification: item.securityClassification,
    close: () => {
      stream.destroy();
      request.raw.socket.destroy();
    },
  });
  stream.once('close', forget);
  return stream;
}
