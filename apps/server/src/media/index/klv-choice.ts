import type { KlvSet } from './klv-records.ts';

/**
 * Rank that a packet gives its stream. 4: a complete set of ST 0601 with a position; 3: a position in another standard;
 * 2: a complete set of ST 0601; 1: other telemetry; 0: nothing that can be shown. 5: the program tables assign the
 * stream to the video; 6: a user chose the stream.
 */
export type KlvWorth = 0 | 1 | 2 | 3 | 4 | 5 | 6;
const COMPLETE_SET = 2;
const POSITION = 4;
/** Minimum rank of a packet with a position. */
export const POSITION_WORTH = 3;
const ASSIGNED = 5;
const REQUESTED = 6;

/**
 * Reason for choosing a stream. `user`: a user chose it; `tables`: metadata descriptors name it; `positions`: it
 * contains the most positions; `first`: it was the first.
 */
export type KlvChosenBy = 'user' | 'tables' | 'positions' | 'first';

/** Returns the rule by which a stream of this rank was chosen, unless a user chose it. */
export function chosenByRule(worth: KlvWorth): Exclude<KlvChosenBy, 'user'> {
  if (worth > POSITION) return 'tables';
  return worth >= POSITION_WORTH ? 'positions' : 'first';
}

const LATITUDE = 13;
const LONGITUDE = 14;

/** Returns the rank of a packet of this standard; `found` is null if the packet cannot be read. */
export function worthOfSet(standard: string, found: KlvSet | null): KlvWorth {
  if (found === null || found.checksum === 'bad' || found.record === null) return 0;
  const hasPosition = found.record.present[LATITUDE] === 1 && found.record.present[LONGITUDE] === 1;
  if (standard === 'st0601') return hasPosition ? POSITION : COMPLETE_SET;
  return hasPosition ? POSITION_WORTH : 1;
}

/** Silence, in ticks of 90 kHz, after which a stream of complete sets is abandoned for another such stream. */
const SILENT_TICKS = 10 * 90_000;
/**
 * Number of complete sets that the other stream must have sent meanwhile, since a mere jump of the clock is no silence.
 */
const SILENT_SETS = 5;

/** Chooses the telemetry stream among several KLV streams of one program. */
export type KlvChoice = {
  /**
   * Returns whether a packet of this stream is used; the packet may make its stream the chosen one. `ticks`: time of
   * its arrival on the clock of the program; null if unknown.
   */
  accepts(pid: number, worth: KlvWorth, ticks: number | null): boolean;
  /**
   * Called when the PMT was repeated, listing these KLV streams; if the chosen one is not among them, another is
   * chosen. `assigned`: the stream that metadata descriptors assign to the video.
   */
  listed(pids: readonly number[], assigned?: number | null): void;
  /** Returns true if no other stream can have a higher rank than the chosen one. */
  isCertain(): boolean;
  /** Streams that sent packets and are not chosen. */
  others(): number[];
  /** The currently chosen stream and its rank. */
  chosen(): { pid: number; worth: KlvWorth } | null;
};

/**
 * `lastTicks`: time of its last usable packet; `rivals`: number of complete sets of other streams since then, by PID.
 */
type Chosen = { pid: number; worth: KlvWorth; lastTicks: number | null; rivals: Map<number, number> };

/**
 * The first stream is chosen until another has a higher rank, and stays chosen as long as the PMT lists it and it
 * sends. Streams are not mixed, since two encoders in one program have different clocks, and mixing their sets would
 * make the marker jump back and forth.
 *
 * @param requested PID of the stream that a user chose
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

  /**
   * Returns whether the chosen stream has been silent, or has sent only damaged packets, while this one sent complete
   * sets.
   */
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
        // Clearing even an empty map would allocate a new table for each set of the recording.
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
