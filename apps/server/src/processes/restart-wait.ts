const FIRST_MS = 300;
/** Limit of the wait before a restart: packets that arrive meanwhile are lost. */
export const LONGEST_RESTART_WAIT_MS = 2000;

/** Milliseconds to wait before a recorder is restarted, by the number of consecutive failures. */
export const restartWaitMs = (failures: number): number => Math.min(LONGEST_RESTART_WAIT_MS, FIRST_MS * 2 ** failures);
