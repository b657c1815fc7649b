/** Metrics of the server at one moment, each summed over its labels. */
export type LoadSample = { atMs: number; metrics: ReadonlyMap<string, number> };

/** Parses the Prometheus text format: `name{label="…"} value` on each line. */
export function readMetrics(text: string): Map<string, number> {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const [, name, value] = /^(\w+)(?:\{.*\})? (\S+)/.exec(line) ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) continue;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums;
}

type Point = { atMs: number; value: number | null };
export type Course = readonly Point[];

/** Returns the course of one metric; null for samples without it. */
export const courseOf = (samples: readonly LoadSample[], name: string, factor = 1): Course =>
  samples.map(({ atMs, metrics }) => {
    const value = metrics.get(name);
    return { atMs, value: value === undefined ? null : value * factor };
  });

/** Returns the growth of a counter per second up to each sample; null for the first sample, and after a restart. */
export const rateOf = (samples: readonly LoadSample[], name: string, factor = 1): Course =>
  samples.map(({ atMs, metrics }, index) => {
    const before = samples[index - 1];
    const grown = (metrics.get(name) ?? Number.NaN) - (before?.metrics.get(name) ?? Number.NaN);
    const seconds = (atMs - (before?.atMs ?? atMs)) / 1000;
    return { atMs, value: grown >= 0 && seconds > 0 ? (grown / seconds) * factor : null };
  });
