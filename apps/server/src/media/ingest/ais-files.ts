import type { AisDated } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import type { FileReading } from '../../base/items/tables.ts';
import type { Timebase } from '../../telemetry/timebase.ts';
import { settleMission } from './mission-state.ts';

/** Result of reading the AIS files of a sensor. */
export type ReadAis = {
  /** UTC microseconds of the first and the last position in each file; null if the file has no position with a time. */
  files: {
    id: string;
    span: { startUs: number; endUs: number } | null;
    message: string | null;
    /** Rules by which the sentences were dated. */
    dated: AisDated;
  }[];
};

/** Writes the rows of ships from a sensor's files and streams with AIS, replacing the earlier ones. */
export type ReadAisFiles = (wish: {
  missionId: string;
  sensorId: string;
  files: readonly { id: string; name: string; key: string; times: FileReading['ais'] | null }[];
  /** Transport streams of the sensor with AIS in private data, and how their clocks are converted to UTC. */
  streams: readonly { key: string; timebase: Timebase }[];
  /** If true, keeps the rows of the sensor's files, which were made just before. */
  adds?: boolean;
  signal: AbortSignal;
  progress: (percent: number) => void;
}) => Promise<ReadAis>;

/** Stores the times of the files that were read. */
export async function storeAisFiles(db: Kysely<Database>, { files }: ReadAis): Promise<void> {
  for (const { id, span, message, dated } of files) {
    await asSystem(db, 'ingest')
      .updateTable('files')
      .set({
        ...{ state: 'ready', message, ais_dated: JSON.stringify(dated) },
        ...{ start_time: span?.startUs ?? null, end_time: span?.endUs ?? null },
      })
      .where('id', '=', id)
      .execute();
  }
}

/** Stores a sensor that has only AIS, so that nothing can be played. */
export async function storeAisSensor(
  db: Kysely<Database>,
  { missionId, sensorId, read }: { missionId: string; sensorId: string; read: ReadAis },
): Promise<void> {
  const spans = read.files.flatMap(({ span }) => span ?? []);
  const start = Math.min(...spans.map(({ startUs }) => startUs));
  const end = Math.max(...spans.map(({ endUs }) => endUs));
  await db.transaction().execute(async (tx) => {
    await asSystem(tx, 'ingest')
      .updateTable('sensors')
      .set({
        state: 'Ready',
        start_time: spans.length === 0 ? null : start,
        end_time: spans.length === 0 ? null : end,
        message: read.files.find(({ message }) => message !== null)?.message ?? null,
      })
      .where('id', '=', sensorId)
      .execute();
    await asSystem(tx, 'ingest')
      .updateTable('missions')
      .set({ revision: sql`revision + 1` })
      .where('id', '=', missionId)
      .execute();
    await settleMission(tx, missionId);
  });
}
