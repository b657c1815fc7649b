import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';

/** Knows whose bytes are being read, so that a crash can be put down to the sensor that sent them. */
export type Reading = {
  /** `read`, known to read bytes of this sensor. */
  of<Args extends unknown[]>(sensorId: string, read: (...args: Args) => void): (...args: Args) => void;
  /** The sensor whose bytes were being read when this was thrown; null: none. */
  thrownBy(error: unknown): string | null;
  /** From now on a file names the sensor as well, for crashes that throw nothing: the engine's own, memory that ends. */
  writeMarks(): void;
  stopMarks(): void;
};

/** As long as the id of a sensor, so that each mark covers the one before. */
const NONE = ' '.repeat(36);

/** `markFile` is written only while marks are asked for: a system call around each datagram costs more than its reading. */
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

/** Once: the sensor that a recorder was reading when it ended; null where no mark says so. */
export function takeMark(markFile: string): string | null {
  try {
    return readFileSync(markFile, 'utf8').trim() || null;
  } catch {
    return null;
  } finally {
    rmSync(markFile, { force: true });
  }
}
