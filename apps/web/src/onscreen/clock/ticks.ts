/** Ticks of the clock that pictures and telemetry of a stream count (ISO/IEC 13818-1); the client takes no demuxer along. */
export const TICKS_PER_SECOND = 90_000;
