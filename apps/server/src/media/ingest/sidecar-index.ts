import { randomUUID } from 'node:crypto';
import { AppError } from '@osprey/contract';
import { HIGHEST_TAG } from '@osprey/klv';
import type { Storage } from '../../base/storage/storage.ts';
import { createTelemetryWriter, type TagStatistics, type TelemetryRow } from '../../telemetry/writer.ts';
import { readSidecar, type Sidecar, type SidecarOrder, type SidecarRow } from '../formats/sidecars/sidecar.ts';
import { fileIndexKey, INDEX_VERSION, indexFolder, putJson } from '../index/file-index.ts';
import type { IndexedFile } from '../index/sensor-index.ts';

const TAGS = HIGHEST_TAG + 1;
const TIME_TAG = 2;
/** Number of rows that are sorted together, since sidecars are sorted except for neighbouring rows. */
const SORTED_ROWS = 8192;

/** Index of one telemetry sidecar, made by ingest. */
export type SidecarIndex = {
  version: typeof INDEX_VERSION;
  fileId: string;
  name: string;
  telemetryKey: string;
  /** `utc`: times of the index are UTC; `video`: microseconds from the first picture of the recording. */
  clock: 'utc' | 'video';
  /**
   * True if the sidecar counts from its own start, which is assumed to be the start of the video. Absent in older
   * indexes.
   */
  isStartAssumed?: boolean;
  /**
   * True if the file was read with latitude and longitude exchanged at the request of a user; present only if that has
   * an effect.
   */
  isExchangeAsked?: boolean;
  /** How latitude and longitude were identified; null if the file labels them. Absent in older indexes. */
  order?: SidecarOrder | null;
  firstUs: number;
  lastUs: number;
  records: number;
  /** Number of rows that were too far out of order to be sorted, or belong to a track that overlaps another one. */
  leftOut: number;
  /** Describes unreadable or omitted parts of a flight log; absent for other files. */
  damage?: string | null;
  tags: TagStatistics[];
};

type Options = {
  storage: Storage;
  sensorId: string;
  file: { id: string; name: string; key: string; isExchanged: boolean };
  signal: AbortSignal;
};

/** Reads a sidecar and writes its index, which is valid from then on. @throws AppError badFile */
export async function indexSidecar({ storage, sensorId, file, signal }: Options): Promise<SidecarIndex> {
  const sidecar = await readSidecar({ open: () => storage.read(file.key), isExchanged: file.isExchanged });
  return indexRows({ storage, sensorId, file, sidecar, signal });
}

type Indexing = Omit<Options, 'file'> & { file: Omit<Options['file'], 'key'>; sidecar: Sidecar };

/** Writes the index of opened telemetry. @throws AppError badFile */
export async function indexRows({ storage, sensorId, file, sidecar, signal }: Indexing): Promise<SidecarIndex> {
  const key = fileIndexKey(sensorId, file.id);
  const telemetryKey = `${indexFolder(sensorId)}/${file.id}-${randomUUID().slice(0, 8)}.telemetry`;
  const target = await storage.append(telemetryKey);
  try {
    const pending: Uint8Array[] = [];
    const writer = createTelemetryWriter({ write: (bytes) => pending.push(bytes) });
    const rows = createRows(writer.add);
    for await (const row of sidecar.rows) {
      rows.add(row);
      if (pending.length === 0) continue;
      signal.throwIfAborted();
      for (const bytes of pending.splice(0)) await target.write(bytes);
    }
    const { firstUs, lastUs, leftOut } = rows.finish();
    const { tags } = writer.finish();
    for (const bytes of pending) await target.write(bytes);
    await target.sync();
    if (tags.length === 0)
      throw new AppError('badFile', { reason: 'none of its columns holds a value that can be read' });
    const index: SidecarIndex = {
      version: INDEX_VERSION,
      fileId: file.id,
      name: file.name,
      telemetryKey,
      clock: sidecar.clock,
      isStartAssumed: sidecar.isStartAssumed,
      isExchangeAsked: file.isExchanged,
      order: sidecar.order,
      firstUs,
      lastUs,
      records: writer.records(),
      leftOut,
      damage: sidecar.damage?.() ?? null,
      tags,
    };
    await putJson(storage, key, index);
    return index;
  } catch (error) {
    await storage.remove(telemetryKey);
    throw error;
  } finally {
    await target.close();
  }
}

