import type { SensorIndexes } from '../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import type { Dependencies } from './dependencies.ts';

/** Dependencies of all features' contents; each uses those it needs. */
export type ContentParts = Dependencies & { indexes: SensorIndexes; telemetry: TelemetryReader };
