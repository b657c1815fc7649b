import type { DocumentRow } from '@osprey/contract';
import { sql } from 'kysely';
import { asSystem, type Db } from '../access/as-system.ts';
import { type MissionFacts, missionFacts } from './mission-facts.ts';

/** Origin of a snapshot's picture; null for any other document. */
export const pictureOfSnapshot = sql<DocumentRow['snapshot']>`(
  select picture from snapshots where snapshots.document_id = documents.id)`;

/** UTC of the frame that a snapshot shows; null for any other document. */
export const timeOfSnapshot = sql<number | null>`(
  select taken_time from snapshots where snapshots.document_id = documents.id)`;

/** Selects the size of a snapshot's second picture, which includes overlays; null if there is none. */
export const overlaysOfSnapshot = sql<number | null>`(
  select overlays_bytes from snapshots where snapshots.document_id = documents.id)`;
export const overlaysHash = sql<string | null>`(
  select overlays_sha256 from snapshots where snapshots.document_id = documents.id)`;

/** Telemetry of the frame that a snapshot shows, by tag of ST 0601; null if there is none. */
export const telemetryOfSnapshot = sql<Record<string, unknown> | null>`(
  select telemetry->'values' from snapshots where snapshots.document_id = documents.id)`;

/** The mission that a snapshot shows a frame of, in the bin or not; null for any other document. */
export async function missionOfSnapshot(tx: Db, documentId: string): Promise<MissionFacts | null> {
  const row = await asSystem(tx, 'authorized change')
    .selectFrom('snapshots')
    .select('mission_id')
    .where('document_id', '=', documentId)
    .executeTakeFirst();
  return row?.mission_id ? missionFacts(tx, row.mission_id, 'authorized change') : null;
}
