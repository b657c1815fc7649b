import { deleteMissions, type Mission, restoreMissions } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill, formatSize, namesText } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { sizeOf } from './rows.ts';
import { texts } from './texts.ts';

type Props = { missions: readonly Mission[]; onClose: () => void; onDeleted: (ids: readonly string[]) => void };

const words = texts.remove;
/** Asks, deletes, and offers to take it back. */
export function DeleteMissions({ missions, onClose, onDeleted }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const ids = missions.map(({ _id }) => _id);
  const names = namesText(missions);
  const count = missions.length;
  const sensors = missions.reduce((sum, mission) => sum + mission.sensors.length, 0);
  const size = formatSize(missions.reduce((sum, mission) => sum + sizeOf(mission), 0));

  const readAgain = () => queries.invalidateQueries({ queryKey: ['missions'] });

  async function restore() {
    try {
      await inParts(ids, (part) => api.call(restoreMissions, { body: { missions: part } }));
      show(fill(words.restored, { names }));
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function remove() {
    setBusy(true);
    try {
      await inParts(ids, (part) => api.call(deleteMissions, { body: { missions: part } }));
      onDeleted(ids);
      show(fill(words.done, { names }), 'success', { label: words.undo, onClick: () => void restore() });
    } catch (error) {
      show(fill(words.failed, { names, text: errorText(error) }), 'error');
    }
    onClose();
    await readAgain();
  }

  return (
    <ConfirmDialog
      title={fill(count === 1 ? words.titleOne : words.title, { name: missions[0]?.name ?? '', count })}
      mark={<HighestMark items={missions} />}
      confirmText={fill(count === 1 ? words.confirmOne : words.confirm, { count })}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {fill(sensors === 1 ? words.textOneSensor : words.text, { names, sensors, size })}
    </ConfirmDialog>
  );
}
