const FIRST_MS = 300;
/** Packets that arrive meanwhile are lost. */
export const LONGEST_RESTART_WAIT_MS = 2000;

/** Milliseconds to wait before a recorder is started again, by the number of its failures in a row. */
export const restartWaitMs = (failures: number): number => Math.min(LONGEST_RESTART_WAIT_MS, FIRST_MS * 2 ** failures);
