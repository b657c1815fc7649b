/** One result: ours and the peer's figure, taken in turn in the same run on the same bytes. */
export type BenchLine = {
  name: string;
  unit: string;
  ours: number;
  peer: number;
  peerName: string;
  /** Above 1: we are better. */
  ratio: number;
  /** Time at the larger size divided by time at the smaller, where the work grows. */
  growth?: number;
  note: string;
  /** Why the bench fails although it has figures. */
  failure?: string | undefined;
};

/** What a bench says whose ratio is below what is asked of it. */
export const belowGoal = (ratio: number, goal: number): string | undefined =>
  ratio < goal ? `a ratio of ${Math.round(ratio * 1000) / 1000}, at least ${goal} is asked for` : undefined;

/** `options` are the words of the command line that begin with a hyphen. */
export type Bench = (options: readonly string[]) => Promise<BenchLine[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle];
  const lower = sorted[middle - 1];
  if (upper === undefined) throw new RangeError('The median of nothing');
  return sorted.length % 2 === 1 || lower === undefined ? upper : (lower + upper) / 2;
}

/** The value under which `share` (0 to 1) of all values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const found = sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)];
  if (found === undefined) throw new RangeError('A percentile of nothing');
  return found;
}
