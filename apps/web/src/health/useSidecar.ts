import { type Sensor, setSidecar } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { fill } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import type { Sidecar } from './line-up.ts';
import { texts } from './texts.ts';

const words = texts.sidecars;

type Settings = { offset?: number; exchanged?: boolean };

/**
 * Returns a function that changes the settings of a telemetry file and offers to undo the change. The server then reads
 * the sensor again and reports when it has finished. Resolves to whether the change was accepted.
 */
export function useSidecar({ _id: id }: Sensor, { fileId, name, offset, order }: Sidecar) {
  const api = useApi();
  const { show } = useSnackbar();
  const before: Settings = { offset, exchanged: order?.exchanged ?? false };

  async function send(settings: Settings): Promise<boolean> {
    try {
      await api.call(setSidecar, { params: { id, fileId }, body: settings });
      return true;
    } catch (error) {
      show(fill(words.failed, { name, text: errorText(error) }), 'error');
      return false;
    }
  }

  async function undo() {
    if (await send(before)) show(fill(words.undone, { name }));
  }

  return async (settings: Settings): Promise<boolean> => {
    const done = await send(settings);
    const text = settings.exchanged === undefined ? words.linedUp : words.exchanged;
    if (done) show(fill(text, { name }), 'success', { label: words.undo, onClick: () => void undo() });
    return done;
  };
}
