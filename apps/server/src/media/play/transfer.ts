import type { Readable } from 'node:stream';
import type { Actor, Classification } from '@osprey/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ceilingOf } from '../../base/access/actors.ts';
import type { OpenReads } from '../../base/access/open-reads.ts';
import type { Session } from '../../base/http/session.ts';
import { type AskedBytes, askedBytes } from './byte-range.ts';

/**
 * Returns the requested range. @throws AppError rangeNotSatisfiable, after setting a header with the size of the file
 */
export function rangeOf(request: FastifyRequest, reply: FastifyReply, sizeBytes: number): AskedBytes {
  try {
    return askedBytes(request.headers.range, sizeBytes);
  } catch (error) {
    reply.header('content-range', `bytes */${sizeBytes}`);
    throw error;
  }
}

/** A file whose bytes never change; every file has a different tag. */
export type CompleteFile = { sizeBytes: number; tag: string };

/**
 * Returns the requested range of a file. An interrupted download is continued with `If-Range` (RFC 9110, 13.1.5); if
 * that names another tag than this file's, the file is sent completely.
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

/** Sets the headers for a range; the entity tag is a strong one. */
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
  /** Checks the right again. @throws AppError if it was lost */
  again: () => Promise<void>;
  /** Sets the headers, and starts the stream of bytes. */
  begin: () => Readable;
};

type Item = { id: string; securityClassification: Classification };

/**
 * Starts a transfer that is aborted when the right to any of its items is lost. The right is checked again after
 * registering the transfer, since it may have been lost after the first check, for example while the audit row was
 * written.
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
