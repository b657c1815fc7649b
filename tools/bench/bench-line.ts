/** One result: our figure and the peer's, measured alternately in the same run with the same data. */
export type BenchLine = {
  name: string;
  unit: string;
  ours: number;
  peer: number;
  peerName: string;
  /** Above 1 if our figure is better. */
  ratio: number;
  /** Time at the larger size divided by time at the smaller; set for benches of growth. */
  growth?: number;
  note: string;
  /** Reason why the bench fails although it has figures. */
  failure?: string | undefined;
};

/** Returns the failure message of a bench whose ratio is below its goal. */
export const belowGoal = (ratio: number, goal: number): string | undefined =>
  ratio < goal ? `a ratio of ${Math.round(ratio * 1000) / 1000}, at least ${goal} is asked for` : undefined;

/** Runs a bench. `options` are the command-line arguments that begin with a hyphen. */
export type Bench = (options: readonly string[]) => Promise<BenchLine[]>;
