import { AIS_LAST_HOURS } from '@osprey/contract';
import { type KyselyPlugin, sql } from 'kysely';
import { expect, it } from 'vitest';
import { addAisSource } from '../../../test/ais.ts';
import { addPlatform } from '../../../test/platforms.ts';
import { testServer } from '../../../test/server.ts';
import { actorsById } from '../../base/access/actors.ts';
import { lastBetween } from './last.ts';
import { MINUTE_US, type MinuteShip, packShips } from './minutes.ts';
import { visibleSources } from './sources.ts';

const server = await testServer();
const { db } = server;
const SHIPS = 5000;
const RECEIVERS = 10;
const MINUTES = AIS_LAST_HOURS * 60;
/** Days in the table: the one that is asked for, and as much on either side. */
const DAYS = 3;
const STATEMENT_MS = 5000;
const FIRST = Math.floor(Date.UTC(2026, 0, 1) / 60_000);

const shipOf = (n: number, minute: number): MinuteShip => ({
  ...{ mmsi: 200_000_000 + n, time: minute * MINUTE_US + (n % 60) * 1e6, lat: n * 7000, lon: n * 9000, cog: n % 3600 },
  ...{ sog: n % 300, heading: n % 360, messageType: 1, flags: 1 },
});

/** Each receiver hears a part of the ships in each minute. */
async function packDays(): Promise<void> {
  for (let receiver = 0; receiver < RECEIVERS; receiver += 1) {
    const sourceId = await addAisSource(db, { platformId: await addPlatform(db), missionId: null });
    const own = Array.from({ length: SHIPS / RECEIVERS }, (_, n) => shipOf(receiver * (SHIPS / RECEIVERS) + n, 0));
    const ships = packShips(own, 0);
    for (let day = 0; day < DAYS; day += 1) {
      const from = FIRST + day * MINUTES;
      const minutes = sql`generate_series(${from}::integer, ${from + MINUTES - 1}::integer)`;
      await sql`insert into ais_heard (source_id, minute) select ${sourceId}::integer, ${minutes}`.execute(db);
      for (let at = 0; at < MINUTES; at += 240) {
        const part = sql`generate_series(${from + at}::integer, ${from + at + 239}::integer)`;
        await sql`insert into ais_minutes (source_id, minute, ships)
          select ${sourceId}::integer, ${part}, ${ships}::bytea`.execute(db);
      }
    }
  }
}

/** Milliseconds of each statement, until its rows are there. */
function timing(): { plugin: KyselyPlugin; all: number[] } {
  const begun = new WeakMap<object, number>();
  const all: number[] = [];
  return {
    all,
    plugin: {
      transformQuery({ node, queryId }) {
        begun.set(queryId, performance.now());
        return node;
      },
      async transformResult({ result, queryId }) {
        all.push(performance.now() - begun.get(queryId)!);
        return result;
      },
    },
  };
}

it('finds the last positions of 5,000 ships in 24 hours, each statement well within its time', {
  tags: 'long',
  timeout: 300_000,
}, async () => {
  await packDays();
  const { actor } = (await actorsById(db, [server.userId('SA')])).get(server.userId('SA'))!;
  const sources = await visibleSources(db, actor);
  const [fromUs, toUs] = [(FIRST + MINUTES) * MINUTE_US, (FIRST + 2 * MINUTES) * MINUTE_US - 1];

  // The planner knows less of a table that has just grown.
  for (const analyse of [false, true]) {
    if (analyse) await sql`analyze ais_heard, ais_minutes`.execute(db);
    const { plugin, all } = timing();
    const begun = performance.now();
    const ships = await lastBetween(db.withPlugin(plugin), sources, { fromUs, toUs });
    const took = Math.round(performance.now() - begun);
    const longest = Math.round(Math.max(...all));
    process.stdout.write(
      `ais last of 24 h, ${SHIPS} ships, ${analyse ? 'analysed' : 'as inserted'}: ${all.length} statements, the longest ${longest} ms, all ${took} ms\n`,
    );

    expect(ships).toHaveLength(SHIPS);
    expect(new Set(ships.map(({ time }) => Math.floor(time / MINUTE_US)))).toEqual(new Set([FIRST + 2 * MINUTES - 1]));
    expect(longest).toBeLessThan(STATEMENT_MS / 2);
  }

  const longer = { fromUs: fromUs - 60 * MINUTE_US, toUs };
  await expect(lastBetween(db, sources, longer)).rejects.toMatchObject({
    code: 'aisSpanTooLong',
    message: expect.stringContaining('24 hours at most'),
  });
});
