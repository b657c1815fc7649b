import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** Tracks which sensor's bytes are being read, so that a crash can be attributed to that sensor. */
export type Reading = {
  /** Wraps `read`, a function that reads bytes of this sensor. */
  of<Args extends unknown[]>(sensorId: string, read: (...args: Args) => void): (...args: Args) => void;
  /** Returns the sensor whose bytes were being read when this error was thrown; null if there was none. */
  thrownBy(error: unknown): string | null;
  /**
   * From now on also writes the current sensor to a file, for crashes without an exception, such as faults of the
   * JavaScript engine or lack of memory.
   */
  writeMarks(): void;
  stopMarks(): void;
};

/**
 * Written when no sensor is being read; `NONE` is as long as a sensor's id, so that each mark overwrites the previous
 * one completely.
 */
const NONE = ' '.repeat(36);

/**
 * Creates the tracker. `markFile` is written only after `writeMarks`, since a system call for each datagram costs more
 * than reading it.
 */
export function reading(markFile: string): Reading {
  const thrown = new WeakMap<object, string>();
  let depth = 0;
  let file: number | null = null;

  function mark(text: string): void {
    if (file !== null) writeSync(file, text, 0);
  }

  return {
    of:
      (sensorId, read) =>
      (...args) => {
        if (depth === 0) mark(sensorId);
        depth += 1;
        try {
          read(...args);
        } catch (error) {
          if (error instanceof Object && !thrown.has(error)) thrown.set(error, sensorId);
          throw error;
        } finally {
          depth -= 1;
          if (depth === 0) mark(NONE);
        }
      },
    thrownBy: (error) => (error instanceof Object ? (thrown.get(error) ?? null) : null),
    writeMarks() {
      file ??= openSync(markFile, 'w', 0o600);
    },
    stopMarks() {
      if (file !== null) closeSync(file);
      file = null;
    },
  };
}

/**
 * Reads and removes the mark file. Returns the sensor that the recorder was reading when it crashed; null if there is
 * no mark.
 */
export function takeMark(markFile: string): string | null {
  try {
    return readFileSync(markFile, 'utf8').trim() || null;
  } catch {
    return null;
  } finally {
    rmSync(markFile, { force: true });
  }
}
