/** One result: our figure and the peer's, measured in turn in the same run on the same bytes. */
export type BenchLine = {
  name: string;
  unit: string;
  ours: number;
  peer: number;
  peerName: string;
  /** Above 1: we are better. */
  ratio: number;
  /** Time at the larger size divided by time at the smaller; set for benches of growth. */
  growth?: number;
  note: string;
  /** Why the bench fails although it has figures. */
  failure?: string | undefined;
};

/** Failure text of a bench whose ratio is below its goal. */
export const belowGoal = (ratio: number, goal: number): string | undefined =>
  ratio < goal ? `a ratio of ${Math.round(ratio * 1000) / 1000}, at least ${goal} is asked for` : undefined;

/** `options` are the words of the command line that begin with a hyphen. */
export type Bench = (options: readonly string[]) => Promise<BenchLine[]>;
