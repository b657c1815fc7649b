import type { Kysely } from 'kysely';
import type { Database } from '../../base/db/schema.ts';
import { type Batch, isNewer, type Position } from './batch.ts';

/**
 * Silence after which a station is removed from memory, in microseconds. It is then read from the database on request.
 */
export const LIVE_US = 24 * 3_600_000_000;

type Stations = { places: Map<number, Position>; types: Map<number, number> };

export type AisLiveState = ReturnType<typeof aisLiveState>;

/** Keeps the last state of each station in memory, by source: maps are sent again each second. */
export function aisLiveState({ db, nowUs }: { db: Kysely<Database>; nowUs: () => number }) {
  let sources = new Map<number, Stations>();

  function stationsOf(sourceId: number, all = sources): Stations {
    const existing = all.get(sourceId) ?? { places: new Map(), types: new Map() };
    all.set(sourceId, existing);
    return existing;
  }

  return {
    onBatch(sourceId: number, { last, vessels }: Batch): void {
      const { places, types } = stationsOf(sourceId);
      for (const [mmsi, position] of last) {
        const existing = places.get(mmsi);
        if (existing === undefined || isNewer(position, existing, nowUs())) places.set(mmsi, position);
      }
      for (const [mmsi, { shipType }] of vessels) if (shipType !== null) types.set(mmsi, shipType);
    },

    /** Loads the current rows: at the start, and after ships were deleted. */
    async load(): Promise<void> {
      const fresh = new Map<number, Stations>();
      const since = nowUs() - LIVE_US;
      const rows = await db.selectFrom('ais_last').where('time', '>=', since).selectAll().execute();
      for (const { source_id, message_type, fix_type, ...row } of rows) {
        stationsOf(source_id, fresh).places.set(row.mmsi, { ...row, messageType: message_type, fixType: fix_type });
      }
      const types = await db
        .selectFrom('ais_vessels')
        .where('ship_type', 'is not', null)
        .where('time', '>=', since)
        .select(['source_id', 'mmsi', 'ship_type'])
        .execute();
      for (const { source_id, mmsi, ship_type } of types) stationsOf(source_id, fresh).types.set(mmsi, ship_type ?? 0);
      sources = fresh;
    },

    /** Removes stations from memory that were silent for long. */
    forgetOld(): void {
      const before = nowUs() - LIVE_US;
      for (const [id, { places, types }] of sources) {
        for (const [mmsi, { time }] of places) {
          if (time >= before) continue;
          places.delete(mmsi);
          types.delete(mmsi);
        }
        if (places.size === 0) sources.delete(id);
      }
    },

    of: (sourceId: number): Stations | undefined => sources.get(sourceId),
  };
}
