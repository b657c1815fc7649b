import { can } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { factsOf } from '../base/mission-rights.ts';
import type { OpenView } from '../missionview/feature.ts';

/**
 * Returns whether the user may bookmark what is open. For a live stream that is not being recorded, it is only known
 * that guests may not.
 */
export function useMayMark({ mission }: OpenView): boolean {
  const actor = useActor();
  if (mission === null) return actor.role !== 'guest';
  return can(actor, 'bookmark.create', { ...factsOf(mission), authorId: null }).allowed;
}
