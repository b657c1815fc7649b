import type { SensorIndexes } from '../media/play/sensor-index-cache.ts';
import type { TelemetryReader } from '../telemetry/reader.ts';
import type { Dependencies } from './dependencies.ts';

/** What a content of a feature is made of: each takes of it what it needs. */
export type ContentParts = Dependencies & { indexes: SensorIndexes; telemetry: TelemetryReader };
