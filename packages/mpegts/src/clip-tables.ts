import { FormatError } from '@osprey/bytes';
import { crc32 } from './crc32.ts';
import { NULL_PID, PID_COUNT, packetPid } from './packet.ts';
import type { PacketWriter } from './packet-writer.ts';
import { PAT_TABLE, PMT_TABLE, readPat, readPmt, sectionState } from './psi.ts';
import { createSectionReader, type SectionReader } from './sections.ts';
import { KLVA, STREAM_TYPE } from './stream-kind.ts';
import { patSection, pmtSection } from './table-writer.ts';
import type { Program } from './types.ts';

/** Maximum length of a PMT section including its length field, in bytes (ISO/IEC 13818-1, 2.4.4.9). */
const LARGEST_MAP = 3 + 1021;
/** Highest PID for added streams; a free PID is searched from here downwards. */
const HIGHEST_PID = 0x1ff0;

/**
 * The PAT and PMT of a stream as received, and as written to the clip: with an added KLV stream if one was requested.
 */
export type ClipTables = {
  /**
   * Handles one packet of any PID. Returns true if it belongs to the tables, in which case its replacement has been
   * written.
   */
  packet(bytes: Uint8Array, at: number, out: PacketWriter | null): boolean;
  /** Writes every table that has been received. */
  write(out: PacketWriter): void;
  /** Programs according to the PMTs received so far, in the order of the PAT. */
  programs(): Program[];
  /** Defines a program for a stream that has no tables. */
  assume(program: Program): void;
  /** Adds a KLV stream to the PMT of this program from now on; returns null if the PMT has no room for it. */
  announce(programNumber: number): number | null;
  /** PID of the KLV stream that `announce` added; null without one. */
  ownPid(): number | null;
  isTable(pid: number): boolean;
};

export function createClipTables(): ClipTables {
  const readers = new Map<number, SectionReader>();
  const isTable = new Uint8Array(PID_COUNT);
  const seen = new Uint8Array(PID_COUNT);
  /** Sections of the PAT by section number (`associations`), and the PMT of each program (`maps`). */
  const associations = new Map<number, Uint8Array>();
  const maps = new Map<number, { pid: number; section: Uint8Array; program: Program }>();
  let order: number[] = [];
  let patVersion = -1;
  let announced: number | null = null;
  let own: number | null = null;
  let out: PacketWriter | null = null;

  follow(0);

  function follow(pid: number) {
    if (readers.has(pid)) return;
    isTable[pid] = 1;
    readers.set(
      pid,
      createSectionReader((bytes, start, end) => addSection(pid, bytes.slice(start, end))),
    );
  }

  function addSection(pid: number, section: Uint8Array) {
    const table = section[0];
    const isOurs = (pid === 0 && table === PAT_TABLE) || (pid !== 0 && table === PMT_TABLE);
    if (isOurs && sectionState(section, 0, section.length) === 'good') {
      if (pid === 0) takePat(section);
      else takePmt(pid, section);
    }
    out?.section(pid, isOurs && pid !== 0 ? shown(section) : section);
  }

  function takePat(section: Uint8Array) {
    const pat = readPat(section, 0, section.length);
    if (pat.version !== patVersion) associations.clear();
    patVersion = pat.version;
    associations.set(pat.section, section);
    const numbers = [...associations.values()].flatMap((one) => readPat(one, 0, one.length).programs);
    order = numbers.map(({ number }) => number);
    for (const number of [...maps.keys()]) if (!order.includes(number)) maps.delete(number);
    for (const { pmtPid } of pat.programs) follow(pmtPid);
  }

  function takePmt(pid: number, section: Uint8Array) {
    try {
      const program = readPmt(section, 0, section.length, pid);
      maps.set(program.number, { pid, section, program });
      if (own !== null && isUsed(own)) own = freePid();
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  }

  /** Returns the PMT section of a program as written to the clip. */
  function shown(section: Uint8Array): Uint8Array {
    const number = (section[3]! << 8) | section[4]!;
    if (number !== announced || own === null || maps.get(number)?.section !== section) return section;
    return withOwnStream(section, own) ?? section;
  }

  function packet(bytes: Uint8Array, at: number, writer: PacketWriter | null): boolean {
    const pid = packetPid(bytes, at);
    seen[pid] = 1;
    const reader = isTable[pid] === 1 ? readers.get(pid) : undefined;
    if (reader === undefined) return false;
    const start = payloadStart(bytes, at);
    if (start === null) return true;
    out = writer;
    reader.read(bytes, start, at + 188, (bytes[at + 1]! & 0x40) !== 0, false);
    out = null;
    return true;
  }

  function write(writer: PacketWriter) {
    for (const section of associations.values()) writer.section(0, section);
    for (const { pid, section } of maps.values()) writer.section(pid, shown(section));
  }

  function assume(program: Program) {
    if (associations.size === 0) takePat(patSection(program.number, program.pmtPid));
    follow(program.pmtPid);
    if (!maps.has(program.number)) takePmt(program.pmtPid, pmtSection(program));
  }

  function isUsed(pid: number): boolean {
    return [...maps.values()].some(
      ({ pid: map, program }) =>
        map === pid || program.pcrPid === pid || program.streams.some((one) => one.pid === pid),
    );
  }

  function freePid(): number {
    for (let pid = HIGHEST_PID; pid > 0x20; pid--)
      if (seen[pid] === 0 && isTable[pid] === 0 && !isUsed(pid)) return pid;
    return NULL_PID;
  }

  function announce(programNumber: number): number | null {
    const map = maps.get(programNumber);
    const pid = freePid();
    if (map === undefined || pid === NULL_PID || withOwnStream(map.section, pid) === null) return null;
    announced = programNumber;
    own = pid;
    return pid;
  }

  return {
    packet,
    write,
    programs: () =>
      [...order, ...maps.keys()]
        .filter((number, at, all) => all.indexOf(number) === at)
        .flatMap((number) => maps.get(number)?.program ?? []),
    assume,
    announce,
    ownPid: () => own,
    isTable: (pid) => isTable[pid] === 1,
  };
}

/**
 * Returns the same PMT section with an asynchronous KLV stream added at its end (MISB ST 1402); null if it does not
 * fit.
 */
function withOwnStream(section: Uint8Array, pid: number): Uint8Array | null {
  const entry = [STREAM_TYPE.privatePes, 0xe0 | (pid >> 8), pid & 0xff, 0xf0, 6, 0x05, 4];
  const identifier = Array.from(KLVA, (letter) => letter.charCodeAt(0));
  const size = section.length + entry.length + identifier.length;
  if (size > LARGEST_MAP) return null;
  const bytes = new Uint8Array(size);
  const end = section.length - 4;
  bytes.set(section.subarray(0, end));
  bytes.set([...entry, ...identifier], end);
  bytes[1] = (bytes[1]! & 0xf0) | ((size - 3) >> 8);
  bytes[2] = (size - 3) & 0xff;
  new DataView(bytes.buffer).setUint32(size - 4, crc32(bytes, 0, size - 4));
  return bytes;
}

/**
 * Returns the offset at which the payload of a packet begins; null if it has none, or an adaptation field that does not
 * fit.
 */
export function payloadStart(bytes: Uint8Array, at: number): number | null {
  const control = bytes[at + 3]! & 0x30;
  if ((control & 0x10) === 0) return null;
  const start = control === 0x30 ? 5 + bytes[at + 4]! : 4;
  return start < 188 ? at + start : null;
}
