import {
  type AccessUnit,
  createSegmentMap,
  type DemuxReport,
  type KlvPayload,
  leadingVideo,
  type Program,
  type ProgramStream,
  type SegmentMap,
  type SegmentMapBuilder,
  type TablePlace,
  type VideoFormat,
} from '@osprey/mpegts';

const videoKinds = ['h264', 'h265', 'mpeg2', 'mpeg4'];
export const isVideo = ({ kind }: { kind: string }): boolean => videoKinds.includes(kind);
export const isKlv = ({ kind }: { kind: string }): boolean => kind === 'klvAsync' || kind === 'klvSync';

/** Maximum number of moves to another stream, more than any recording has; pictures after the last one are left out. */
const MOVES_MAX = 1000;
/**
 * Minimum number of key frames of a format: one seen in a single key frame is damaged, or another format follows
 * immediately.
 */
const KEYFRAMES_OF_A_FORMAT = 2;
/** Maximum relative difference between the declared and the measured picture rate for the declared rate to be used. */
const RATE_TOLERANCE = 0.03;

/** From this run of the clock and this byte on, the video continues in another stream, with these tables. */
export type VideoMove = { run: number; offset: number; program: Program };

/** Findings about the only program that is shown. */
export type ShownProgram = {
  /** The program before the video moved to another PID. Null if none was found. */
  program: Program | null;
  moves: VideoMove[];
  /** The last format, with its picture rate. */
  video: VideoFormat | null;
  /** All formats of the pictures. */
  formats: VideoFormat[];
  /** Null if there is no picture. */
  segments: SegmentMap | null;
  /** PIDs of videos of the program that contain packets but are not shown. */
  otherVideos: number[];
};

/** `run`: null before the first picture of the part. */
type Part = { run: number | null; program: Program };
type CountedFormat = { format: VideoFormat; keyframes: number };

/**
 * Chooses one program and one video in it, and follows both through changes of the tables. `programs` returns the
 * programs that the stream contains now. `requestedPid`: PID of the video that a user chose; all others are ignored.
 */
export function createShownProgram(programs: () => readonly Program[], requestedPid: number | null = null) {
  const parts: Part[] = [];
  const formatOf = new Map<number, VideoFormat>();
  const seen = new Map<string, CountedFormat>();
  const settled = new Set<string>();
  const shownPids = new Set<number>();
  let map: SegmentMapBuilder | null = null;
  let followed: ProgramStream | null = null;
  let current: Program | null = null;
  /**
   * Format of the last pictures. If a recording ends just after the tables of another video, there are no pictures of
   * that one.
   */
  let lastFormat: VideoFormat | null = null;

  /**
   * Returns whether to show a program: the first with video; before there is one, the first with any content; another
   * one once that disappeared.
   */
  function isShown(announced: Program): boolean {
    if (current === null || announced.number === current.number) return true;
    const { number, streams } = current;
    const isBetter = announced.streams.some(isVideo) && (!streams.some(isVideo) || isGone(number));
    return isBetter || (isGone(number) && !streams.some(isVideo));
  }

  const isGone = (number: number): boolean => programs().every((program) => program.number !== number);

  /** Returns false if another program is shown. */
  function announced(received: Program, place: TablePlace): boolean {
    const program = requestedPid === null ? received : withVideo(received, requestedPid);
    if (!isShown(program)) return false;
    const isOther = current !== null && current.number !== program.number;
    current = copied(program);
    const next = leadingVideo(current.streams, followed);
    const moves = followed !== null && next !== null && (next.pid !== followed.pid || next.kind !== followed.kind);
    const part = parts.at(-1);
    if (moves && parts.length > MOVES_MAX) return true;
    if (part === undefined || (moves && part.run !== null)) parts.push({ run: null, program: current });
    else if (moves || (isOther && followed === null)) part.program = current;
    else part.program = merged(part.program, current);
    if (next !== null && (moves || isOther || followed === null)) follow(next, current.number, place);
    return true;
  }

  function follow(video: ProgramStream, programNumber: number, place: TablePlace): void {
    settleFormat();
    followed = video;
    shownPids.add(video.pid);
    if (formatOf.get(video.pid)?.codec !== video.kind) formatOf.delete(video.pid);
    if (map === null) map = createSegmentMap({ videoPid: video.pid, programNumber });
    else map.follow({ videoPid: video.pid, programNumber }, place);
  }

  function accessUnit(unit: AccessUnit): boolean {
    if (unit.pid !== followed?.pid) return false;
    map?.add(unit);
    if (unit.keyframe) noteFormat();
    lastFormat = formatOf.get(unit.pid) ?? lastFormat;
    const part = parts.at(-1);
    if (part?.run === null && unit.ptsTicks !== null && unit.dtsTicks !== null) part.run = unit.run;
    return true;
  }

  function noteFormat(): void {
    const format = followed && formatOf.get(followed.pid);
    if (!format) return;
    const key = formKey(format);
    const existing = seen.get(key);
    if (existing === undefined) seen.set(key, { format, keyframes: 1 });
    else existing.keyframes += 1;
  }

  /** The last format of a part counts even if it was short. */
  function settleFormat(): void {
    const format = followed && formatOf.get(followed.pid);
    if (!format) return;
    const key = formKey(format);
    if (!seen.has(key)) seen.set(key, { format, keyframes: 0 });
    settled.add(key);
  }

  function finish(report: DemuxReport): ShownProgram {
    settleFormat();
    const all = map?.finish(report.bytes, report) ?? null;
    const segments = all && all.segments.length > 0 ? all : null;
    const format = (followed && formatOf.get(followed.pid)) ?? lastFormat;
    const formats = [...seen].filter(([key, { keyframes }]) => keyframes >= KEYFRAMES_OF_A_FORMAT || settled.has(key));
    return {
      program: parts[0]?.program ?? null,
      moves: movesIn(segments),
      video: format && { ...format, frameRate: trueRate(format.frameRate, segments?.frameRate ?? null) },
      formats: formats.map(([, one]) => one.format),
      segments,
      otherVideos: otherVideos(report),
    };
  }

  function movesIn(segments: SegmentMap | null): VideoMove[] {
    return parts.slice(1).flatMap(({ run, program }) => {
      const first = segments?.segments.find((segment) => segment.run === run);
      return run === null || first === undefined ? [] : [{ run, offset: first.offset, program }];
    });
  }

  function otherVideos(report: DemuxReport): number[] {
    const named = new Set(parts.flatMap(({ program }) => program.streams.filter(isVideo).map(({ pid }) => pid)));
    return report.pids.map(({ pid }) => pid).filter((pid) => named.has(pid) && !shownPids.has(pid));
  }

  return {
    announced,
    /** Returns false for a picture of another stream. */
    accessUnit,
    format(pid: number, format: VideoFormat): void {
      formatOf.set(pid, { ...format });
    },
    number: (): number | null => current?.number ?? null,
    /** Returns the KLV that belongs to the video: that of its program, and of programs without video. */
    klv: (): ShownKlv => shownKlv(current, programs()),
    closed: (from: number) => map?.closed(from) ?? [],
    finish,
  };
}

