import { type Actor, AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { Http } from './call-route.ts';
import type { IdentifySession, Session } from './session.ts';

type Identified = Session & { actor: Actor };

/**
 * Identifies the sender of a request again from the current database rows, since a long response may outlast the
 * sender's credential or rights.
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

/** Returns the actor with its current rights, without the session. @throws AppError */
export async function actorAgain(
  http: Pick<Http, 'identify'>,
  request: FastifyRequest,
  use: Parameters<IdentifySession>[1],
): Promise<Actor> {
  return (await sessionAgain(http, request, use)).actor;
}

/**
 * Yields the pieces of a long response whose content was selected by the rights at its beginning. If these change, the
 * response is aborted, so that a slow reader gets nothing more.
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
