export { recordTraffic } from './ais/fly-traffic.ts';
export { EncoderError, type StartProcess } from './encoder.ts';
export { metadataValues } from './metadata.ts';
export { type Model, type Moment, makeModel } from './model.ts';
export {
  OptionError,
  type ResolvedOptions,
  type SimulatedClassification,
  type SimulationOptions,
  type Spectrum,
  type TrackName,
} from './options.ts';
export { resolveOptions } from './resolve-options.ts';
export { type SimulationResult, type SimulationRun, simulateToFile } from './simulate.ts';
export { frameTimeUs } from './stream.ts';
export { readTimeCode, type TimeCode, timeCodeCells } from './time-code.ts';
