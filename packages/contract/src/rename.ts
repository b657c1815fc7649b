import { z } from 'zod';
import { defineCall, idOrName } from './core/call.ts';
import { mission, missionName } from './missions.ts';

const renamedMission = z.strictObject({
  name: missionName,
  /** Revision of the row shown to the user: the call fails with 409 if the row was changed in the meantime. */
  revision: z.int().optional(),
});
export type RenamedMission = z.output<typeof renamedMission>;

export const renameMission = defineCall({
  method: 'PUT',
  path: '/missions/:mission/name',
  summary:
    'Renames a mission. For reads, the old name still finds it unless a visible mission has that name. Refused ' +
    'while the mission is uploaded to, exported, or recorded under a name that somebody gave',
  action: 'mission.update',
  input: z.object({ params: z.object({ mission: idOrName }), body: renamedMission }),
  answer: mission,
  errors: [
    'invalid',
    'notSignedIn',
    'forbidden',
    'notFound',
    'missionNameAmbiguous',
    'missionRenamed',
    'missionNameTaken',
    'revisionConflict',
    'ruleRefused',
  ],
});
