import type { Mission, Usergroup } from '@osprey/contract';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { useActor } from '../../api/session.ts';
import { useUsergroups } from '../../api/useUsergroups.ts';
import { factsOf } from '../../base/mission-rights.ts';
import { isWidened, managedShareText } from '../../ui/fields/sharing.ts';
import type { MissionForm } from './form.ts';

export type Sharing = {
  groups: readonly Usergroup[];
  /** Reason why the mission cannot be shared like this; null if it can. */
  problem: string | null;
  needsReason: boolean;
};

/** Checks whether label and audience are compatible, by the rules that the server applies when saving. */
export function useSharing(form: UseFormReturn<MissionForm>, mission: Mission | null): Sharing {
  const actor = useActor();
  const groups = useUsergroups();
  const [label, everyone, usergroups] = useWatch({ control: form.control, name: ['label', 'everyone', 'usergroups'] });
  const fields = { label, everyone, usergroups };
  const touched =
    mission === null ||
    label !== mission.securityClassification ||
    everyone !== (mission.audience === 'everyone') ||
    usergroups.join() !== mission.usergroups.join();
  return {
    groups,
    problem: touched && groups.length > 0 ? managedShareText(actor, fields, groups) : null,
    needsReason: mission !== null && isWidened(factsOf(mission), fields, groups),
  };
}
