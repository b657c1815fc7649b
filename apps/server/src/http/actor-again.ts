import { type Actor, AppError } from '@osprey/contract';
import type { FastifyRequest } from 'fastify';
import type { Http } from './call-route.ts';
import type { IdentifySession } from './session.ts';

/** Who sent a request, as the rows say now: what takes long may outlive its credential and its rights. @throws AppError */
export async function actorAgain(
  { identify }: Pick<Http, 'identify'>,
  request: FastifyRequest,
  use: Parameters<IdentifySession>[1],
): Promise<Actor> {
  const { actor, refusal } = await identify(request, use);
  if (actor === null) throw new AppError(refusal ?? 'notSignedIn');
  return actor;
}
