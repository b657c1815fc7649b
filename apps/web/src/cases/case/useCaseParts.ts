import { type CasePart, type CaseRow, listCaseParts, orderCaseParts } from '@osprey/contract';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useRef, useState } from 'react';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText, isCode } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { inOrder } from './part-order.ts';
import { texts } from './texts.ts';

const none: readonly CasePart[] = [];

/**
 * Returns the parts of a case that the user may read, and their order. A changed order is shown before the server has
 * stored it.
 */
export function useCaseParts(row: Pick<CaseRow, '_id' | 'revision'>) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();
  const id = row._id;
  const query = useQuery({
    queryKey: ['cases', 'parts', id],
    queryFn: ({ signal }) => api.call(listCaseParts, { params: { id } }, { signal }),
  });
  const [order, setOrder] = useState<readonly string[] | null>(null);
  const requested = useRef<readonly string[] | null>(null);
  const sending = useRef(false);
  const read = query.data ?? none;
  const parts = useMemo(() => inOrder(read, order), [read, order]);

  /** Sends changed orders one after the other, each based on the revision returned for the previous one. */
  async function send(): Promise<void> {
    if (sending.current) return;
    sending.current = true;
    try {
      while (requested.current !== null) {
        const ids = [...requested.current];
        requested.current = null;
        const { revision } = queries.getQueryData<CaseRow>(['cases', 'one', id]) ?? row;
        const changed = await api.call(orderCaseParts, { params: { id }, body: { parts: ids, revision } });
        queries.setQueryData(['cases', 'one', id], changed);
        // The server has stored this order, even if reading the parts again fails.
        queries.setQueryData<CasePart[]>(['cases', 'parts', id], (before) => before && inOrder(before, ids));
      }
    } catch (error) {
      requested.current = null;
      const isConflict = isCode(error, 'revisionConflict');
      show(isConflict ? texts.orderConflict : fill(texts.orderFailed, { text: errorText(error) }), 'error');
      await queries.invalidateQueries({ queryKey: ['cases', 'one', id] });
    }
    sending.current = false;
    await queries.invalidateQueries({ queryKey: ['cases', 'parts', id] });
    // Keep the local order if a later drag is already being sent.
    if (requested.current === null && !sending.current) setOrder(null);
  }

  function reorder(ids: readonly string[]): void {
    setOrder(ids);
    requested.current = ids;
    void send();
  }

  return { parts, loading: query.isPending, error: query.error, refetch: query.refetch, reorder };
}
