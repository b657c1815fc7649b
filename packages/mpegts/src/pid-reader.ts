import type { StreamKind } from './types.ts';

/** Offset and flags of the packet from which a payload comes; the object is reused. */
export type PacketPlace = {
  pid: number;
  /** Offset of the packet in the stream. */
  offset: number;
  unitStart: boolean;
  /** True if packets of this PID are missing before this one. */
  lost: boolean;
};

/** Reads the payloads of one PID. */
export type PidReader = {
  kind: StreamKind | 'psi';
  /**
   * Returns true if the packets up to the next unit start are also needed, so that they must be passed to the reader.
   */
  read(bytes: Uint8Array, start: number, end: number, packet: PacketPlace): boolean;
};
