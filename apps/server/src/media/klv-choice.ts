/**
 * What a packet says for its stream: 2, a whole set of ST 0601; 1, other telemetry; 0, nothing that can be shown.
 */
export type KlvWorth = 0 | 1 | 2;

/** Tells which of several KLV streams of one program is the telemetry. */
export type KlvChoice = {
  /** Whether a packet of this stream is taken; it may make its stream the chosen one. */
  takes(pid: number, worth: KlvWorth): boolean;
  /** The map came anew, with these KLV streams: where the chosen one is not among them another follows. */
  listed(pids: readonly number[]): void;
  /** The chosen one has shown that none can be worth more. */
  isCertain(): boolean;
  /** Streams that sent packets and were never chosen. */
  others(): number[];
};

/**
 * The first stream is taken until another shows that it is worth more, and stays as long as the map names it. Two
 * encoders in one program have clocks of their own: their sets in one series would make the marker jump to and fro.
 */
export function createKlvChoice(): KlvChoice {
  let chosen: { pid: number; worth: KlvWorth } | null = null;
  const others = new Set<number>();

  return {
    takes(pid, worth) {
      if (chosen === null || (chosen.pid !== pid && worth > chosen.worth)) {
        chosen = { pid, worth };
        others.delete(pid);
      }
      if (chosen.pid !== pid) {
        others.add(pid);
        return false;
      }
      if (worth > chosen.worth) chosen.worth = worth;
      return true;
    },
    listed(pids) {
      if (chosen !== null && !pids.includes(chosen.pid)) chosen = null;
    },
    isCertain: () => chosen?.worth === 2,
    others: () => [...others],
  };
}
