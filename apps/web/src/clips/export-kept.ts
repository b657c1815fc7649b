import { AppError, planLiveExport } from '@osprey/contract';
import type { Api } from '../api/api.ts';
import { fill, formatSize } from '../base/format.ts';
import { lengthText } from '../timeline/scale.ts';
import { keptAddress, startDownload } from './address.ts';
import { texts } from './texts.ts';

/**
 * Downloads what the server has buffered of a stream that is not recorded. Returns a sentence about it. The server is
 * asked first, since a browser download would fail without showing the reason.
 *
 * @throws AppError when the server refuses
 */
export async function exportKept(api: Api, sensorId: string, sensor: string): Promise<string> {
  const { durationSeconds, sizeBytes, refusal } = await api.call(planLiveExport, { params: { sensor: sensorId } });
  if (refusal !== null) throw new AppError('ruleRefused', { reason: refusal });
  startDownload(keptAddress(sensorId));
  const length = lengthText(durationSeconds * 1e6);
  return fill(texts.exportingKept, { length, sensor, size: formatSize(sizeBytes) });
}
