/**
 * Ticks per second in the timestamps of pictures and telemetry of a stream (ISO/IEC 13818-1). Defined here so that the
 * client need not bundle the demuxer.
 */
export const TICKS_PER_SECOND = 90_000;
