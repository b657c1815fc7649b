import { type Asset, deleteAsset, type Mission, type Sensor } from '@osprey/contract';
import { useApi } from '../../api/api.ts';
import { fill, formatSize } from '../../base/format.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../../ui/dialog/useDelete.ts';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensor: Sensor; file: Asset; onClose: () => void };

const words = texts.remove;

/** Dialog that asks for confirmation before one file of a sensor is deleted on the server. */
export function RemoveFile({ mission, sensor, file, onClose }: Props) {
  const api = useApi();
  const { busy, confirm } = useDelete({
    queryKey: ['missions', 'one'],
    async remove() {
      await api.call(deleteAsset, { params: { id: sensor._id, fileId: file._id } });
      return { said: fill(words.done, { file: file.name }) };
    },
    failed: (text) => fill(words.failed, { file: file.name, text }),
    onClose,
  });

  return (
    <ConfirmDialog
      title={fill(words.title, { file: file.name })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {fill(words.text, { file: file.name, size: formatSize(file.sizeBytes), sensor: sensor.name })}
    </ConfirmDialog>
  );
}
