import type { SensorIndexes } from '../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import type { Dependencies } from './dependencies.ts';

/** Dependencies of the contents of features; each uses the ones that it needs. */
export type ContentParts = Dependencies & { indexes: SensorIndexes; telemetry: TelemetryReader };