/** Returns a program with only one of its videos. */
const withVideo = (program: Program, pid: number): Program => ({
  ...program,
  streams: program.streams.filter((stream) => !isVideo(stream) || stream.pid === pid),
});

export type ShownKlv = {
  pids: number[];
  /** Program number of each stream, in the same order. */
  programs: number[];
  /** Programs without video that use the same clock. */
  companions: number[];
  /** Programs without video that use another clock: only their sets near the pictures belong to the video. */
  strangers: number[];
  /** The stream that metadata descriptors assign to the video; null if they name none or several. */
  assigned: number | null;
};

/** Returns the KLV streams of the shown video: those of its program, and of programs without video. */
export function shownKlv(shown: Program | null, programs: readonly Program[]): ShownKlv {
  if (shown === null) return { pids: [], programs: [], companions: [], strangers: [], assigned: null };
  const others = programs.filter((one) => one.number !== shown.number && !one.streams.some(isVideo));
  const guests = shown.streams.some(isVideo) ? others.filter(({ streams }) => streams.some(isKlv)) : [];
  const streams = [shown, ...guests].flatMap(({ number, streams }) =>
    streams.filter(isKlv).map((one) => ({ ...one, number })),
  );
  const assigned = streams.filter(({ metadataService, number }) =>
    shown.metadataPointers?.some(
      ({ service, program }) => service === metadataService && (program === null || program === number),
    ),
  );
  const numbersOf = (programs: readonly Program[]) => programs.map(({ number }) => number);
  return {
    pids: streams.map(({ pid }) => pid),
    programs: streams.map(({ number }) => number),
    companions: numbersOf(guests.filter(({ pcrPid }) => pcrPid === shown.pcrPid)),
    strangers: numbersOf(guests.filter(({ pcrPid }) => pcrPid !== shown.pcrPid)),
    assigned: streams.length > 1 && assigned.length === 1 ? assigned[0]!.pid : null,
  };
}

/** Maximum time between metadata of another clock and the pictures they belong to, in ticks of 90 kHz. */
const NEAR_TICKS = 10 * 90_000;

/** The shown program, and the PTS and run of its last picture. */
type LastPicture = { program: number | null; ticks: number | null; run: number };

/** Returns whether KLV belongs to the shown video. */
export function isShownKlv(
  { programNumber, ptsTicks, run }: KlvPayload,
  { companions, strangers }: ShownKlv,
  last: LastPicture,
): boolean {
  if (programNumber === last.program || companions.includes(programNumber)) return true;
  if (!strangers.includes(programNumber) || ptsTicks === null || last.ticks === null) return false;
  return run === last.run && Math.abs(ptsTicks - last.ticks) <= NEAR_TICKS;
}

const formKey = ({ codec, chroma, bitDepth, interlaced }: VideoFormat): string =>
  `${codec} ${chroma} ${bitDepth} ${interlaced}`;

/**
 * Returns the picture rate. Some encoders declare wrong rates in their parameter sets; then the rate measured from the
 * pictures' times is used.
 */
function trueRate(declared: number | null, measured: number | null): number | null {
  if (declared === null || measured === null) return declared ?? rounded(measured);
  return Math.abs(declared - measured) <= RATE_TOLERANCE * measured ? declared : rounded(measured);
}

const rounded = (rate: number | null): number | null => rate && Math.round(rate * 1000) / 1000;

const copied = (program: Program): Program => ({
  ...program,
  streams: program.streams.map((stream) => ({ ...stream })),
});

/** Merges a later version of the PMT: streams that moved are listed with both PIDs. */
function merged(existing: Program, announced: Program): Program {
  const gone = existing.streams.filter(({ pid }) => !announced.streams.some((stream) => stream.pid === pid));
  const next = copied(announced);
  return { ...next, streams: [...next.streams, ...gone] };
}

/** Returns whether a program contains video or KLV. */
export const isUsable = (program: Program): boolean =>
  program.streams.some((stream) => isVideo(stream) || isKlv(stream));
