const FIRST_MS = 300;
/** Maximum wait before a restart, in milliseconds, since packets that arrive meanwhile are lost. */
export const RESTART_WAIT_MAX_MS = 2000;

/** Returns the milliseconds to wait before a recorder is restarted, by the number of consecutive failures. */
export const restartWaitMs = (failures: number): number => Math.min(RESTART_WAIT_MAX_MS, FIRST_MS * 2 ** failures);
