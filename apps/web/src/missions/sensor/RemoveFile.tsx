import { type Asset, deleteAsset, type Mission, type Sensor } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill, formatSize } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { ConfirmDialog } from '../../ui/dialog/ConfirmDialog.tsx';
import { ShownMark } from '../../ui/label/ShownMark.tsx';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { mission: Mission; sensor: Sensor; file: Asset; onClose: () => void };

const words = texts.remove;

/** Asks before one file of a sensor leaves the server. */
export function RemoveFile({ mission, sensor, file, onClose }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    try {
      await api.call(deleteAsset, { params: { id: sensor._id, fileId: file._id } });
      show(fill(words.done, { file: file.name }));
      await queries.invalidateQueries({ queryKey: ['missions', 'one'] });
    } catch (error) {
      show(fill(words.failed, { file: file.name, text: errorText(error) }), 'error');
    }
    onClose();
  }

  return (
    <ConfirmDialog
      title={fill(words.title, { file: file.name })}
      mark={<ShownMark label={mission.securityClassification} marked={mission.marked} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {fill(words.text, { file: file.name, size: formatSize(file.sizeBytes), sensor: sensor.name })}
    </ConfirmDialog>
  );
}
