import { apiOf } from '../../test-support/data/api.ts';
import { median, percentile } from '../../test-support/statistics.ts';
import type { BenchLine } from '../bench-line.ts';
import { ADMIN_BASIC, BENCH_PASSWORD, type BenchServer, rounded, timed, withBenchServer } from '../bench-server.ts';
import { panningLine } from './panning.ts';

const ANNOTATIONS = 200;
const VERTICES = 1000;
const WARM_UP = 20;
const ROUNDS = 120;
const READ_MAX_MS = 100;
const READ_MAX_BYTES = 300_000;
const ACCOUNT = { username: 'admin', password: BENCH_PASSWORD };

const AROUND = 'All coasts';
const line = (title: string, coordinates: readonly (readonly number[])[]) => ({
  title,
  annotationType: 'GeoJson',
  securityClassification: 'UNCLASSIFIED',
  audience: 'everyone',
  type: 'FeatureCollection',
  features: [{ type: 'Feature', properties: { stroke: '#F2C14E' }, geometry: { type: 'LineString', coordinates } }],
});

/** Returns a coastline of 1,000 vertices; several are placed side by side over the Aegean. */
const coast = (at: number) =>
  line(
    `Coast ${at}`,
    Array.from({ length: VERTICES }, (_, step) => [
      22 + (at % 20) / 5 + step / 6000,
      35 + Math.floor(at / 20) / 3 + Math.sin(step / 30) / 12 + Math.sin(step * 1.7) / 200,
    ]),
  );

/**
 * Measures 200 annotations with 200,000 vertices in total: reading a bounding box at several zooms, and panning a map.
 */
export const bench = (): Promise<BenchLine[]> => withBenchServer('annotations', measure);

async function measure({ address }: BenchServer): Promise<BenchLine[]> {
  const api = apiOf(address, ACCOUNT);
  const ids: string[] = [];
  for (let at = 0; at < ANNOTATIONS; at += 1) {
    ids.push((await api.send<{ _id: string }>('POST', 'annotations', coast(at)))._id);
  }
  const reads: BenchLine[] = [];
  for (const [what, query] of [
    ['all of them', 'bbox=20,33,28,40&zoom=6'],
    ['all of them, too close for their number', 'bbox=20,33,28,40&zoom=14'],
    ['some of them', 'bbox=23,36,23.5,36.4&zoom=11'],
  ] as const) {
    reads.push(await readLine(`${address}/api/annotations?${query}`, what));
  }
  const corners = [
    [22, 35],
    [26, 38.2],
  ];
  await api.send('POST', 'annotations', line(AROUND, corners));
  // The missions page draws its map only if there is a mission.
  await api.addMission({ name: 'Panned', audience: 'everyone' });
  const vertices = ANNOTATIONS * VERTICES;
  return [...reads, await panningLine(address, ACCOUNT, { ids, around: AROUND, vertices })];
}

async function readLine(url: string, what: string): Promise<BenchLine> {
  const headers = { authorization: ADMIN_BASIC };
  const bytes = (await (await fetch(url, { headers })).arrayBuffer()).byteLength;
  const all: number[] = [];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const ms = await timed(url, { headers });
    if (round >= 0) all.push(ms);
  }
  const p95 = percentile(all, 0.95);
  const failures = [
    ...(p95 > READ_MAX_MS ? [`${rounded(p95)} ms, at most ${READ_MAX_MS}`] : []),
    ...(bytes > READ_MAX_BYTES ? [`${bytes} bytes, at most ${READ_MAX_BYTES}`] : []),
  ];
  return {
    name: 'annotations',
    unit: 'ms p95',
    ours: rounded(p95),
    peer: READ_MAX_MS,
    peerName: 'longest read allowed',
    ratio: rounded(READ_MAX_MS / p95),
    note: `box of ${what}: ${bytes} bytes, median ${rounded(median(all))} ms`,
    failure: failures.length > 0 ? failures.join(', ') : undefined,
  };
}