/** Sorts rows by time, within batches of some thousand. */
function createRows(keep: (row: TelemetryRow) => void) {
  const record: TelemetryRow['record'] = {
    timeUs: null,
    numbers: new Float64Array(TAGS),
    present: new Uint8Array(TAGS),
    texts: new Array<string | null>(TAGS).fill(null),
    nested: [],
  };
  const row: TelemetryRow = { record, bytes: new Uint8Array(), ptsTicks: null, run: 0 };
  let waiting: SidecarRow[] = [];
  let firstUs = Number.POSITIVE_INFINITY;
  let lastUs = Number.NEGATIVE_INFINITY;
  let leftOut = 0;

  function put({ timeUs, values, isCovered }: SidecarRow): void {
    if (isCovered || timeUs < lastUs) {
      leftOut += 1;
      return;
    }
    record.numbers.fill(Number.NaN);
    record.present.fill(0);
    record.texts.fill(null);
    record.timeUs = timeUs;
    record.numbers[TIME_TAG] = timeUs;
    for (const [key, value] of Object.entries(values)) {
      const tag = Number(key);
      if (typeof value === 'number') record.numbers[tag] = value;
      else record.texts[tag] = value;
      record.present[tag] = 1;
    }
    firstUs = Math.min(firstUs, timeUs);
    lastUs = timeUs;
    keep(row);
  }

  function settle(count: number): void {
    waiting.sort((a, b) => a.timeUs - b.timeUs);
    for (const one of waiting.slice(0, count)) put(one);
    waiting = waiting.slice(count);
  }

  return {
    add(one: SidecarRow): void {
      waiting.push(one);
      if (waiting.length === 2 * SORTED_ROWS) settle(SORTED_ROWS);
    },
    finish() {
      settle(waiting.length);
      return { firstUs, lastUs, leftOut };
    },
  };
}

/** A sidecar with the offset that a user added to its times, in microseconds. */
export type TimedSidecar = SidecarIndex & { offsetUs: number };

/** A recording from which a sidecar can get its start time. */
type Recording = { name: string; startUs: number };

/**
 * Converts sidecars to telemetry of their sensor. Those with times relative to the video begin with the first picture
 * of their recording.
 */
export function sidecarFiles(sidecars: readonly TimedSidecar[], recordings: readonly Recording[]): IndexedFile[] {
  let shownUntilUs = Number.NEGATIVE_INFINITY;
  return sidecars
    .flatMap((one) => {
      const startUs = one.clock === 'utc' ? 0 : recordingOf(one, recordings)?.startUs;
      return startUs === undefined ? [] : [{ ...one, shiftUs: startUs + one.offsetUs }];
    })
    .sort((a, b) => a.firstUs + a.shiftUs - (b.firstUs + b.shiftUs))
    .flatMap(({ fileId, telemetryKey, firstUs, lastUs, shiftUs }) => {
      const window: [number, number] = [Math.max(firstUs + shiftUs, shownUntilUs), lastUs + shiftUs];
      if (window[0] > window[1]) return [];
      shownUntilUs = window[1] + 1;
      const timebase = { clock: 'klv', klvUnitUs: 1, runs: [], shiftUs } as const;
      return [{ fileId, telemetryKey, timebase: { ...timebase, runs: [] }, window, video: null, media: null }];
    });
}

/**
 * Finds the recording of a sidecar. A drone splits a long flight, and gives each recording the same name as its
 * subtitles; other files belong to the first recording.
 */
function recordingOf({ name }: SidecarIndex, recordings: readonly Recording[]): Recording | undefined {
  return recordings.find((recording) => stemOf(recording.name) === stemOf(name)) ?? recordings[0];
}

const stemOf = (name: string): string => name.replace(/\.[^.]*$/, '').toLowerCase();
