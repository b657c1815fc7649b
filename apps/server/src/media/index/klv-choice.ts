/**
 * What a packet says for its stream: 2, a whole set of ST 0601; 1, other telemetry; 0, nothing that can be shown.
 */
export type KlvWorth = 0 | 1 | 2;
const BEST: KlvWorth = 2;

/** A stream of whole sets that says nothing for so long, in ticks of 90 kHz, is left for another such stream. */
const SILENT_TICKS = 10 * 90_000;
/** Whole sets that the other must have sent meanwhile: a clock that jumps is no silence. */
const SILENT_SETS = 5;

/** Tells which of several KLV streams of one program is the telemetry. */
export type KlvChoice = {
  /**
   * Whether a packet of this stream is taken; it may make its stream the chosen one. `ticks`: when it came by the clock
   * of the program, null where that is not known.
   */
  takes(pid: number, worth: KlvWorth, ticks: number | null): boolean;
  /** The map came anew, with these KLV streams: where the chosen one is not among them another follows. */
  listed(pids: readonly number[]): void;
  /** The chosen one has shown that none can be worth more. */
  isCertain(): boolean;
  /** Streams that sent packets, and were not chosen since. */
  others(): number[];
};

/** `lastTicks`: when it said something last; `rivals`: whole sets of others since then, by PID. */
type Chosen = { pid: number; worth: KlvWorth; lastTicks: number | null; rivals: Map<number, number> };

/**
 * The first stream is taken until another shows that it is worth more, and stays as long as the map names it and it says
 * something. Two encoders in one program have clocks of their own: their sets in one series would make the marker jump
 * to and fro.
 */
export function createKlvChoice(): KlvChoice {
  let chosen: Chosen | null = null;
  const others = new Set<number>();

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
    takes(pid, worth, ticks) {
      if (chosen === null || (chosen.pid !== pid && worth > chosen.worth)) chosen = choose(pid, worth);
      else if (chosen.pid !== pid && worth === BEST && isLeftFor(pid, chosen, ticks)) chosen = choose(pid, worth);
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
    listed(pids) {
      if (chosen !== null && !pids.includes(chosen.pid)) chosen = null;
    },
    isCertain: () => chosen?.worth === BEST,
    others: () => [...others],
  };
}
