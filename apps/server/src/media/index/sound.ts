import type { DemuxReport, Program, ProgramStream, StreamKind } from '@osprey/mpegts';

/** Sound that browsers play out of a transport stream, and sound that must be converted to AAC first. */
const PLAYED: readonly StreamKind[] = ['aac', 'mpegAudio'];
const CONVERTED: readonly StreamKind[] = ['ac3', 'eac3', 'aacLatm'];

/** hls.js ends with an error at a map that holds this stream type, in spite of all other streams. */
const EAC3_TYPE = 0x87;

/** The sound that is played of a program: the first that browsers can play, else the first that can be converted. */
export function soundOf({ streams }: Program): ProgramStream | null {
  const first = (kinds: readonly StreamKind[]) => streams.find(({ kind }) => kinds.includes(kind));
  return first(PLAYED) ?? first(CONVERTED) ?? null;
}

export function needsConversion(program: Program): boolean {
  const sound = soundOf(program);
  return sound !== null && CONVERTED.includes(sound.kind);
}

/** The program without streams that players do not know. */
export const forPlayers = (program: Program): Program => ({
  ...program,
  streams: program.streams.filter(({ kind }) => !CONVERTED.includes(kind)),
});

/** The program with this sound alone. */
export const withSound = (program: Program, sound: ProgramStream | null): Program => ({
  ...program,
  streams: program.streams.filter((stream) => stream.pid === sound?.pid || !isSound(stream)),
});

export const stopsPlayers = ({ streams }: Program): boolean =>
  streams.some(({ streamType }) => streamType === EAC3_TYPE);

/** Lists the sounds that browsers can play and that sent packets, with the offset at which each begins. */
export function playedSounds(programs: readonly Program[], { pids }: DemuxReport): { pid: number; offset: number }[] {
  const sounds = programs.flatMap(({ streams }) => streams.filter(({ kind }) => PLAYED.includes(kind)));
  return pids
    .filter(({ pid }) => sounds.some((sound) => sound.pid === pid))
    .map(({ pid, firstOffset }) => ({ pid, offset: firstOffset }));
}

/** PIDs of sound in an unknown coding. */
export function unknownSounds(programs: readonly Program[], { pids }: DemuxReport): number[] {
  const sounds = programs.flatMap(({ streams }) => streams.filter(({ kind }) => kind === 'otherAudio'));
  return pids.map(({ pid }) => pid).filter((pid) => sounds.some((sound) => sound.pid === pid));
}

const isSound = ({ kind }: ProgramStream): boolean =>
  PLAYED.includes(kind) || CONVERTED.includes(kind) || kind === 'otherAudio';
