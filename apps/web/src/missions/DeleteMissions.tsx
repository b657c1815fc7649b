import { deleteMissions, type Mission, restoreMissions } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill, formatCount, formatSize, namesText } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { HighestMark } from '../ui/label/HighestMark.tsx';
import { sizeOf } from './rows.ts';
import { texts } from './texts.ts';

type Props = { missions: readonly Mission[]; onClose: () => void; onDeleted: (ids: readonly string[]) => void };

const words = texts.remove;

/** Asks for confirmation, deletes missions, and offers to undo this. */
export function DeleteMissions({ missions, onClose, onDeleted }: Props) {
  const api = useApi();
  const ids = missions.map(({ _id }) => _id);
  const names = namesText(missions);
  const count = missions.length;
  const sensors = missions.reduce((sum, mission) => sum + mission.sensors.length, 0);
  const size = formatSize(missions.reduce((sum, mission) => sum + sizeOf(mission), 0));

  const { busy, confirm } = useDelete({
    queryKey: ['missions'],
    async remove() {
      await inParts(ids, (part) => api.call(deleteMissions, { body: { missions: part } }));
      onDeleted(ids);
      return { said: fill(formatCount(count, words.done), { names }), undo: { label: words.undo, run: restore } };
    },
    failed: (text) => fill(words.failed, { names, text }),
    onClose,
  });

  async function restore() {
    await inParts(ids, (part) => api.call(restoreMissions, { body: { missions: part } }));
    return fill(formatCount(count, words.restored), { names });
  }

  return (
    <ConfirmDialog
      title={fill(count === 1 ? words.titleOne : words.title, { name: missions[0]?.name ?? '', count })}
      mark={<HighestMark items={missions} />}
      confirmText={fill(count === 1 ? words.confirmOne : words.confirm, { count })}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {fill(sensors === 1 ? words.textOneSensor : words.text, { names, sensors, size })}
    </ConfirmDialog>
  );
}
