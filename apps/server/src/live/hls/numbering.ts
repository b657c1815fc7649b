import { buffer } from 'node:stream/consumers';
import type { Logger } from 'pino';
import { z } from 'zod';
import { NotStored, type Storage } from '../../base/storage/storage.ts';
import type { Rewindable } from './dvr-playlist.ts';

/**
 * State of a sensor's numbering: the last number listed, and the offset of the listed numbers from those of the source.
 */
const lastList = z.object({
  source: z.string(),
  shift: z.int(),
  breaksShift: z.int(),
  lastN: z.int(),
  lastBreaks: z.int(),
});
type LastList = z.output<typeof lastList>;

const stored = lastList.extend({ storedUs: z.int() });

/**
 * State of a sensor's numbers. `storedUs`: time at which it was stored by an earlier process, which may have listed
 * more since; null if it is current.
 */
type Existing = LastList & { storedUs: number | null };

export type NumberingDeps = {
  /** Storage in `live/hls` of the data folder. */
  storage: Pick<Storage, 'read' | 'put'>;
  nowUs: () => number;
  log: Pick<Logger, 'warn'>;
};

export type Numbering = ReturnType<typeof numbering>;

/**
 * Media sequence numbers of the rewindable segments. They only increase for a player that keeps playing while a
 * recording begins or ends: the list then changes its source, and continues after the last number listed. The state is
 * stored for the next process.
 */
export function numbering({ storage, nowUs, log }: NumberingDeps) {
  const sensors = new Map<string, Existing>();
  const loads = new Map<string, Promise<void>>();
  const writes = new Map<string, Promise<void>>();

  async function read(sensorId: string): Promise<void> {
    try {
      const text = String(await buffer(storage.read(keyOf(sensorId))));
      sensors.set(sensorId, stored.parse(JSON.parse(text)));
    } catch (error) {
      if (!(error instanceof NotStored)) log.warn({ sensorId, error }, 'numbers of live video not read');
    }
  }

  async function write(sensorId: string, existing: LastList): Promise<void> {
    const text = JSON.stringify({ ...lastList.parse(existing), storedUs: nowUs() });
    // A failed write on a full disk does not stop viewers: the numbers restart only if this process ends too.
    await storage
      .put(keyOf(sensorId), [Buffer.from(text)])
      .catch((error: unknown) => log.warn({ sensorId, error }, 'numbers of live video not stored'));
  }

  function note(sensorId: string, before: Existing | undefined, now: LastList) {
    sensors.set(sensorId, { ...now, storedUs: null });
    const isStored = before?.source === now.source && before.lastBreaks === now.lastBreaks;
    if (isStored) return;
    const earlier = writes.get(sensorId) ?? Promise.resolve();
    writes.set(
      sensorId,
      earlier.then(() => write(sensorId, now)),
    );
  }

  return {
    /**
     * Loads the numbers that an earlier server process stored for a sensor; await this before building the first
     * playlist.
     */
    load(sensorId: string): Promise<void> {
      const load = loads.get(sensorId) ?? read(sensorId);
      loads.set(sensorId, load);
      return load;
    },

    number(sensorId: string, list: Rewindable): Rewindable {
      const existing = sensors.get(sensorId);
      // No segment has a number yet: the ring has just been cleared, or the recording has just begun.
      if (list.segments.length === 0)
        return existing ? { ...list, firstN: existing.lastN + 1, breaks: existing.lastBreaks } : list;
      const { shift, breaksShift } = shiftsOf(existing, list, nowUs());
      const numbered = { ...list, firstN: list.firstN + shift, breaks: list.breaks + breaksShift };
      const broken = list.segments.slice(1).filter(({ discontinuity }) => discontinuity).length;
      note(sensorId, existing, {
        ...{ source: list.source, shift, breaksShift },
        lastN: Math.max(existing?.lastN ?? -1, numbered.firstN + list.segments.length - 1),
        lastBreaks: Math.max(existing?.lastBreaks ?? -1, numbered.breaks + broken),
      });
      return numbered;
    },

    /**
     * Waits until the numbers of a sensor are stored. Await this before sending a playlist: a player must not see
     * numbers that the server would assign again after a restart.
     */
    kept: (sensorId: string): Promise<void> => writes.get(sensorId) ?? Promise.resolve(),
  };
}

const keyOf = (sensorId: string) => `numbers/${sensorId}.json`;

function shiftsOf(
  existing: Existing | undefined,
  list: Rewindable,
  nowUs: number,
): Pick<LastList, 'shift' | 'breaksShift'> {
  if (existing === undefined) return { shift: 0, breaksShift: 0 };
  if (existing.source === list.source) return existing;
  // Segments last at least two seconds, so a process lists at most one of them per second.
  const unknown = existing.storedUs === null ? 0 : Math.max(0, Math.ceil((nowUs - existing.storedUs) / 1e6));
  return { shift: existing.lastN + 1 + unknown - list.firstN, breaksShift: existing.lastBreaks + 1 - list.breaks };
}
