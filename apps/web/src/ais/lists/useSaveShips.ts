import { addListedShips, type ListedShip, removeListedShips, type ShipListRow } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { errorText } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { listTexts as texts } from './texts.ts';

type List = Pick<ShipListRow, '_id'>;

/**
 * Returns functions that add ships to a list and remove them, and report the outcome to the user. They resolve to true
 * on success.
 */
export function useSaveShips() {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();

  async function report(change: () => Promise<{ message: string }>): Promise<boolean> {
    try {
      show((await change()).message);
      return true;
    } catch (error) {
      show(fill(texts.changing, { text: errorText(error) }), 'error');
      return false;
    } finally {
      void queries.invalidateQueries({ queryKey: ['shiplists'] });
    }
  }

  return {
    add: ({ _id }: List, ships: readonly ListedShip[]) =>
      report(() => api.call(addListedShips, { params: { id: _id }, body: { ships: [...ships] } })),
    takeOff: ({ _id }: List, ships: readonly number[]) =>
      report(() => api.call(removeListedShips, { params: { id: _id }, body: { ships: [...ships] } })),
  };
}
