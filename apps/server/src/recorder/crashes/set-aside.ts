import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { SourceOrder } from '../../recorder-wire/protocol.ts';
import { type Reading, reading, takeMark } from './reading.ts';

/** Time within which a second crash sets the sensor aside, that is, switches it off for a while, in microseconds. */
const WITHIN_US = 60_000_000;
/** Time after which a sensor that was set aside is tried again, in microseconds. */
const SET_ASIDE_US = 600_000_000;
/** Time after which marks stop, in milliseconds, since crashes further apart than this are not counted together. */
const MARKS_MS = WITHIN_US / 1000;

const stored = z.object({
  /**
   * `sensorId` is null for a crash without an exception before marks were written; such a crash counts for every
   * sensor.
   */
  crashes: z.array(z.object({ sensorId: z.string().nullable(), atUs: z.int() })),
  aside: z.array(z.object({ sensorId: z.string(), sinceUs: z.int(), untilUs: z.int() })),
});
export type Aside = z.output<typeof stored>['aside'][number];

export type SetAside = {
  reading: Reading;
  /** Returns the order; if the sensor is set aside, switched off and with the reason. */
  order(requested: SourceOrder): SourceOrder;
  of(sensorId: string): Aside | null;
  /** Returns sensors to service whose time aside has expired. Returns whether there were any. */
  isDue(): boolean;
  /**
   * Ends a sensor's time aside, by command or because its source was switched off. Returns false if it was not set
   * aside.
   */
  retry(sensorId: string): boolean;
  /** Records an error that ends the process or a source; it is on the disk before the function returns. */
  crashed(error: unknown): void;
  close(): void;
};

type Deps = {
  folder: string;
  /** True if the previous recorder crashed, rather than being stopped by a signal from outside. */
  wasCrash: boolean;
  log: Logger;
  nowUs(): number;
};

/**
 * Keeps track of sensors whose bytes crash the recorder or cannot be read. Stored in `crashes.json` across restarts,
 * with times of the system clock. If that clock was set back, entries in the future are dropped.
 */
export function setAside({ folder, wasCrash, log, nowUs }: Deps): SetAside {
  const path = join(folder, 'crashes.json');
  const markFile = join(folder, 'reading');
  const read = reading(markFile);
  const kept = load();
  let timer: NodeJS.Timeout | null = null;

  function load(): z.output<typeof stored> {
    try {
      const { crashes, aside } = stored.parse(JSON.parse(readFileSync(path, 'utf8')));
      return { crashes, aside: aside.filter(({ sinceUs }) => sinceUs <= nowUs()) };
    } catch {
      return { crashes: [], aside: [] };
    }
  }

  function save(): void {
    try {
      writeFileSync(`${path}.tmp`, JSON.stringify(kept), { mode: 0o600 });
      renameSync(`${path}.tmp`, path);
    } catch (error) {
      log.error({ error }, 'crashes of the recorder cannot be kept');
    }
  }

  function count(sensorId: string | null): void {
    const atUs = nowUs();
    const recent = kept.crashes.filter((crash) => crash.atUs <= atUs && atUs - crash.atUs <= WITHIN_US);
    const isSecond =
      sensorId !== null && recent.some((crash) => crash.sensorId === sensorId || crash.sensorId === null);
    if (sensorId !== null && isSecond) {
      kept.aside = kept.aside.filter((each) => each.sensorId !== sensorId);
      kept.aside.push({ sensorId, sinceUs: atUs, untilUs: atUs + SET_ASIDE_US });
      log.error({ sensorId }, 'the sensor is set aside: reading its stream failed twice');
    }
    kept.crashes = isSecond ? recent.filter((crash) => crash.sensorId !== sensorId) : [...recent, { sensorId, atUs }];
    save();
  }

  const marked = takeMark(markFile);
  if (wasCrash) {
    count(marked);
    read.writeMarks();
    timer = setTimeout(read.stopMarks, MARKS_MS);
    timer.unref();
  }

  const of = (sensorId: string): Aside | null => kept.aside.find((each) => each.sensorId === sensorId) ?? null;

  function retry(sensorId: string): boolean {
    if (of(sensorId) === null) return false;
    kept.aside = kept.aside.filter((each) => each.sensorId !== sensorId);
    save();
    return true;
  }

  return {
    reading: read,
    of,
    retry,
    order(requested) {
      if (!requested.on) retry(requested.sensorId);
      const aside = of(requested.sensorId);
      return aside === null ? requested : { ...requested, on: false, refused: reasonOf(aside) };
    },
    isDue() {
      const due = kept.aside.filter(({ untilUs }) => untilUs <= nowUs());
      for (const { sensorId } of due) retry(sensorId);
      return due.length > 0;
    },
    crashed(error) {
      const sensorId = read.thrownBy(error);
      if (sensorId !== null) count(sensorId);
    },
    close() {
      if (timer !== null) clearTimeout(timer);
      read.stopMarks();
    },
  };
}

function reasonOf({ untilUs }: Aside): string {
  const until = new Date(untilUs / 1000).toISOString().slice(11, 16);
  return `Set aside until ${until} Z, because reading this stream failed twice within a minute; try it again by hand once the sender is mended`;
}
