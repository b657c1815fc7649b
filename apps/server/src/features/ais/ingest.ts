import { setImmediate as nextInput, setTimeout as wait } from 'node:timers/promises';
import { readAisFileKey } from '../../recorder-wire/ais-files.ts';
import type { AisFile } from '../../recorder-wire/protocol.ts';
import type { AisIngestDeps } from './ingest/dependencies.ts';
import { addFile, closeSensor, forgetPlaces, inOrder, newSensor, type SensorState } from './ingest/sensor.ts';

/**
 * Time within which the recorder's notice of a new file arrives, in milliseconds. The notice is sent before the file is
 * created.
 */
const WORD_MS = 250;

/** State of the ingest, with one entry for each sensor that has had a file. */
type IngestState = {
  sensors: Map<string, SensorState>;
  /** Half hours whose partitions this process has created. */
  partitions: Set<number>;
  closed: boolean;
  /** Files that the recorder names while the files on the disk are being listed; null: no listing runs. */
  named: Map<string, AisFile> | null;
};

/**
 * Converts the AIS files written by the recorder to rows. The read position in a file is stored in the same transaction
 * as its rows, so that sentences received while the database or this process was down become rows exactly once. A file
 * that has ended and been read is removed.
 */
export function aisIngest(deps: AisIngestDeps) {
  const state: IngestState = { sensors: new Map(), partitions: new Set(), closed: false, named: null };
  const unsubscribe = deps.mirror.subscribe({
    onMessage(message) {
      if (message.kind === 'hello') {
        void listFiles(deps, state, message.ais).catch((error) => deps.log.warn({ error }, 'files of AIS'));
      }
      if (message.kind !== 'ais') return;
      if (state.named === null) receiveFile(deps, state, message.file);
      else state.named.set(message.file.key, message.file);
    },
  });
  return {
    /** Call it after ships were deleted: new positions are then not compared with deleted ones. */
    forget(): void {
      for (const sensor of state.sensors.values()) forgetPlaces(sensor);
    },
    async close(): Promise<void> {
      state.closed = true;
      unsubscribe();
      await Promise.all([...state.sensors.values()].map(closeSensor));
    },
  };
}

/**
 * Lists the files on the disk. Files named by the recorder are still growing, including those begun meanwhile; the
 * others have ended.
 */
async function listFiles(deps: AisIngestDeps, state: IngestState, growing: readonly AisFile[]): Promise<void> {
  const all = new Map(growing.map((file) => [file.key, file]));
  state.named = all;
  try {
    const stored: AisFile[] = [];
    for await (const { key, sizeBytes } of deps.storage.list('ais')) stored.push({ key, sizeBytes, ended: true });
    await wait(WORD_MS);
    await nextInput();
    for (const file of stored) if (!all.has(file.key)) all.set(file.key, file);
  } finally {
    // If the list was replaced meanwhile, another recorder has connected and named its files.
    if (state.named === all) {
      state.named = null;
      for (const file of [...all.values()].sort(inOrder)) receiveFile(deps, state, file);
    }
  }
}

function receiveFile(deps: AisIngestDeps, state: IngestState, file: AisFile): void {
  const key = readAisFileKey(file.key);
  if (key === null || state.closed) return;
  const existing = state.sensors.get(key.sensorId);
  const sensor =
    existing ?? newSensor(key.sensorId, deps, { partitions: state.partitions, isClosed: () => state.closed });
  state.sensors.set(key.sensorId, sensor);
  addFile(sensor, file);
}
