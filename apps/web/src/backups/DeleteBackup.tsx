import { Typography } from '@mui/material';
import { type Backup, deleteBackups } from '@osprey/contract';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { fill, formatSize, formatTime } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { LabelMark } from '../ui/label/LabelMark.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';
import { useBackupOrders } from './useBackups.ts';

const words = texts.delete;

type Props = { backup: Backup; isLast: boolean; onClose: () => void };

export function DeleteBackup({ backup: { name, securityClassification, sizeBytes, created }, isLast, onClose }: Props) {
  const api = useApi();
  const { show } = useSnackbar();
  const { again } = useBackupOrders();
  const [busy, setBusy] = useState(false);

  async function remove() {
    setBusy(true);
    try {
      await api.call(deleteBackups, { query: { backups: [name] } });
      show(fill(words.done, { name }));
    } catch (error) {
      show(fill(words.failed, { name, text: errorText(error) }), 'error');
    }
    await again();
    onClose();
  }

  return (
    <ConfirmDialog
      title={fill(words.title, { name })}
      mark={<LabelMark label={securityClassification} />}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {sizeBytes === null
        ? words.failedText
        : fill(words.text, { size: formatSize(sizeBytes), time: `${formatTime(created)} Z` })}
      {isLast && (
        <Typography sx={{ mt: 2, fontWeight: 600 }} component="p">
          {words.last}
        </Typography>
      )}
    </ConfirmDialog>
  );
}
