import { TICKS_PER_SECOND } from '@osprey/mpegts';
import type { Logger } from 'pino';
import type { Storage } from '../../base/storage/storage.ts';
import { getJson, readFileIndex, type StoredSegments } from '../../media/index/file-index.ts';
import type { RecordedFile, RecordedSegment, RecordedSensor, Recording } from '../../recorder-wire/protocol.ts';
import { endedByCrash } from './recorded-file.ts';

/** Completes the files of a recording that a crash or a power cut left open. */
export async function mended(storage: Storage, journal: Recording, log: Logger): Promise<Recording> {
  const sensors: RecordedSensor[] = [];
  for (const sensor of journal.sensors) {
    const files: RecordedFile[] = [];
    for (const file of sensor.files) {
      const ended = file.endedUs === null ? await mendedFile(storage, sensor, file, log) : file;
      if (ended) files.push(ended);
    }
    sensors.push({ ...sensor, files });
  }
  return { ...journal, sensors };
}

/** Repairs one file. If it cannot be read, the other files still continue. */
async function mendedFile(
  storage: Storage,
  sensor: RecordedSensor,
  file: RecordedFile,
  log: Logger,
): Promise<RecordedFile | null> {
  const { sensorId } = sensor;
  try {
    const ended = await endedByCrash(storage, sensor, file);
    log.warn({ sensorId, fileId: file.fileId, sizeBytes: ended?.sizeBytes }, 'ended a file that a crash left open');
    return ended;
  } catch (error) {
    log.error({ error, sensorId, fileId: file.fileId }, 'a file that a crash left open cannot be mended');
    return { ...file, endedUs: file.startedUs, suspect: true };
  }
}

/** Segments of a running recording, read from the indexes of its completed files. */
export async function storedSegments(storage: Storage, { missionId, sensors }: Recording): Promise<RecordedSegment[]> {
  const found: RecordedSegment[] = [];
  for (const { sensorId, files } of sensors) {
    for (const { fileId, startedUs, indexed } of files) {
      const index = indexed ? await readFileIndex(storage, sensorId, fileId) : null;
      if (!index?.segmentsKey) continue;
      const { segments } = await getJson<StoredSegments>(storage, index.segmentsKey);
      let startUs = startedUs;
      let before = -1;
      for (const [n, [offset, sizeBytes, , durationTicks, run]] of segments.entries()) {
        const durationSeconds = durationTicks / TICKS_PER_SECOND;
        const place = { missionId, sensorId, fileId, n, offset, sizeBytes };
        found.push({ ...place, startUs: Math.round(startUs), durationSeconds, discontinuity: run !== before });
        startUs += durationSeconds * 1e6;
        before = run;
      }
    }
  }
  return found;
}
