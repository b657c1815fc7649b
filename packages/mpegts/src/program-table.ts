import { FormatError } from '@osprey/bytes';
import { createTextReader } from './ais-text.ts';
import { createSeenBytes, type SeenBytes } from './annex-b.ts';
import { createContentProbe } from './content-probe.ts';
import type { Budget } from './growing-buffer.ts';
import { createPictures, type Pictures } from './picture-order.ts';
import type { PacketPlace, PidReader } from './pid-reader.ts';
import { type Counter, createKlvReader, createVideoReader, type ElementaryStream } from './program-streams.ts';
import { PAT_TABLE, PMT_TABLE, readPat, readPmt, sectionState } from './psi.ts';
import { createSectionReader } from './sections.ts';
import { isKlv, isUnnamed, isVideo, leadingVideo, mayBeText } from './stream-kind.ts';
import { createTimeline, type Timeline } from './timeline.ts';
import type { DemuxFaults, DemuxHandlers, DemuxReport, Program, ProgramStream, StreamKind } from './types.ts';

/** Maintains the programs of a stream and the reader of each PID. */
export type ProgramTable = {
  /** Handles a unit start on a PID without a reader: if no program association table has come, it may be a PMT. */
  unknown(bytes: Uint8Array, start: number, end: number, packet: PacketPlace): void;
  /** Handles a program clock in 27 MHz ticks; `isAnnounced` is discontinuity_indicator. */
  clock(pid: number, pcr: number, isAnnounced: boolean): void;
  end(): void;
  list(): Program[];
  kindOf(pid: number): StreamKind;
  patSeen(): boolean;
  tables(): DemuxReport['tables'];
};

type Options = {
  handlers: DemuxHandlers;
  fault(kind: keyof DemuxFaults, pid: number | null, offset: number): void;
  attach(pid: number, reader: PidReader | null): void;
};

type ProgramState = {
  pmtPid: number;
  program: Program | null;
  timeline: Timeline;
  pictures: Pictures;
  streams: Map<number, ElementaryStream>;
  /** Video whose clock is the clock of the program. */
  lead: ProgramStream | null;
  map: SeenBytes;
  maps: Counter;
};

const PAT_PID = 0;
/** Maximum number of programs, more than any multiplex has; the rest of a hostile table is ignored. */
const PROGRAM_LIMIT = 256;
/**
 * Maximum number of table changes, more than any recording has; later ones are ignored, since each creates new readers.
 */
const CHANGE_LIMIT = 20_000;
/** Maximum total size of KLV being gathered by one reader, in bytes. */
const KLV_BUDGET = 64 * 1024 * 1024;
/** Minimum size of an announced clock jump that takes effect, in 27 MHz ticks. */
const PCR_JUMP = 27_000_000;

