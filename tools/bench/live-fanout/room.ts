/**
 * Size of the receive buffer of each client's socket, ours and the peer's, in bytes. Large, since many clients share
 * one process and take turns.
 */
export const ROOM_BYTES = 1024 * 1024;
