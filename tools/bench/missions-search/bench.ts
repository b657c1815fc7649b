import { median } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';
import { ADMIN_BASIC, type BenchServer, rounded, timed, withBenchServer } from '../bench-server.ts';
import { seedMissions } from '../brief/seed.ts';
import { treeCpuSeconds } from '../live-fanout/process-cpu.ts';

const MISSIONS = 50_000;
/** Maximum time of a search, as a multiple of the list without a filter. */
const TIMES_MAX = 3;
const ROUNDS = 8;
/** Number of calls between two readings of the processor time, which counts in hundredths of a second. */
const CALLS = 5;

/** Beginnings of a word as a user types it, and words that many, few or no missions contain. */
const searches = ['b', 'be', 'ben', 'bench-4217', 'mission', 'zq', 'x', 'nowhere', 'platform tag7'];

/** Measures typing in the search field of 50,000 missions against the list without a filter, as the page reads both. */
export const bench = (): Promise<BenchLine[]> => withBenchServer('missions-search', measure);

async function measure({ address, client }: BenchServer): Promise<BenchLine[]> {
  const { rows } = await client.query<{ id: string }>(`select id from usergroups where name = 'Demo'`);
  await seedMissions(client, { from: 1, to: MISSIONS, group: rows[0]!.id });
  // Descriptions as users write them, of some 200 characters.
  await client.query(`update missions set description = description || ' ' ||
    (select string_agg(md5(missions.name || n), ' ') from generate_series(1, 6) n)`);
  await client.query('vacuum analyze');
  const ask = (search: string) =>
    timed(`${address}/api/missions/brief?limit=100&count=1&search=${encodeURIComponent(search)}`, {
      headers: { authorization: ADMIN_BASIC },
    });

  const lines: BenchLine[] = [];
  for (const search of searches) {
    const [own, all] = [measured(() => ask(search)), measured(() => ask(''))];
    await ask(search);
    for (let round = 0; round < ROUNDS; round += 1) for (const one of [own, all]) await one.round();
    const note = `"${search}" in ${MISSIONS} missions, 100 rows and their number`;
    lines.push(lineOf(`${note}, CPU of api and PostgreSQL`, 'ms of CPU', own.cpuMs(), all.cpuMs()));
    const { failure: _, ...wall } = lineOf(note, 'ms', own.wallMs(), all.wallMs());
    lines.push(wall);
  }
  return lines;
}

/** Measures some calls at a time. */
function measured(call: () => Promise<number>) {
  const times: number[] = [];
  let cpuSeconds = 0;
  return {
    async round() {
      const before = serverSeconds();
      for (let n = 0; n < CALLS; n += 1) times.push(await call());
      cpuSeconds += serverSeconds() - before;
    },
    cpuMs: () => (1000 * cpuSeconds) / times.length,
    wallMs: () => median(times),
  };
}

function serverSeconds(): number {
  const byRole = treeCpuSeconds(process.pid);
  return (byRole.get('api') ?? 0) + (byRole.get('postgres') ?? 0);
}

function lineOf(note: string, unit: string, ours: number, peer: number): BenchLine {
  return {
    ...{
      name: 'missions-search',
      unit,
      ours: rounded(ours),
      peer: rounded(peer),
      peerName: 'the list without a filter',
    },
    ...{ ratio: rounded(peer / ours), note },
    failure:
      ours > TIMES_MAX * peer ? `${note}: ${rounded(ours / peer)} times the list, at most ${TIMES_MAX}` : undefined,
  };
}
