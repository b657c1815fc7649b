import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../base/transport-error.ts';
import { useSnackbar } from '../notice/Snackbar.tsx';

/** Result of a deletion: its message, and an undo function, which returns a message too. */
type Deleted = { said: string; tone?: 'success' | 'info'; undo?: { label: string; run: () => Promise<string> } };

type Options = {
  /** Prefix of the keys of the queries that are reloaded. */
  queryKey: QueryKey;
  remove: () => Promise<Deleted>;
  /** Returns the message for a failure, given the text of its error. */
  failed: (text: string) => string;
  onClose: () => void;
};

/** Implements a dialog that asks before it deletes: deletes, shows a message, and offers to undo. */
export function useDelete({ queryKey, remove, failed, onClose }: Options) {
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const [busy, setBusy] = useState(false);
  const readAgain = () => queries.invalidateQueries({ queryKey });

  async function takeBack(run: () => Promise<string>) {
    try {
      show(await run());
    } catch (error) {
      show(errorText(error), 'error');
    }
    await readAgain();
  }

  async function confirm() {
    setBusy(true);
    try {
      const { said, tone = 'success', undo } = await remove();
      show(said, tone, ...(undo ? [{ label: undo.label, onClick: () => void takeBack(undo.run) }] : []));
    } catch (error) {
      show(failed(errorText(error)), 'error');
    }
    onClose();
    await readAgain();
  }

  return { busy, confirm: () => void confirm() };
}
