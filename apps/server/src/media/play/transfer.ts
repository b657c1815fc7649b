import type { Readable } from 'node:stream';
import type { Actor, Classification } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ceilingOf } from '../../base/access/actors.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import type { Session } from '../../base/http/session.ts';
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
export type CompleteFile = { sizeBytes: number; tag: string };

/**
 * The range of such a file. A download that broke is gone on with by `If-Range` (RFC 9110, 13.1.5); where that names
 * something else than this file's tag, the file is sent whole.
 *
 * @throws AppError rangeNotSatisfiable
 */
export function rangeOfFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { sizeBytes, tag }: CompleteFile,
): AskedBytes {
  const known = request.headers['if-range'];
  if (known !== undefined && known !== etagOf(tag)) return { start: 0, end: sizeBytes, isPart: false };
  return rangeOf(request, reply, sizeBytes);
}

/** Headers of these bytes; the tag is a strong one. */
export function rangeHeaders(
  reply: FastifyReply,
  { sizeBytes, tag }: CompleteFile,
  { start, end, isPart }: AskedBytes,
) {
  reply
    .header('etag', etagOf(tag))
    .header('accept-ranges', 'bytes')
    .header('content-length', end - start);
  if (isPart) reply.status(206).header('content-range', `bytes ${start}-${end - 1}/${sizeBytes}`);
}

const etagOf = (tag: string): string => `"${tag}"`;

type Asking = { actor: Actor; session: Session; request: FastifyRequest };

type Transfer = {
  /** Asks for the right once more. @throws AppError when it is gone */
  again: () => Promise<void>;
  /** Says what goes before the bytes, and begins them. */
  begin: () => Readable;
};

type Item = { id: string; securityClassification: Classification };

/**
 * A transfer that the loss of any of its items ends. The right is checked again now that its loss would be noticed: it
 * may have been lost since the first check, as while the row of the audit was written.
 *
 * @throws AppError of `again`
 */
export async function watchedRead(
  reads: OpenReads,
  { actor, session, request }: Asking,
  items: readonly Item[],
  { again, begin }: Transfer,
): Promise<Readable> {
  let stream: Readable | null = null;
  const close = () => {
    stream?.destroy();
    request.raw.socket.destroy();
  };
  const reader = { userId: actor.id, credentialId: session.credentialId, ceiling: ceilingOf(actor), close };
  const open = items.map(({ id: itemId, securityClassification }) =>
    reads.add({ ...reader, itemId, securityClassification }),
  );
  const forget = () => {
    for (const one of open) one();
  };
  try {
    await again();
    stream = begin();
  } catch (error) {
    forget();
    throw error;
  }
  stream.once('close', forget);
  return stream;
}
