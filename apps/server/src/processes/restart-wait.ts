const FIRST_MS = 300;
/** What is not recorded meanwhile is lost. */
export const LONGEST_RESTART_WAIT_MS = 2000;

/** How long to wait before a recorder is started again that failed so often in a row, milliseconds. */
export const restartWaitMs = (failures: number): number => Math.min(LONGEST_RESTART_WAIT_MS, FIRST_MS * 2 ** failures);
