import { type AccessFacts, type Actor, can, type Mission } from '@osprey/contract';

export const factsOf = (mission: Mission): AccessFacts => ({
  securityClassification: mission.securityClassification,
  audience: mission.audience,
  usergroups: mission.usergroups,
  draft: mission.state === 'Created',
});

/**
 * Returns whether the actor may shift times, remove files and choose how files are read. During a running recording
 * this is not allowed, since the recorder holds the files.
 */
export const mayChangeSensors = (actor: Actor, mission: Mission): boolean =>
  mission.state !== 'Running' && can(actor, 'mission.update', factsOf(mission)).allowed;
