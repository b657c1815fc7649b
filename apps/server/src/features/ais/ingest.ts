import { setImmediate as nextInput, setTimeout as wait } from 'node:timers/promises';
import { readAisFileKey } from '../../recorder-wire/ais-files.ts';
import type { AisFile } from '../../recorder-wire/protocol.ts';
import type { AisIngestDeps } from './ingest/dependencies.ts';
import { addFile, closeSensor, forgetPlaces, inOrder, newSensor, type SensorState } from './ingest/sensor.ts';

/** Milliseconds within which the recorder's notice of a new file arrives; it is sent before the file is made. */
const WORD_MS = 250;

/** State of the intake: one entry for each sensor of which a file was seen. */
type IngestState = {
  sensors: Map<string, SensorState>;
  /** Half hours whose partition was made by this process. */
  partitions: Set<number>;
  closed: boolean;
  /** Files that the recorder names while the files on the disk are being listed; null: no listing runs. */
  named: Map<string, AisFile> | null;
};

/**
 * Turns the AIS files that the recorder writes into rows. The read position of a file is stored in one transaction with
 * its rows: sentences received while the database or this process was down become rows exactly once. A file that has
 * ended is removed.
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
 * Lists the files on the disk: those that the recorder names are growing, also ones begun meanwhile; the others have
 * ended.
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
    // A different list means that a recorder connected meanwhile and has named its files.
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
