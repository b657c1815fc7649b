import { crc32 } from './crc32.ts';
import { PAT_TABLE, PMT_TABLE } from './psi.ts';
import { DESCRIPTOR } from './stream-kind.ts';
import type { Program, ProgramStream } from './types.ts';

/** Returns a PAT section with one program (ISO/IEC 13818-1, 2.4.4.3). */
export function patSection(programNumber: number, pmtPid: number): Uint8Array {
  return section(PAT_TABLE, 1, 0, [...uint16(programNumber), ...uint16(0xe000 | pmtPid)]);
}

/** Returns the PMT section of a program, with the descriptors that KLV and AC-3 need (2.4.4.8; MISB ST 1402). */
export function pmtSection(program: Program): Uint8Array {
  const body = [...uint16(0xe000 | program.pcrPid), ...uint16(0xf000)];
  for (const stream of program.streams) {
    const info = [...registrations(stream), ...(stream.kind === 'klvSync' ? METADATA : [])];
    body.push(stream.streamType, ...uint16(0xe000 | stream.pid), ...uint16(0xf000 | info.length), ...info);
  }
  return section(PMT_TABLE, program.number, program.version, body);
}

/** AC-3 in private PES was identified by a DVB descriptor; its registration descriptor has the same meaning. */
function registrations({ kind, registration: identifier }: ProgramStream): number[] {
  if (kind === 'ac3') return registration('AC-3');
  if (kind === 'eac3') return registration('EAC3');
  return identifier ? registration(identifier) : [];
}

function registration(identifier: string): number[] {
  return [DESCRIPTOR.registration, 4, ...Array.from(identifier, (letter) => letter.charCodeAt(0))];
}

/**
 * Metadata descriptor (2.6.60): application format 0x0100 (general), format KLVA, service 0. Metadata STD descriptor
 * (2.6.62): leak rates and buffer size are left unspecified.
 */
const METADATA = [
  ...[DESCRIPTOR.metadata, 9, 0x01, 0x00, 0xff, 0x4b, 0x4c, 0x56, 0x41, 0x00, 0x0f],
  ...[DESCRIPTOR.metadataStd, 9, 0xc0, 0, 0, 0xc0, 0, 0, 0xc0, 0, 0],
];

/** Returns a section in the long form, with version, current_next_indicator, section 0 of 0, and CRC. */
function section(table: number, id: number, version: number, body: number[]): Uint8Array {
  const length = 5 + body.length + 4;
  const bytes = new Uint8Array(3 + length);
  bytes.set([table, 0xb0 | (length >> 8), length & 0xff, ...uint16(id), 0xc1 | ((version & 0x1f) << 1), 0, 0, ...body]);
  const crc = crc32(bytes, 0, bytes.length - 4);
  new DataView(bytes.buffer).setUint32(bytes.length - 4, crc);
  return bytes;
}

function uint16(value: number): [number, number] {
  return [(value >> 8) & 0xff, value & 0xff];
}
