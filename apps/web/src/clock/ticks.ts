/** Ticks of the clock that pictures and telemetry of a stream count (ISO/IEC 13818-1); the client takes no demuxer along. */
export const TICKS_PER_SECOND = 90_000;

/** PTS has 33 bits. */
const PTS_TURN = 2 ** 33;

/** From one PTS to another, the shorter way round. Ticks, whatever their turns. */
export const ticksBetween = (from: number, to: number): number =>
  to - from - Math.round((to - from) / PTS_TURN) * PTS_TURN;
