import { PACKET_SIZE, type Packeting } from '@osprey/mpegts';

/** Of what sources hand on, and the recorder after them: whole packets, so nothing need be searched for. */
export const WHOLE_PACKETS = { packetSize: PACKET_SIZE, syncOffset: 0 } as const satisfies Partial<Packeting>;
