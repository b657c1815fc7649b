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
