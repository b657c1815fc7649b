import { AppError, createMission, type Mission, newMissionForm, type Usergroup } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { createBody, type MissionForm, nextName } from '../dialog/form.ts';
import { asPlatformName } from '../dialog/offers.ts';
import { sendFiles } from '../send-files.ts';
import type { ProposedMission } from './group.ts';

/** Maximum number of names tried if a name is taken and the user did not type it. */
const NAMES_MAX = 50;

export type Created = { made: { key: string; mission: Mission }[]; failed: { key: string; problem: string }[] };

/**
 * Creates missions one after the other and starts the upload of the files of each. Missions that were created remain;
 * refused ones are returned with the reason. If the server does not answer at all, the remaining ones are not tried.
 */
export function useCreateMissions(groups: readonly Usergroup[]) {
  const api = useApi();
  const queries = useQueryClient();

  async function make(proposed: ProposedMission, shared: MissionForm): Promise<Mission> {
    const form: MissionForm = {
      ...shared,
      name: proposed.name,
      // The description among the dialog's defaults does not describe these flights.
      description: '',
      platformName: asPlatformName(proposed.platform ?? '') ?? newMissionForm.platform.name,
      sensors: proposed.sensors.map(({ name }) => ({ id: null, name, description: '', type: 'video' })),
    };
    for (let tries = 1; ; tries++) {
      try {
        return await api.call(createMission, { body: createBody(form, groups) });
      } catch (error) {
        if (proposed.isTyped || tries === NAMES_MAX || !isCode(error, 'missionNameTaken')) throw error;
        form.name = nextName(form.name);
      }
    }
  }

  return async (
    proposed: readonly ProposedMission[],
    shared: MissionForm,
    onStep: (done: number) => void,
  ): Promise<Created> => {
    const result: Created = { made: [], failed: [] };
    for (const one of proposed) {
      try {
        const mission = await make(one, shared);
        result.made.push({ key: one.key, mission });
        send(one, mission);
      } catch (error) {
        result.failed.push({ key: one.key, problem: errorText(error) });
        if (!(error instanceof AppError)) break;
      }
      onStep(result.made.length + result.failed.length);
    }
    void queries.invalidateQueries({ queryKey: ['missions'] });
    return result;
  };
}

function send(proposed: ProposedMission, mission: Mission): void {
  for (const { name, files } of proposed.sensors) {
    const sensor = mission.sensors.find((one) => one.name === name.trim());
    if (sensor) {
      sendFiles(
        mission,
        sensor,
        files.map(({ file }) => file),
      );
    }
  }
}
