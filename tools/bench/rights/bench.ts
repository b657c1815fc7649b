import type pg from 'pg';
import { median } from '../../test-support/statistics.ts';
import { type BenchLine, belowGoal } from '../bench-line.ts';
import { rounded, withBenchServer } from '../bench-server.ts';

const MISSIONS = 100_000;
const WARM_UP = 2;
/** Minimum ratio, which allows 25 % more time: that much is within the noise of the machine. */
const GOAL = 0.8;

/** The trigger function of all items, rewritten for missions only. */
const peer = `
  create function peer_rights_changed() returns trigger language plpgsql as $$
  begin
    if (new.classification, new.audience, new.deleted_time is null, new.state = 'Created')
      is distinct from (old.classification, old.audience, old.deleted_time is null, old.state = 'Created') then
      new.epoch := old.epoch + 1;
      perform pg_notify('osprey_rights', json_build_object('mission', new.id, 'epoch', new.epoch, 'was', json_build_object(
        'label', old.classification, 'audience', old.audience, 'draft', old.state = 'Created',
        'deleted', old.deleted_time is not null))::text);
    elsif new.epoch <> old.epoch then
      perform pg_notify('osprey_rights', json_build_object('mission', new.id, 'epoch', new.epoch)::text);
    end if;
    return new;
  end $$;
  create trigger peer_rights_changed before update on missions for each row execute function peer_rights_changed()`;

type Side = 'item_rights_changed' | 'peer_rights_changed';
type Work = { note: string; rows: number; rounds: number; set: string };

const works: Work[] = [
  { note: 'label of one mission raised', rows: 1, rounds: 200, set: 'classification = 1 + classification % 5' },
  { note: 'labels of 10,000 raised at once', rows: 10_000, rounds: 10, set: 'classification = 1 + classification % 5' },
  { note: 'views of 10,000 counted, no right changed', rows: 10_000, rounds: 10, set: 'views = views + 1' },
];

/** Compares the trigger function shared by all items with one written for missions, alternately on the same rows. */
export const bench = (): Promise<BenchLine[]> =>
  withBenchServer('rights', async ({ client }) => {
    await seedMissions(client);
    await client.query(peer);
    const { rows } = await client.query<{ id: string }>('select id from missions order by creation_time');
    const ids = rows.map(({ id }) => id);
    const lines: BenchLine[] = [];
    for (const work of works) lines.push(await measure(client, ids, work));
    return lines;
  });

async function measure(client: pg.Client, ids: readonly string[], { note, rows, rounds, set }: Work) {
  const ours: number[] = [];
  const theirs: number[] = [];
  const statement = `update missions set ${set} where id = any ($1)`;
  async function timed(side: Side, round: number): Promise<number> {
    const other: Side = side === 'item_rights_changed' ? 'peer_rights_changed' : 'item_rights_changed';
    await client.query(`alter table missions disable trigger ${other}, enable trigger ${side}`);
    // The first statement after replacing the trigger reads the table definition again, so it is not measured.
    await client.query(statement, [ids.slice(-1)]);
    const from = ((round + WARM_UP) * rows) % (MISSIONS - rows);
    const begun = performance.now();
    await client.query(statement, [ids.slice(from, from + rows)]);
    return performance.now() - begun;
  }
  for (let round = -WARM_UP; round < rounds; round += 1) {
    const sides = { item_rights_changed: ours, peer_rights_changed: theirs };
    const inTurn = Object.entries(sides) as [Side, number[]][];
    // Alternate the order, since the second one finds the rows in memory.
    for (const [side, times] of round % 2 === 0 ? inTurn : inTurn.toReversed()) {
      const ms = await timed(side, round);
      if (round >= 0) times.push(ms);
    }
  }
  const ratio = median(ours.map((own, at) => theirs[at]! / own));
  return {
    name: 'rights',
    unit: 'ms',
    ours: rounded(median(ours)),
    peer: rounded(median(theirs)),
    peerName: 'a trigger function written for missions',
    ratio: rounded(ratio),
    note: `${note}, of ${MISSIONS}`,
    failure: belowGoal(ratio, GOAL),
  };
}

async function seedMissions(client: pg.Client): Promise<void> {
  await client.query(
    `insert into missions (name, description, classification, marked, audience, rating, tags, state, platform_name,
      platform_type, platform_color, sort_order, creation_time)
    select 'mission ' || n, 'A flight along the coast', 1 + n % 3, true, 'everyone', 0, array['tag ' || n % 50], 'Ready',
      'KEA-1', 'uav', '#ffffff', 0, n * 1000000::bigint
    from generate_series(1, $1::int) n`,
    [MISSIONS],
  );
  await client.query('vacuum (analyze) missions');
}
