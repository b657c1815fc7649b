/** Receive buffer of each client's socket, ours and the peer's: many of them share one process, and take turns. */
export const ROOM_BYTES = 1024 * 1024;
