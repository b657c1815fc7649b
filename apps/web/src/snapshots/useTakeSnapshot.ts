import { createSnapshot, type NewSnapshot } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { useApi } from '../api/api.ts';
import { documentAddress } from '../base/document-address.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useAlert } from '../ui/dialog/AlertDialog.tsx';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

/**
 * Returns a function that sends a snapshot. It resolves to false if the server refused it, after showing the reason.
 */
export function useTakeSnapshot(): (body: NewSnapshot) => Promise<boolean> {
  const api = useApi();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { show } = useSnackbar();
  const { alert } = useAlert();
  return async (body) => {
    try {
      const { _id, title } = await api.call(createSnapshot, { body });
      const action = { label: texts.open, onClick: () => void navigate(documentAddress(_id)) };
      show(fill(texts.created, { title }), 'success', action);
      return true;
    } catch (error) {
      alert('Error', fill(texts.failed, { text: errorText(error) }));
      return false;
    } finally {
      void queries.invalidateQueries({ queryKey: ['documents'] });
      void queries.invalidateQueries({ queryKey: ['snapshots'] });
    }
  };
}
