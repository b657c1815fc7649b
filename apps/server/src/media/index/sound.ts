import type { DemuxReport, Program, ProgramStream, StreamKind } from '@osprey/mpegts';

/** Audio that browsers can play from a transport stream, and audio that must be converted to AAC first. */
const PLAYED: readonly StreamKind[] = ['aac', 'mpegAudio'];
const CONVERTED: readonly StreamKind[] = ['ac3', 'eac3', 'aacLatm'];

/** A PMT that contains this stream type makes hls.js fail, even if the other streams could be played. */
const EAC3_TYPE = 0x87;

/**
 * Returns the audio to play of a program: the first stream that browsers can play, or else the first that can be
 * converted.
 */
export function soundOf({ streams }: Program): ProgramStream | null {
  const first = (kinds: readonly StreamKind[]) => streams.find(({ kind }) => kinds.includes(kind));
  return first(PLAYED) ?? first(CONVERTED) ?? null;
}

export function needsConversion(program: Program): boolean {
  const sound = soundOf(program);
  return sound !== null && CONVERTED.includes(sound.kind);
}

/** Returns the program without the streams that players do not support. */
export const forPlayers = (program: Program): Program => ({
  ...program,
  streams: program.streams.filter(({ kind }) => !CONVERTED.includes(kind)),
});

/** Returns the program with only this audio stream. */
export const withSound = (program: Program, sound: ProgramStream | null): Program => ({
  ...program,
  streams: program.streams.filter((stream) => stream.pid === sound?.pid || !isSound(stream)),
});

export const stopsPlayers = ({ streams }: Program): boolean =>
  streams.some(({ streamType }) => streamType === EAC3_TYPE);

/** Lists the audio streams that browsers can play and that contain packets, with the offset at which each begins. */
export function playedSounds(programs: readonly Program[], { pids }: DemuxReport): { pid: number; offset: number }[] {
  const sounds = programs.flatMap(({ streams }) => streams.filter(({ kind }) => PLAYED.includes(kind)));
  return pids
    .filter(({ pid }) => sounds.some((sound) => sound.pid === pid))
    .map(({ pid, firstOffset }) => ({ pid, offset: firstOffset }));
}

/** Returns the PIDs of audio with an unknown codec. */
export function unknownSounds(programs: readonly Program[], { pids }: DemuxReport): number[] {
  const sounds = programs.flatMap(({ streams }) => streams.filter(({ kind }) => kind === 'otherAudio'));
  return pids.map(({ pid }) => pid).filter((pid) => sounds.some((sound) => sound.pid === pid));
}

const isSound = ({ kind }: ProgramStream): boolean =>
  PLAYED.includes(kind) || CONVERTED.includes(kind) || kind === 'otherAudio';
