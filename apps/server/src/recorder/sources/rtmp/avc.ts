import { FormatError } from '@osprey/bytes';

/** nal_unit_type of ITU-T H.264, table 7-1. */
const NAL = { idr: 5, sps: 7, delimiter: 9 } as const;
const START_CODE = Buffer.of(0, 0, 0, 1);

/** Fields of an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1.2) that a transport stream needs. */
export type AvcConfig = {
  /** Size in bytes of the length field before each NAL unit. */
  lengthSize: number;
  /** Sequence parameter sets (SPS) and picture parameter sets (PPS), each preceded by a start code. */
  parameterSets: Buffer;
};

/** @throws FormatError when truncated, or without a sequence parameter set */
export function readAvcConfig(bytes: Buffer): AvcConfig {
  const sets: Buffer[] = [];
  let at = 5;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw new FormatError('A decoder configuration is cut', at);
    at += 1;
    return value;
  };
  const readSets = (count: number): void => {
    for (let left = count; left > 0; left -= 1) {
      const size = byte() * 256 + byte();
      if (at + size > bytes.length) throw new FormatError('A parameter set is cut', at);
      sets.push(START_CODE, bytes.subarray(at, at + size));
      at += size;
    }
  };
  const spsCount = byte() & 0x1f;
  if (spsCount === 0) throw new FormatError('A decoder configuration has no parameter sets', at);
  readSets(spsCount);
  readSets(byte());
  return { lengthSize: (bytes[4]! & 3) + 1, parameterSets: Buffer.concat(sets) };
}

/**
 * Converts an access unit from length fields to start codes (ITU-T H.264, annex B). Parameter sets are inserted before
 * each key frame, so that a reader can start there. Access unit delimiters are left to the muxer.
 *
 * @throws FormatError when a length goes beyond the end
 */
export function toAnnexB(bytes: Buffer, { lengthSize, parameterSets }: AvcConfig, isKey: boolean) {
  const units: Buffer[] = [];
  let keyframe = isKey;
  let hasSets = false;
  for (let at = 0; at < bytes.length; ) {
    if (at + lengthSize > bytes.length) throw new FormatError('The length of a NAL unit is cut', at);
    const size = bytes.readUIntBE(at, lengthSize);
    at += lengthSize;
    if (size > bytes.length - at) throw new FormatError('A NAL unit is cut', at);
    const type = size === 0 ? NAL.delimiter : bytes[at]! & 0x1f;
    if (type !== NAL.delimiter) units.push(START_CODE, bytes.subarray(at, at + size));
    keyframe ||= type === NAL.idr;
    hasSets ||= type === NAL.sps;
    at += size;
  }
  if (units.length === 0) throw new FormatError('A picture is empty', 0);
  return { keyframe, bytes: Buffer.concat(keyframe && !hasSets ? [parameterSets, ...units] : units) };
}
