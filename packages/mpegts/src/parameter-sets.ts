import { BitReader, FormatError, isSame } from '@osprey/bytes';
import { eachNalUnit, unescapeNal } from './annex-b.ts';
import { H264_NAL } from './h264.ts';
import { H265_NAL } from './h265.ts';

/** NAL units that a decoder needs before the first picture, without start codes. */
export type ParameterSets = {
  /** Video parameter sets; H.265 only. */
  vps: readonly Uint8Array[];
  sps: readonly Uint8Array[];
  pps: readonly Uint8Array[];
};

/** Keeps the current parameter sets of one stream. */
export type ParameterSetKeeper = {
  /** Reads one access unit and stores the parameter sets in it. */
  read(bytes: Uint8Array, start: number, end: number): void;
  /**
   * Returns the current parameter sets; null until all required kinds are present. The object is a new one after each
   * change.
   */
  current(): ParameterSets | null;
};

type Role = 'vps' | 'sps' | 'pps';

/**
 * Maximum number of sets kept: more than any stream uses at a time, so that a hostile stream cannot fill the memory.
 */
const RETAINED_MAX = 32;
const LARGEST_SET = 4096;

/** Whether a NAL unit type is a parameter set or a delimiter; MP4 and RTP carry these separately from the pictures. */
export function isBesidePictures(kind: 'h264' | 'h265', type: number): boolean {
  return roleOf(kind, type) !== null || type === (kind === 'h264' ? H264_NAL.delimiter : H265_NAL.delimiter);
}

/** Returns the nal_unit_type of the NAL unit at `at`. */
export function nalType(kind: 'h264' | 'h265', bytes: Uint8Array, at: number): number {
  return kind === 'h264' ? bytes[at]! & 0x1f : (bytes[at]! >> 1) & 0x3f;
}

/** Creates a keeper without any sets. */
export function createParameterSetKeeper(kind: 'h264' | 'h265'): ParameterSetKeeper {
  /** Sets keyed by role and id, so that a set that is sent alone replaces the one with its id. */
  const retained = new Map<string, { role: Role; bytes: Uint8Array }>();
  let current: ParameterSets | null = null;

  function read(bytes: Uint8Array, start: number, end: number) {
    let changed = false;
    eachNalUnit(bytes, start, end, (nal, nalEnd) => {
      const role = roleOf(kind, nalType(kind, bytes, nal));
      if (role === null || nalEnd - nal > LARGEST_SET) return;
      const key = `${role} ${idOf(kind, role, bytes, nal, nalEnd)}`;
      const before = retained.get(key)?.bytes;
      if (before !== undefined && isSame(before, bytes, nal, nalEnd)) return;
      if (retained.size >= RETAINED_MAX && !retained.has(key)) retained.clear();
      retained.set(key, { role, bytes: bytes.slice(nal, nalEnd) });
      changed = true;
    });
    if (changed) current = gather();
  }

  function gather(): ParameterSets | null {
    const of = (role: Role) => [...retained.values()].filter((set) => set.role === role).map((set) => set.bytes);
    const sets = { vps: of('vps'), sps: of('sps'), pps: of('pps') };
    const isComplete = sets.sps.length > 0 && sets.pps.length > 0 && (kind === 'h264' || sets.vps.length > 0);
    return isComplete ? sets : null;
  }

  return { read, current: () => current };
}

/** Returns which parameter set a NAL unit type is; null for all other types. */
export function roleOf(kind: 'h264' | 'h265', type: number): Role | null {
  const codes = kind === 'h264' ? { vps: -1, ...H264_NAL } : H265_NAL;
  if (type === codes.sps) return 'sps';
  if (type === codes.pps) return 'pps';
  return type === codes.vps ? 'vps' : null;
}

/** Number of bytes of a parameter set that are sufficient for reading its id. */
const HEAD = 40;

function idOf(kind: 'h264' | 'h265', role: Role, bytes: Uint8Array, nal: number, end: number): number {
  const bits = new BitReader(unescapeNal(bytes, nal + (kind === 'h264' ? 1 : 2), Math.min(end, nal + HEAD)));
  try {
    if (role === 'pps') return bits.ue();
    if (role === 'vps') return bits.bits(4);
    // profile_idc, constraint flags and level_idc precede seq_parameter_set_id (H.264 7.3.2.1.1).
    if (kind === 'h264') bits.skip(24);
    // In H.265, profile_tier_level() of variable size precedes the id; it is not read, since streams have only one set.
    return kind === 'h264' ? bits.ue() : 0;
  } catch (error) {
    if (error instanceof FormatError) return -1;
    throw error;
  }
}
