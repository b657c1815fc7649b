import { type Sensor, shiftSensor } from '@osprey/contract';
import { useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.ts';
import { fill } from '../../base/format.ts';
import { signedSeconds } from '../../base/seconds.ts';
import { errorText } from '../../base/transport-error.ts';
import { useSnackbar } from '../../ui/notice/Snackbar.tsx';
import { texts } from './texts.ts';

const words = texts.shift;

/**
 * Returns a function that shifts a sensor by microseconds relative to its time source and offers to restore the
 * previous shift. It returns whether the shift was made.
 */
export function useShift({ _id: id, name, timeShift: before }: Sensor) {
  const api = useApi();
  const queries = useQueryClient();
  const { show } = useSnackbar();

  async function send(shift: number): Promise<boolean> {
    try {
      await api.call(shiftSensor, { params: { id }, body: { shift } });
    } catch (error) {
      show(fill(words.failed, { name, text: errorText(error) }), 'error');
      return false;
    }
    // The list is mended by the server's event.
    await queries.invalidateQueries({ queryKey: ['missions', 'one'] });
    return true;
  }

  const doneText = (shift: number) =>
    fill(shift === 0 ? words.undone : words.done, { name, seconds: signedSeconds(shift) });

  async function undo() {
    if (await send(before)) show(doneText(before));
  }

  return async (shift: number): Promise<boolean> => {
    const done = await send(shift);
    if (done) show(doneText(shift), 'success', { label: words.undo, onClick: () => void undo() });
    return done;
  };
}
