import { type Kysely, sql } from 'kysely';
import { asSystem } from '../../base/access/as-system.ts';
import type { Database } from '../../base/db/schema.ts';
import { MINUTE_US } from './minutes.ts';
import { nowAndThen } from './now-and-then.ts';

const DAY_US = 86_400_000_000;
const EVERY_MS = 3_600_000;
const FIRST_MS = 60_000;

type Deps = {
  db: Kysely<Database>;
  keepDays: number;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Removes positions older than the configured retention, by whole days, and then stations without a newer position. */
export function aisHousekeeping({ db, keepDays, nowUs, log }: Deps) {
  async function tidy(): Promise<void> {
    const beforeUs = nowUs() - keepDays * DAY_US;
    await sql`select ais_drop_partitions(${beforeUs}::bigint)`.execute(db);
    for (const [table, column] of [
      ['ais_last', 'time'],
      ['ais_vessels', 'time'],
      ['ais_names', 'last_time'],
      ['ais_ranges', 'time'],
    ] as const) {
      await sql`delete from ${sql.table(table)} old using ais_sources source
        where source.id = old.source_id and source.mission_id is null and old.${sql.ref(column)} < ${beforeUs}`.execute(
        db,
      );
    }
    await asSystem(db, 'retention')
      .deleteFrom('ship_lists')
      .where('deleted_time', '<', nowUs() - DAY_US)
      .execute();
    for (const table of ['ais_heard', 'ais_minutes']) {
      await sql`delete from ${sql.table(table)} old using ais_sources source where source.id = old.source_id
        and source.mission_id is null and old.minute < ${Math.floor(beforeUs / MINUTE_US)}`.execute(db);
    }
  }

  const failed = (error: unknown) => log.warn({ error }, 'old positions of ships could not be removed');
  return { tidy, ...nowAndThen({ firstMs: FIRST_MS, everyMs: EVERY_MS, work: tidy, failed }) };
}
