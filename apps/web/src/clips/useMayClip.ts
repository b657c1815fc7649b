import { can } from '@osprey/contract';
import { useActor } from '../api/session.ts';
import { factsOf } from '../base/mission-rights.ts';
import type { OpenView } from '../missionview/feature.ts';

/** Returns whether the user may keep clips of the open mission. */
export function useMayClip({ mission }: Pick<OpenView, 'mission'>): boolean {
  const actor = useActor();
  return mission !== null && can(actor, 'clip.create', { ...factsOf(mission), authorId: null }).allowed;
}
