import { PACKET_SIZE, type Packeting } from '@osprey/mpegts';

/** Sources and the recorder pass on only complete packets, so no search for sync bytes is needed. */
export const COMPLETE_PACKETS = { packetSize: PACKET_SIZE, syncOffset: 0 } as const satisfies Partial<Packeting>;
