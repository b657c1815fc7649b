import type { SensorIndex } from '../../../media/index/sensor-index.ts';
import type { TelemetryReader } from '../../../telemetry/reader.ts';
import { shifted } from '../../../telemetry/walk.ts';
import type { AskedSpan } from '../plan.ts';
import { cells, type TelemetrySource } from './records.ts';

/** Returns the telemetry of a sensor span, with the times as shown. */
export function telemetrySource(
  reader: TelemetryReader,
  index: SensorIndex | null,
  { shiftUs, span: [fromUs, toUs] }: { shiftUs: number; span: AskedSpan },
): TelemetrySource {
  const gaps = index?.timeline?.gaps.map(({ start, end }) => ({ start: start + shiftUs, end: end + shiftUs }));
  return { reader, files: shifted(index?.files ?? [], shiftUs), fromUs, toUs, gaps: gaps ?? [] };
}

/** Whether the span has any record. */
export async function hasTelemetry(source: TelemetrySource): Promise<boolean> {
  // Leaving the loop closes the files.
  for await (const _one of cells(source, [])) return true;
  return false;
}

/** Number of characters sent at a time. */
const PIECE = 32 * 1024;

export async function* pieces(texts: AsyncIterable<string>): AsyncGenerator<Buffer> {
  let text = '';
  for await (const one of texts) {
    text += one;
    if (text.length < PIECE) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}
