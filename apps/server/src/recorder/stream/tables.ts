import { Buffer } from 'node:buffer';
import { PACKET_SIZE } from '@osprey/mpegts';

const PID_COUNT = 0x2000;
const PAT_PID = 0;
const PAT_TABLE = 0x00;
/** Maximum number of packets of one section, which has at most 1024 bytes (ISO/IEC 13818-1, 2.4.4). */
const PACKETS_MAX = 8;
/** Maximum number of programs whose maps are cached; the stream of one sensor has fewer. */
const PROGRAMS_MAX = 64;

type Gathered = { packets: Uint8Array; count: number; payloadBytes: number; neededBytes: number };

/** Caches the packets that hold the latest PAT and the latest PMTs of a stream, as they were received. */
export type TableKeeper = {
  /**
   * One entry for each PID: 1 if the packets of that PID carry a PAT or a PMT and must be passed to `packet`, otherwise
   * 0.
   */
  readonly requested: Uint8Array;
  /** Takes one complete packet of a requested PID. */
  packet(bytes: Uint8Array, at: number, pid: number): void;
  /** Reports that the checksum of the latest table on this PID is wrong; the previous table is used again. */
  broken(pid: number): void;
  /**
   * Returns the packets of PAT and PMT; null until both have been received. The same array is returned as long as the
   * packets do not change.
   */
  tables(pmtPid: number): Uint8Array | null;
};

export function tableKeeper(): TableKeeper {
  const requested = new Uint8Array(PID_COUNT);
  requested[PAT_PID] = 1;
  const gathering = new Map<number, Gathered>();
  const whole = new Map<number, Uint8Array>();
  const before = new Map<number, Uint8Array | undefined>();
  let joined: { pmtPid: number; bytes: Uint8Array } | null = null;

  function packet(bytes: Uint8Array, at: number, pid: number): void {
    const payload = payloadStart(bytes, at);
    if (payload >= at + PACKET_SIZE) return;
    if ((bytes[at + 1]! & 0x40) !== 0) begin(bytes, payload, at + PACKET_SIZE, pid);
    const table = gathering.get(pid);
    if (table === undefined) return;
    table.packets.set(bytes.subarray(at, at + PACKET_SIZE), table.count * PACKET_SIZE);
    table.count += 1;
    table.payloadBytes += at + PACKET_SIZE - payload;
    if (table.payloadBytes >= table.neededBytes) complete(pid, table);
    else if (table.count === PACKETS_MAX) gathering.delete(pid);
  }

  /** Begins a section, which starts at the place given by the pointer field; its own length field gives its size. */
  function begin(bytes: Uint8Array, payload: number, end: number, pid: number): void {
    gathering.delete(pid);
    const section = payload + 1 + bytes[payload]!;
    if (section + 3 > end) return;
    const neededBytes = section - payload + 3 + (((bytes[section + 1]! & 0x0f) << 8) | bytes[section + 2]!);
    gathering.set(pid, { packets: new Uint8Array(PACKETS_MAX * PACKET_SIZE), count: 0, payloadBytes: 0, neededBytes });
  }

  function complete(pid: number, table: Gathered): void {
    gathering.delete(pid);
    before.set(pid, whole.get(pid));
    whole.set(pid, table.packets.slice(0, table.count * PACKET_SIZE));
    joined = null;
    if (pid === PAT_PID && table.count === 1) wantMaps(table.packets);
  }

  function wantMaps(bytes: Uint8Array): void {
    const payload = payloadStart(bytes, 0);
    const section = payload + 1 + bytes[payload]!;
    if (bytes[section] !== PAT_TABLE) return;
    const end = section + 3 + (((bytes[section + 1]! & 0x0f) << 8) | bytes[section + 2]!) - 4;
    requested.fill(0);
    requested[PAT_PID] = 1;
    for (let at = section + 8, n = 0; at + 4 <= end && n < PROGRAMS_MAX; at += 4, n++) {
      requested[((bytes[at + 2]! & 0x1f) << 8) | bytes[at + 3]!] = 1;
    }
  }

  return {
    requested,
    packet,
    broken(pid) {
      const last = before.get(pid);
      if (last === undefined) whole.delete(pid);
      else whole.set(pid, last);
      joined = null;
    },
    tables(pmtPid) {
      if (joined?.pmtPid === pmtPid) return joined.bytes;
      const pat = whole.get(PAT_PID);
      const pmt = whole.get(pmtPid);
      if (pat === undefined || pmt === undefined) return null;
      joined = { pmtPid, bytes: new Uint8Array(Buffer.concat([pat, pmt])) };
      return joined.bytes;
    },
  };
}

/** Returns the offset of the payload of the packet at `at`; the end of the packet if it has no payload. */
function payloadStart(bytes: Uint8Array, at: number): number {
  const flags = bytes[at + 3]!;
  if ((flags & 0x10) === 0) return at + PACKET_SIZE;
  return Math.min(at + PACKET_SIZE, at + 4 + (flags & 0x20 ? 1 + bytes[at + 4]! : 0));
}
