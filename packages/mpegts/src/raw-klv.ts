/** One payload of a KLV stream; the bytes are valid only during the call. */
export type RawKlv = {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** 33-bit PTS in 90 kHz ticks; -1 if absent. */
  pts: number;
  /** Stream offset of the transport packet in which the payload's first PES packet starts. */
  offset: number;
  sync: boolean;
};

/** Maximum size of a PES packet, KLV packet or joined access unit, in bytes. */
export const KLV_LIMIT = 16 * 1024 * 1024;
