import { type Actor, AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { Http } from './call-route.ts';
import type { IdentifySession, Session } from './session.ts';

type Identified = Session & { actor: Actor };

/**
 * Identifies the sender of a request again by the current rows: a long answer may outlive its credential and its
 * rights.
 *
 * @throws AppError
 */
async function sessionAgain(
  { identify }: Pick<Http, 'identify'>,
  request: FastifyRequest,
  use: Parameters<IdentifySession>[1],
): Promise<Identified> {
  const session = await identify(request, use);
  if (session.actor === null) throw new AppError(session.refusal ?? 'notSignedIn');
  return { ...session, actor: session.actor };
}

/** The actor as of now, without the session. @throws AppError */
export async function actorAgain(
  http: Pick<Http, 'identify'>,
  request: FastifyRequest,
  use: Parameters<IdentifySession>[1],
): Promise<Actor> {
  return (await sessionAgain(http, request, use)).actor;
}

/**
 * Pieces of a long answer that were chosen by the rights at its beginning. When these change, the answer breaks off, so
 * a slow reader gets no more of them.
 */
export async function* whileUnchanged<Piece>(
  http: Pick<Http, 'identify'>,
  { request, session }: { request: FastifyRequest; session: Session },
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    const { userEpoch } = await sessionAgain(http, request, { media: session.kind === 'cookie' });
    if (userEpoch !== session.userEpoch) throw new AppError('forbidden');
    yield piece;
  }
}
