const RECORDING = /\.(?:m?ts|m2ts?|mpe?g|mp4|m4v|mov|mkv|webm)$/i;
const TELEMETRY = /\.(?:srt|csv|gpx|kml|geojson|ulg|bin|tlog)$/i;

const stemOf = (name: string): string => name.replace(/\.[^./]*$/, '').toLowerCase();

/**
 * Groups the files of a folder by path: a recording and telemetry with the same name belong together, since drones
 * write them that way.
 */
export function companions(names: readonly string[]) {
  const recordings = new Map<string, string>();
  const telemetry = new Map<string, string[]>();
  for (const name of names) {
    const stem = stemOf(name);
    if (RECORDING.test(name) && !recordings.has(stem)) recordings.set(stem, name);
    if (TELEMETRY.test(name)) telemetry.set(stem, [...(telemetry.get(stem) ?? []), name]);
  }
  return {
    /** Returns the recording that a telemetry file belongs to by its name; null for any other file. */
    recordingOf: (name: string): string | null =>
      TELEMETRY.test(name) ? (recordings.get(stemOf(name)) ?? null) : null,
    /** Returns the telemetry files that belong to a recording by their names. */
    telemetryOf: (name: string): string[] =>
      recordings.get(stemOf(name)) === name ? (telemetry.get(stemOf(name)) ?? []) : [],
  };
}
