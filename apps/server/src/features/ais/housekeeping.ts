import { type Kysely, sql } from 'kysely';
import type { Database } from '../../base/db/schema.ts';

const MINUTE_US = 60_000_000;
const DAY_US = 86_400_000_000;
const EVERY_MS = 3_600_000;
const FIRST_MS = 60_000;

type Deps = {
  db: Kysely<Database>;
  keepDays: number;
  nowUs: () => number;
  log: { warn: (fields: object, text: string) => void };
};

/** Removes what is older than the installation keeps it: days of positions whole, then the stations nobody heard since. */
export function aisHousekeeping({ db, keepDays, nowUs, log }: Deps) {
  let working = Promise.resolve();
  const work = () => {
    working = tidy().catch((error) => log.warn({ error }, 'old positions of ships could not be removed'));
  };
  const first = setTimeout(work, FIRST_MS);
  const timer = setInterval(work, EVERY_MS);
  first.unref();
  timer.unref();

  async function tidy(): Promise<void> {
    const beforeUs = nowUs() - keepDays * DAY_US;
    await sql`select ais_drop_partitions(${beforeUs}::bigint)`.execute(db);
    for (const [table, column] of [
      ['ais_last', 'time'],
      ['ais_vessels', 'time'],
      ['ais_names', 'last_time'],
    ] as const) {
      await sql`delete from ${sql.table(table)} old using ais_sources source
        where source.id = old.source_id and source.mission_id is null and old.${sql.ref(column)} < ${beforeUs}`.execute(
        db,
      );
    }
    await sql`delete from ais_heard old using ais_sources source where source.id = old.source_id
      and source.mission_id is null and old.minute < ${Math.floor(beforeUs / MINUTE_US)}`.execute(db);
  }

  return {
    tidy,
    async close(): Promise<void> {
      clearTimeout(first);
      clearInterval(timer);
      await working;
    },
  };
}
