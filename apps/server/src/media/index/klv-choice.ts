import type { KlvSet } from './klv-records.ts';

/**
 * Rank that a packet gives to its stream: 4, a whole set of ST 0601 that holds a position; 3, a position in another
 * standard; 2, a whole set of ST 0601; 1, other telemetry; 0, nothing that can be shown. 5: the tables assign this
 * stream to the video; 6: a user chose it.
 */
export type KlvWorth = 0 | 1 | 2 | 3 | 4 | 5 | 6;
const COMPLETE_SET = 2;
const POSITION = 4;
/** Lowest rank of a packet with a position. */
export const POSITION_WORTH = 3;
const ASSIGNED = 5;
const REQUESTED = 6;

/** `user`: a user chose it; `tables`: by metadata descriptors; `positions`: it holds most; `first`: it came first. */
export type KlvChosenBy = 'user' | 'tables' | 'positions' | 'first';

/** Rule that chose a stream of this rank, unless a user chose it. */
export function chosenByRule(worth: KlvWorth): Exclude<KlvChosenBy, 'user'> {
  if (worth > POSITION) return 'tables';
  return worth >= POSITION_WORTH ? 'positions' : 'first';
}

const LATITUDE = 13;
const LONGITUDE = 14;

/** Rank of a packet of this standard; `found` is null if it cannot be read. */
export function worthOfSet(standard: string, found: KlvSet | null): KlvWorth {
  if (found === null || found.checksum === 'bad' || found.record === null) return 0;
  const hasPosition = found.record.present[LATITUDE] === 1 && found.record.present[LONGITUDE] === 1;
  if (standard === 'st0601') return hasPosition ? POSITION : COMPLETE_SET;
  return hasPosition ? POSITION_WORTH : 1;
}

/** A stream of whole sets that says nothing for so long, in ticks of 90 kHz, is left for another such stream. */
const SILENT_TICKS = 10 * 90_000;
/** Whole sets that the other must have sent meanwhile: a clock that jumps is no silence. */
const SILENT_SETS = 5;

/** Chooses which of several KLV streams of one program is the telemetry. */
export type KlvChoice = {
  /**
   * Whether a packet of this stream is taken; it may make its stream the chosen one. `ticks`: when it came by the clock
   * of the program, null where that is not known.
   */
  accepts(pid: number, worth: KlvWorth, ticks: number | null): boolean;
  /**
   * The map came again, with these KLV streams: where the chosen one is not among them another follows. `assigned`: the
   * one that metadata descriptors assign to the video.
   */
  listed(pids: readonly number[], assigned?: number | null): void;
  /** The chosen one has shown that none can be worth more. */
  isCertain(): boolean;
  /** Streams that sent packets, and were not chosen since. */
  others(): number[];
  /** The stream that is chosen now, and what speaks for it. */
  chosen(): { pid: number; worth: KlvWorth } | null;
};

/** `lastTicks`: when it said something last; `rivals`: whole sets of others since then, by PID. */
type Chosen = { pid: number; worth: KlvWorth; lastTicks: number | null; rivals: Map<number, number> };

/**
 * The first stream is taken until another has a higher rank, and stays as long as the map names it and it sends. Two
 * encoders in one program have clocks of their own: their sets in one series would make the marker jump to and fro.
 *
 * @param wanted PID of the stream that a user chose
 */
export function createKlvChoice(requested: number | null = null): KlvChoice {
  let chosen: Chosen | null = null;
  const others = new Set<number>();
  let assigned: number | null = null;
  let best: KlvWorth = POSITION;

  function worthFor(pid: number, worth: KlvWorth): KlvWorth {
    if (pid === requested && worth > 0) return REQUESTED;
    return pid === assigned && worth >= COMPLETE_SET ? ASSIGNED : worth;
  }

  function choose(pid: number, worth: KlvWorth): Chosen {
    others.delete(pid);
    return { pid, worth, lastTicks: null, rivals: new Map() };
  }

  /** Whether the chosen one has been silent, with damaged packets at the most, while this one sent whole sets. */
  function isLeftFor(pid: number, { lastTicks, rivals }: Chosen, ticks: number | null): boolean {
    const sets = (rivals.get(pid) ?? 0) + 1;
    rivals.set(pid, sets);
    return sets >= SILENT_SETS && lastTicks !== null && ticks !== null && ticks - lastTicks > SILENT_TICKS;
  }

  return {
    accepts(pid, shown, ticks) {
      const worth = worthFor(pid, shown);
      if (chosen === null || (chosen.pid !== pid && worth > chosen.worth)) chosen = choose(pid, worth);
      else if (chosen.pid !== pid && worth >= Math.max(COMPLETE_SET, chosen.worth) && isLeftFor(pid, chosen, ticks))
        chosen = choose(pid, worth);
      if (chosen.pid !== pid) {
        others.add(pid);
        return false;
      }
      if (worth > chosen.worth) chosen.worth = worth;
      if (worth > 0) {
        chosen.lastTicks = ticks ?? chosen.lastTicks;
        // An empty one would make a new table of itself, for each set of the recording.
        if (chosen.rivals.size > 0) chosen.rivals.clear();
      }
      return true;
    },
    listed(pids, isAssigned = null) {
      assigned = isAssigned;
      best = assigned === null ? POSITION : ASSIGNED;
      if (requested !== null && pids.includes(requested)) best = REQUESTED;
      if (chosen !== null && !pids.includes(chosen.pid)) chosen = null;
    },
    isCertain: () => chosen !== null && chosen.worth >= best,
    chosen: () => chosen && { pid: chosen.pid, worth: chosen.worth },
    others: () => [...others],
  };
}