/** Creates the table, which immediately attaches a reader to PID 0. */
export function createProgramTable({ handlers, fault, attach }: Options): ProgramTable {
  const programs = new Map<number, ProgramState>();
  /** Program that reads each elementary PID (`owners`), and PIDs that carry a PMT (`mapPids`). */
  const owners = new Map<number, ProgramState>();
  const mapPids = new Set<number>();
  const budget: Budget = { left: KLV_BUDGET };
  const patSections = new Map<number, { bytes: SeenBytes; numbers: Set<number> }>();
  const lastPcr = new Map<number, number>();
  let patVersion = -1;
  const associations: Counter = { count: 0 };
  let changes = 0;
  let offset = 0;
  /** Offsets at which the last PAT and PMT sections began. */
  let patOffset = 0;
  let pmtOffset = 0;

  attach(PAT_PID, psiReader(PAT_PID, onPatSection));

  function psiReader(pid: number, onSection: (bytes: Uint8Array, start: number, end: number, pid: number) => void) {
    let begunAt = 0;
    const sections = createSectionReader((bytes, start, end) => {
      if (pid === PAT_PID) patOffset = begunAt;
      else pmtOffset = begunAt;
      onSection(bytes, start, end, pid);
    });
    const reader: PidReader = {
      kind: 'psi',
      read(bytes, start, end, packet) {
        offset = packet.offset;
        if (packet.unitStart) begunAt = packet.offset;
        sections.read(bytes, start, end, packet.unitStart, packet.lost);
        return true;
      },
    };
    return reader;
  }

  /** Whether a section may be used; counts a wrong CRC as a fault. */
  function isGood(bytes: Uint8Array, start: number, end: number, pid: number): boolean {
    const state = sectionState(bytes, start, end);
    if (state === 'broken') fault('badCrc', pid, offset);
    return state === 'good';
  }

  function onPatSection(bytes: Uint8Array, start: number, end: number) {
    if (bytes[start] !== PAT_TABLE) return;
    const existing = patSections.get(bytes[start + 6]!);
    if (existing?.bytes.isSame(bytes, start, end)) {
      associations.count++;
      return;
    }
    takePat(bytes, start, end);
  }

  /**
   * A separate function, like `takePmt`, so that this rare work is not compiled together with the frequent check of
   * each table.
   */
  function takePat(bytes: Uint8Array, start: number, end: number) {
    if (!isGood(bytes, start, end, PAT_PID) || changes++ >= CHANGE_LIMIT) return;
    const pat = readPat(bytes, start, end);
    if (pat.version !== patVersion) patSections.clear();
    patVersion = pat.version;
    const seen = createSeenBytes();
    seen.keep(bytes, start, end);
    patSections.set(pat.section, { bytes: seen, numbers: new Set(pat.programs.map(({ number }) => number)) });
    const left = pat.lastSection === 0 ? unlisted(pat.programs) : [];
    for (const { number, pmtPid } of pat.programs) announce(number, pmtPid, left);
    if (patSections.size > pat.lastSection) removeUnlisted();
    associations.count++;
  }

  function unlisted(listed: readonly { number: number }[]): number[] {
    return [...programs.keys()].filter((number) => !listed.some((one) => one.number === number));
  }

  /**
   * Adds a program. `left` are the programs no longer listed; the new one takes the place of the first of them,
   * including its clock.
   */
  function announce(number: number, pmtPid: number, left: number[] = []) {
    const existing = programs.get(number);
    if (existing?.pmtPid === pmtPid || (!existing && programs.size >= PROGRAM_LIMIT)) return;
    const placeOf = existing ? number : left.shift();
    const before = placeOf === undefined ? undefined : programs.get(placeOf);
    if (placeOf !== undefined && before) remove(placeOf, before);
    programs.set(number, {
      pmtPid,
      program: null,
      timeline: before?.timeline ?? createTimeline(() => fault('clockJumps', null, offset)),
      pictures: before?.pictures ?? createPictures(),
      streams: new Map(),
      lead: before?.lead ?? null,
      map: createSeenBytes(),
      maps: before?.maps ?? { count: 0 },
    });
    if (mapPids.has(pmtPid)) return;
    mapPids.add(pmtPid);
    attach(pmtPid, psiReader(pmtPid, onPmtSection));
  }

  function removeUnlisted() {
    const listed = new Set<number>();
    for (const { numbers } of patSections.values()) for (const number of numbers) listed.add(number);
    for (const [number, state] of programs) if (!listed.has(number)) remove(number, state);
  }

  function remove(number: number, state: ProgramState) {
    for (const pid of [...state.streams.keys()]) detach(state, pid);
    programs.delete(number);
    const isShared = [...programs.values()].some(({ pmtPid }) => pmtPid === state.pmtPid);
    if (isShared) return;
    mapPids.delete(state.pmtPid);
    attach(state.pmtPid, null);
  }

  function onPmtSection(bytes: Uint8Array, start: number, end: number, pid: number) {
    if (bytes[start] !== PMT_TABLE || end - start < 12) return;
    const state = programs.get((bytes[start + 3]! << 8) | bytes[start + 4]!);
    const isOurs = state?.pmtPid === pid;
    if (isOurs && state.map.isSame(bytes, start, end)) {
      state.maps.count++;
      return;
    }
    takePmt(bytes, start, end, pid, isOurs ? state : null);
  }

  function takePmt(bytes: Uint8Array, start: number, end: number, pid: number, state: ProgramState | null) {
    if (!isGood(bytes, start, end, pid) || !state || changes++ >= CHANGE_LIMIT) return;
    try {
      apply(state, readPmt(bytes, start, end, pid));
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
      fault('badCrc', pid, offset);
      return;
    }
    state.map.keep(bytes, start, end);
    state.maps.count++;
  }

  /** Lets programs without a video use the times of a program with a video that refers to the same clock. */
  function shareClock(state: ProgramState, program: Program) {
    const hasVideo = ({ streams }: Program) => streams.some(({ kind }) => isVideo(kind));
    const others = [...programs.values()].filter((one) => one !== state && one.program?.pcrPid === program.pcrPid);
    if (!hasVideo(program)) {
      const host = others.find((one) => one.program && hasVideo(one.program));
      if (host) join(state, host);
      return;
    }
    for (const guest of others) {
      if (!guest.program || hasVideo(guest.program) || guest.timeline === state.timeline) continue;
      join(guest, state);
      apply(guest, guest.program);
    }
  }

  /**
   * Detaches the readers of a program so that they are created again, since each reader keeps the clock with which it
   * was created.
   */
  function join(guest: ProgramState, host: ProgramState) {
    if (guest.timeline === host.timeline) return;
    for (const pid of [...guest.streams.keys()]) detach(guest, pid);
    guest.timeline = host.timeline;
    guest.pictures = host.pictures;
  }

  /** Applies a new PMT: streams that remain continue undisturbed, and new ones get a reader. */
  function apply(state: ProgramState, program: Program) {
    state.program = program;
    shareClock(state, program);
    const streams = new Map(program.streams.map((stream) => [stream.pid, stream]));
    for (const [pid, reader] of [...state.streams]) if (streams.get(pid)?.kind !== reader.kind) detach(state, pid);
    for (const [pid, stream] of streams) {
      const isTaken = owners.has(pid) || mapPids.has(pid) || pid === PAT_PID;
      const reader = isTaken ? null : createReader(stream, state, program);
      if (!reader) continue;
      owners.set(pid, state);
      state.streams.set(pid, reader);
      attach(pid, reader);
    }
    chooseLead(state, program);
    report(program);
  }

  function chooseLead(state: ProgramState, { streams }: Program) {
    const lead = leadingVideo(
      streams.filter(({ pid }) => state.streams.has(pid)),
      state.lead,
    );
    if (lead === null) return;
    if (state.lead && (state.lead.pid !== lead.pid || state.lead.kind !== lead.kind)) state.timeline.handOver();
    state.lead = lead;
    state.pictures.expected = true;
    state.streams.get(lead.pid)?.lead?.();
  }

  function createReader(stream: ProgramStream, state: ProgramState, program: Program): ElementaryStream | null {
    const { timeline, pictures, maps } = state;
    const context = { handlers, programNumber: program.number, timeline, pictures, budget, associations, maps, fault };
    const { pid, kind } = stream;
    if (isVideo(kind)) return createVideoReader(pid, kind, context);
    if (isKlv(kind)) return createKlvReader(pid, kind, context);
    if (kind !== 'other') return null;
    const onKlv = () => {
      stream.kind = 'klvAsync';
      const reader = createKlvReader(pid, stream.kind, context);
      state.streams.set(pid, reader);
      attach(pid, reader);
      report(program);
      return reader;
    };
    const onText = () => {
      const reader = createTextReader(pid, program.number, handlers);
      state.streams.set(pid, reader);
      attach(pid, reader);
      return reader;
    };
    return createContentProbe({
      onKlv: isUnnamed(stream) ? onKlv : null,
      onText: handlers.text && mayBeText(stream) ? onText : null,
      onSound: () => noteSound(state, pid),
    });
  }

  /** The PMT may have been received again since the stream was first examined. */
  function noteSound({ program }: ProgramState, pid: number) {
    const stream = program?.streams.find((candidate) => candidate.pid === pid);
    if (!program || stream?.kind !== 'other') return;
    stream.kind = 'otherAudio';
    report(program);
  }

  function report(program: Program) {
    handlers.program?.(program, { patOffset, pmtOffset });
  }

  function detach(state: ProgramState, pid: number) {
    state.streams.get(pid)?.end();
    state.streams.delete(pid);
    owners.delete(pid);
    attach(pid, null);
  }

  function unknown(bytes: Uint8Array, start: number, end: number, packet: PacketPlace) {
    if (associations.count > 0) return;
    const table = start + 1 + bytes[start]!;
    if (table + 3 > end || bytes[table] !== PMT_TABLE || (bytes[table + 1]! & 0xf0) !== 0xb0) return;
    const candidate = psiReader(packet.pid, onCandidate);
    attach(packet.pid, candidate);
    candidate.read(bytes, start, end, packet);
  }

  /** Handles a section that looks like a PMT on an unannounced PID; its CRC decides. */
  function onCandidate(bytes: Uint8Array, start: number, end: number, pid: number) {
    attach(pid, null);
    const isMap = bytes[start] === PMT_TABLE && sectionState(bytes, start, end) === 'good';
    if (!isMap || associations.count > 0) return;
    announce((bytes[start + 3]! << 8) | bytes[start + 4]!, pid);
    onPmtSection(bytes, start, end, pid);
  }

  function clock(pid: number, pcr: number, isAnnounced: boolean) {
    const last = lastPcr.get(pid);
    lastPcr.set(pid, pcr);
    if (!isAnnounced || last === undefined) return;
    const step = pcr - last;
    if (step >= 0 && step <= PCR_JUMP) return;
    for (const state of programs.values()) if (state.program?.pcrPid === pid) state.timeline.announceJump();
  }

  function end() {
    for (const state of programs.values()) for (const stream of state.streams.values()) stream.end();
  }

  function list(): Program[] {
    return [...programs.values()].flatMap(({ program }) => (program ? [program] : []));
  }

  function kindOf(pid: number): StreamKind {
    for (const { program } of programs.values()) {
      const stream = program?.streams.find((candidate) => candidate.pid === pid);
      if (stream) return stream.kind;
    }
    return 'other';
  }

  function tables(): DemuxReport['tables'] {
    return [...programs].map(([programNumber, { maps }]) => {
      return { programNumber, patCount: associations.count, pmtCount: maps.count };
    });
  }

  return { unknown, clock, end, list, kindOf, patSeen: () => associations.count > 0, tables };
}
