import type { StreamKind } from './types.ts';

/** Place and flags of the packet a payload comes from; the object is reused. */
export type PacketPlace = {
  pid: number;
  /** Offset of the packet in the stream. */
  offset: number;
  unitStart: boolean;
  /** Packets of this PID are missing before it. */
  lost: boolean;
};

/** Takes the payloads of one PID. */
export type PidReader = {
  kind: StreamKind | 'psi';
  /** True: the packets up to the next unit start matter too, so they must be handed over. */
  read(bytes: Uint8Array, start: number, end: number, packet: PacketPlace): boolean;
};
