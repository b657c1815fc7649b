import { removeSamples, restoreMissions } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { inParts } from '../api/in-parts.ts';
import { fill } from '../base/format.ts';
import { ConfirmDialog } from '../ui/dialog/ConfirmDialog.tsx';
import { useDelete } from '../ui/dialog/useDelete.ts';
import { texts } from './texts.ts';

type Props = { onClose: () => void; onRemoved: (ids: readonly string[]) => void };

const words = texts.samples;

/** Asks for confirmation, moves all sample missions to the bin, and offers to restore them. */
export function RemoveSamples({ onClose, onRemoved }: Props) {
  const api = useApi();
  const { busy, confirm } = useDelete({
    queryKey: ['missions'],
    async remove() {
      const { missions } = await api.call(removeSamples, {});
      onRemoved(missions);
      if (missions.length === 0) return { said: words.none, tone: 'info' };
      return { said: words.removed, undo: { label: words.undo, run: () => restore(missions) } };
    },
    failed: (text) => fill(words.failed, { text }),
    onClose,
  });

  async function restore(ids: readonly string[]) {
    await inParts(ids, (part) => api.call(restoreMissions, { body: { missions: part } }));
    return words.restored;
  }

  return (
    <ConfirmDialog
      title={words.title}
      confirmText={words.confirm}
      danger
      busy={busy}
      onConfirm={confirm}
      onCancel={onClose}
    >
      {words.text}
    </ConfirmDialog>
  );
}
