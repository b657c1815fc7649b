import { type Actor, type AisType, AppError } from '@osprey/contract';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { Db } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { lockMissionIsOnHold } from '../../base/items/mission-hold.ts';
import { removeBlocks, removePacked } from './blocks.ts';
import { lockMinutes, MINUTE_US } from './minutes.ts';
import { isOfType, MISSIONS, ROLLING } from './positions.ts';
import { boundsOf, within } from './read.ts';
import { type AisSource, highestLabel, sourcesFor } from './sources.ts';

export type Deletion = {
  start?: number | undefined;
  end?: number | undefined;
  aisType?: AisType | undefined;
  mission?: string | undefined;
};

/** Deletes ships for an actor: only rows that the actor may read, and those of a mission only if it is named. */
export function aisRemoval(db: Kysely<Database>) {
  async function meant(tx: Db, actor: Actor, mission: string | undefined): Promise<AisSource[]> {
    const sources = await sourcesFor(tx, actor, mission);
    return mission === undefined ? sources.filter(({ missionId }) => missionId === null) : sources;
  }

  const isRequested = (wish: Deletion): RawBuilder<boolean> => sql`${within(wish)} and ${isOfType(wish.aisType)}`;
  const isOf = (sources: readonly AisSource[]): RawBuilder<boolean> =>
    sql`source_id = any (${sources.map(({ id }) => id)}::integer[])`;
  const conditions = (sources: readonly AisSource[], wish: Deletion): RawBuilder<boolean> =>
    sql`${isOf(sources)} and ${isRequested(wish)}`;
  const storeOf = ({ mission }: Deletion) => (mission === undefined ? ROLLING : MISSIONS);

  async function fromBlocks(tx: Db, sources: readonly AisSource[], wish: Deletion): Promise<number> {
    const ids = sources.map(({ id }) => id);
    const { start, end, aisType } = wish;
    const isAll = start === undefined && end === undefined && aisType === undefined;
    if (isAll) return removeBlocks(tx, storeOf(wish), ids);
    return removePacked(tx, storeOf(wish), { ids, bounds: boundsOf(wish), condition: isRequested(wish) });
  }

  /** Refuses the deletion if the mission is on hold. The mission stays locked until the end of the transaction. */
  async function refuseOnHold(tx: Db, mission: string | undefined, sources: readonly AisSource[]): Promise<void> {
    if (mission !== undefined && (await lockMissionIsOnHold(tx, 'authorized change', mission))) {
      throw new AppError('missionHeld', { name: sources[0]?.missionName ?? '' });
    }
  }

  return {
    async span(actor: Actor, wish: Deletion) {
      const sources = await meant(db, actor, wish.mission);
      const table = sql.table(storeOf(wish).view);
      const { rows } = await sql<{ stations: number; positions: number; first: number | null; last: number | null }>`
        select count(distinct mmsi) as stations, count(*) as positions, min(time) as first, max(time) as last
        from ${table} where ${conditions(sources, wish)}`.execute(db);
      return rows[0]!;
    },

    /** Deletes the positions and last states that meet the conditions. */
    async targets(actor: Actor, wish: Deletion) {
      return db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = '5min'`.execute(tx);
        const sources = await meant(tx, actor, wish.mission);
        await refuseOnHold(tx, wish.mission, sources);
        const table = sql.table(storeOf(wish).rows);
        const where = conditions(sources, wish);
        // Packed minutes are deleted here, and packed again later from the positions that are left.
        for (const { id } of sources) await lockMinutes(tx, id);
        const { fromUs, toUs } = boundsOf(wish);
        const [first, last] = [fromUs, toUs].map((us) => Math.floor(us / MINUTE_US));
        await sql`delete from ais_minutes where ${isOf(sources)}
          and minute between ${first}::bigint and ${last}::bigint`.execute(tx);
        const packed = await fromBlocks(tx, sources, wish);
        const deleted = await sql`delete from ${table} where ${where}`.execute(tx);
        await sql`delete from ais_last where ${where}`.execute(tx);
        // Ranges are measured only with ships.
        if (wish.aisType !== 'baseStations') {
          await sql`delete from ais_ranges where ${isOf(sources)} and ${within(wish)}`.execute(tx);
        }
        return { positions: packed + Number(deleted.numAffectedRows ?? 0n), label: highestLabel(sources) };
      });
    },

    async vessels(actor: Actor, wish: Pick<Deletion, 'mission'>) {
      return db.transaction().execute(async (tx) => {
        const sources = await meant(tx, actor, wish.mission);
        await refuseOnHold(tx, wish.mission, sources);
        const ids = sources.map(({ id }) => id);
        if (ids.length === 0) return { vessels: 0, label: highestLabel(sources) };
        const deleted = await tx.deleteFrom('ais_vessels').where('source_id', 'in', ids).executeTakeFirst();
        await tx.deleteFrom('ais_names').where('source_id', 'in', ids).execute();
        return { vessels: Number(deleted.numDeletedRows), label: highestLabel(sources) };
      });
    },
  };
}
