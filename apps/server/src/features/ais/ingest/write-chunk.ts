import { type Kysely, sql } from 'kysely';
import type { Database } from '../../../base/db/schema.ts';
import { slotsOf, writeBatch } from '../write.ts';
import type { AisIngestDeps } from './dependencies.ts';
import type { targetNotices } from './notices.ts';
import type { Source } from './source.ts';

/** Number of bytes of a file that were read. */
export async function readBytesOf(db: Kysely<Database>, key: string, sourceId: number): Promise<number> {
  const row = await db
    .selectFrom('ais_files')
    .where('key', '=', key)
    .where('source_id', '=', sourceId)
    .select('read_bytes')
    .executeTakeFirst();
  return row?.read_bytes ?? 0;
}

type Sensor = {
  deps: AisIngestDeps;
  sensorId: string;
  /** Half hours whose partitions this process has created. */
  partitions: Set<number>;
  notices: ReturnType<typeof targetNotices>;
};
type Chunk = { key: string; from: number; bytes: number };

/** Writes the rows of a chunk and the new read position of the file in one transaction. */
export async function writeChunk(
  { deps, partitions, sensorId, notices }: Sensor,
  { id, missionId, platformId, batches, range }: Source,
  { key, from, bytes }: Chunk,
): Promise<void> {
  const batch = batches.take();
  const isWritten = await deps.db.transaction().execute(async (tx) => {
    const moved = await sql`insert into ais_files (key, source_id, read_bytes) values (${key}, ${id}, ${from + bytes})
      on conflict (key) do update set read_bytes = excluded.read_bytes where ais_files.read_bytes = ${from}`.execute(
      tx,
    );
    // Another process has taken these bytes.
    if (moved.numAffectedRows === 0n) return false;
    const isMission = missionId !== null;
    await writeBatch(tx, { sourceId: id, isMission, batch, made: partitions, nowUs: deps.nowUs() });
    await range.write(tx, id, batch);
    return true;
  });
  if (!isWritten) throw new Error('Bytes of AIS were taken already');
  if (missionId === null) for (const slot of slotsOf(batch.positions)) partitions.add(slot);
  deps.onBatch(id, batch);
  notices.add({ sensorId, platformId, missionId }, batch.last.size + batch.vessels.size);
}
