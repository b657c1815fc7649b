import { type Actor, AppError } from '@osprey/contract';
import { authorize } from '../../base/access/authorize.ts';
import { type ClippedMission, factsOfClip } from './rows.ts';

/** Checks the right to export a clip of a mission. @throws AppError notFound, forbidden, or for the guest the reason */
export const mayExport = (actor: Actor, mission: ClippedMission): void =>
  saidToGuest(actor, () => authorize(actor, 'clip.export', factsOfClip(mission)));

/** Runs a check of the right to export. @throws AppError guestDownload if it refuses the export to the guest */
export function saidToGuest(actor: Actor, decide: () => void): void {
  try {
    decide();
  } catch (error) {
    const isGuest = error instanceof AppError && error.code === 'forbidden' && actor.role === 'guest';
    throw isGuest ? new AppError('guestDownload') : error;
  }
}
