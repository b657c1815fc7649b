import { AppError, createMission, type Mission, type Usergroup, updateMission } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useAlert } from '../../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { sendFiles } from '../send-files.ts';
import { changeBody, createBody, type MissionForm, storeLastMission } from './form.ts';
import { texts } from './texts.ts';

/** Creates or changes the mission, then uploads the files of its sensors. Returns null if it was not saved. */
export function useSaveMission(
  mission: Mission | null,
  groups: readonly Usergroup[],
  onOpen?: (created: Mission) => void,
) {
  const api = useApi();
  const queries = useQueryClient();
  const { alert } = useAlert();
  const { show } = useSnackbar();

  function send(saved: Mission, form: MissionForm, files: readonly (readonly File[])[]) {
    const without: string[] = [];
    form.sensors.forEach((entry, index) => {
      const sensor = saved.sensors.find(({ _id, name }) => _id === entry.id || name === entry.name.trim());
      if (!sensor) return;
      const ofSensor = files[index] ?? [];
      sendFiles(saved, sensor, ofSensor);
      if (ofSensor.length === 0 && sensor.assets.length === 0) {
        without.push(fill(texts.alert.noFiles, { mission: saved.name, sensor: sensor.name }));
      }
    });
    if (without.length > 0) alert(texts.alert.warning, without.join('\n'));
  }

  async function save(form: MissionForm, files: readonly (readonly File[])[]): Promise<Mission | null> {
    try {
      const saved =
        mission === null
          ? await api.call(createMission, { body: createBody(form, groups) })
          : await api.call(updateMission, { body: changeBody(mission, form, groups) });
      if (mission === null) storeLastMission(form);
      const open = mission === null && onOpen && { label: texts.open, onClick: () => onOpen(saved) };
      show(fill(mission === null ? texts.added : texts.updated, { name: saved.name }), 'success', open || undefined);
      void queries.invalidateQueries({ queryKey: ['missions'] });
      void queries.invalidateQueries({ queryKey: ['tags'] });
      send(saved, form, files);
      return saved;
    } catch (error) {
      alert(texts.alert.error, failureText(error));
      // Another user saved first (409), so the page under the dialog is reloaded.
      if (error instanceof AppError && error.status === 409) void queries.invalidateQueries({ queryKey: ['missions'] });
      return null;
    }
  }

  function failureText(error: unknown): string {
    const text = errorText(error);
    if (mission === null) return fill(texts.alert.adding, { text });
    // Error messages of the server are shown with the mission's name; other failures are shown as a failed update.
    return error instanceof AppError
      ? fill(texts.alert.editing, { name: mission.name, text })
      : fill(texts.alert.updating, { text });
  }

  return save;
}
