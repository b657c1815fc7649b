/** One payload of a KLV stream; valid during the call. */
export type RawKlv = {
  bytes: Uint8Array;
  start: number;
  end: number;
  /** 33 bits of 90 kHz, -1 when absent. */
  pts: number;
  /** Stream offset of the transport packet in which its first PES starts. */
  offset: number;
  sync: boolean;
};

/** Largest PES packet, KLV packet or joined access unit that is gathered. */
export const KLV_LIMIT = 16 * 1024 * 1024;
