import { type Actor, AppError } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { type ClippedMission, factsOfClip } from './rows.ts';

/** Decides about a clip of a mission. @throws AppError notFound, forbidden; to the guest why */
export const mayExport = (actor: Actor, mission: ClippedMission): void =>
  saidToGuest(actor, () => authorize(actor, 'clip.export', factsOfClip(mission)));

/** Runs a decision about an export. @throws AppError guestDownload where it forbids the export to the guest */
export function saidToGuest(actor: Actor, decide: () => void): void {
  try {
    decide();
  } catch (error) {
    const isGuest = error instanceof AppError && error.code === 'forbidden' && actor.role === 'guest';
    throw isGuest ? new AppError('guestDownload') : error;
  }
}
