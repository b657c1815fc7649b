import { FormatError } from '@osprey/bytes';
import { crc32 } from './crc32.ts';
import { readDescriptors, streamKind } from './stream-kind.ts';
import type { Program, ProgramStream } from './types.ts';

/** Values of table_id for program association and program map sections (ISO/IEC 13818-1, table 2-31). */
export const PAT_TABLE = 0x00;
export const PMT_TABLE = 0x02;

/** One section of the program association table. */
export type PatSection = {
  version: number;
  section: number;
  lastSection: number;
  programs: { number: number; pmtPid: number }[];
};

/** Number of bytes before the loop of a section with the long header, and size of its CRC. */
const LONG_HEAD = 8;
const CRC_SIZE = 4;

/**
 * Checks whether a section has the long form, is currently applicable (current_next_indicator) and ends with a correct
 * CRC.
 */
export function sectionState(bytes: Uint8Array, start: number, end: number): 'good' | 'notYet' | 'broken' {
  if (end - start < LONG_HEAD + CRC_SIZE || (bytes[start + 1]! & 0x80) === 0) return 'broken';
  if (crc32(bytes, start, end) !== 0) return 'broken';
  return (bytes[start + 5]! & 0x01) === 0 ? 'notYet' : 'good';
}

/** Reads a PAT section whose CRC has been verified (2.4.4.3). Network PIDs (program 0) are omitted. */
export function readPat(bytes: Uint8Array, start: number, end: number): PatSection {
  const programs: PatSection['programs'] = [];
  for (let at = start + LONG_HEAD; at + 4 <= end - CRC_SIZE; at += 4) {
    const number = (bytes[at]! << 8) | bytes[at + 1]!;
    if (number !== 0) programs.push({ number, pmtPid: ((bytes[at + 2]! & 0x1f) << 8) | bytes[at + 3]! });
  }
  return {
    version: (bytes[start + 5]! >> 1) & 0x1f,
    section: bytes[start + 6]!,
    lastSection: bytes[start + 7]!,
    programs,
  };
}

/**
 * Reads a PMT section whose CRC has been verified (2.4.4.8).
 *
 * @throws FormatError when a loop is longer than the section.
 */
export function readPmt(bytes: Uint8Array, start: number, end: number, pmtPid: number): Program {
  const loopEnd = end - CRC_SIZE;
  const programInfo = start + 12;
  if (programInfo > loopEnd) throw new FormatError('Program map cut short', start);
  let at = programInfo + (((bytes[start + 10]! & 0x0f) << 8) | bytes[start + 11]!);
  if (at > loopEnd) throw new FormatError('Program descriptors longer than their map', start + 10);
  const streams: ProgramStream[] = [];
  const { pointers } = readDescriptors(bytes, programInfo, at);
  while (at + 5 <= loopEnd) {
    const info = at + 5;
    const next = info + (((bytes[at + 3]! & 0x0f) << 8) | bytes[at + 4]!);
    if (next > loopEnd) throw new FormatError('Stream descriptors longer than their map', at + 3);
    const streamType = bytes[at]!;
    const descriptors = readDescriptors(bytes, info, next);
    const pid = ((bytes[at + 1]! & 0x1f) << 8) | bytes[at + 2]!;
    const { registration, service } = descriptors;
    const kind = streamKind(streamType, descriptors);
    streams.push({ pid, streamType, kind, registration, ...(service !== null && { metadataService: service }) });
    pointers.push(...descriptors.pointers);
    at = next;
  }
  return {
    number: (bytes[start + 3]! << 8) | bytes[start + 4]!,
    pmtPid,
    pcrPid: ((bytes[start + 8]! & 0x1f) << 8) | bytes[start + 9]!,
    version: (bytes[start + 5]! >> 1) & 0x1f,
    streams,
    ...(pointers.length > 0 && { metadataPointers: pointers }),
  };
}
