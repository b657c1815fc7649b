import { planLiveExport } from '@osprey/contract';
import { useApi } from '../api/api.ts';
import { fill, formatSize } from '../base/format.ts';
import { errorText } from '../base/transport-error.ts';
import { lengthText } from '../timeline/scale.ts';
import { useSnackbar } from '../ui/notice/Snackbar.tsx';
import { keptAddress, startDownload } from './address.ts';
import { texts } from './texts.ts';

/** Saves what the server keeps of a stream that is not recorded. A download of the browser would fail without the reason. */
export function useExportKept() {
  const api = useApi();
  const { show } = useSnackbar();
  return async (sensorId: string, sensor: string): Promise<void> => {
    try {
      const plan = await api.call(planLiveExport, { params: { sensor: sensorId } });
      const { durationSeconds, sizeBytes, refusal } = plan;
      if (refusal !== null) return show(fill(texts.keptFailed, { text: refusal }), 'error');
      const length = lengthText(durationSeconds * 1e6);
      show(fill(texts.exportingKept, { length, sensor, size: formatSize(sizeBytes) }), 'info');
      startDownload(keptAddress(sensorId));
    } catch (error) {
      show(fill(texts.keptFailed, { text: errorText(error) }), 'error');
    }
  };
}
