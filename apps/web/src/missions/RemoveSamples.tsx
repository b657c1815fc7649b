import { removeSamples, restoreMissions } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

type Props = { onClose: () => void; onRemoved: (ids: readonly string[]) => void };

const words = texts.samples;

/** Asks, moves every sample mission to the bin, and offers to restore them. */
export function RemoveSamples({ onClose, onRemoved }: Props) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);

  const readAgain = () => queries.invalidateQueries({ queryKey: ['missions'] });

  async function restore(ids: readonly string[]) {
    try {
      await inParts(ids, (part) => api.call(restoreMissions, { body: { missions: part } }));
      show(words.restored);
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function remove() {
    setBusy(true);
    try {
      const { missions } = await api.call(removeSamples, {});
      onRemoved(missions);
      if (missions.length === 0) show(words.none, 'info');
      else show(words.removed, 'success', { label: words.undo, onClick: () => void restore(missions) });
    } catch (error) {
      show(fill(words.failed, { text: errorText(error) }), 'error');
    }
    onClose();
    await readAgain();
  }

  return (
    <ConfirmDialog
      title={words.title}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={() => void remove()}
      onCancel={onClose}
    >
      {words.text}
    </ConfirmDialog>
  );
}
