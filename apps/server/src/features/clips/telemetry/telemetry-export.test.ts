import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Mission, type TelemetryPage, telemetryFormats } from '@osprey/contract';
import { encodeSt0601 } from '@osprey/klv';
import { simulateToFile } from '@osprey/simulator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flightBytes } from '../../../../test/flight.ts';
import { recordingServer } from '../../../../test/recordings.ts';
import type { Subject } from '../../../../test/server.ts';
import { readSidecar } from '../../../media/formats/sidecars/sidecar.ts';

const server = await recordingServer({ jobs: ['ingest'] });
const { db, groups } = server;
const folder = await mkdtemp(join(tmpdir(), 'osprey-telemetry-export-test-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const START = Date.UTC(2026, 5, 1, 9) * 1000;
let mission: Mission;
let sensor: string;
/** Answer of GET telemetry for the same span. */
let page: TelemetryPage;

beforeAll(async () => {
  const files = [];
  for (const [name, startUs] of [
    ['first', START],
    ['second', START + 30e6],
  ] as const) {
    const path = join(folder, `${name}.ts`);
    await simulateToFile({ seconds: 10, width: 320, height: 180, seed: 5, startUs, mission: '=cmd()' }, path);
    files.push({ path });
  }
  const sharing = { securityClassification: 'RESTRICTED', audience: 'groups' as const, usergroups: [groups.G1!] };
  ({ mission } = await server.record({ name: 'Kea', ...sharing }, files));
  sensor = mission.sensors[0]!._id;
  ({ body: page } = await server.ask('U1').get<TelemetryPage>(`/api/sensors/telemetry/${mission._id}/${sensor}`));
}, 120_000);

const ask = (who: Subject, query: string) =>
  server.ask(who).get(`/api/sensors/exportTelemetry/${mission._id}/${sensor}?${query}`);

const expected = () =>
  page.time.map((timeUs, i) => ({ timeUs, lat: Number(page.tags[13]![i]), lon: Number(page.tags[14]![i]) }));

async function rowsOf(raw: Buffer) {
  const sidecar = await readSidecar({
    open: async function* () {
      yield raw;
    },
  });
  const rows = [];
  for await (const { timeUs, values } of sidecar.rows)
    rows.push({ timeUs, lat: Number(values[13]), lon: Number(values[14]) });
  return { ...sidecar, found: rows.sort((a, b) => a.timeUs - b.timeUs) };
}

function expectSame(found: { timeUs: number; lat: number; lon: number }[], zeroUs = 0) {
  const requested = expected();
  expect(found).toHaveLength(requested.length);
  for (const [i, { timeUs, lat, lon }] of found.entries()) {
    expect(Math.abs(timeUs + zeroUs - requested[i]!.timeUs)).toBeLessThanOrEqual(1000);
    expect(Math.abs(lat - requested[i]!.lat)).toBeLessThan(1e-7);
    expect(Math.abs(lon - requested[i]!.lon)).toBeLessThan(1e-7);
  }
}

/** Other programs that read these formats; without them their tests say so and are left out. */
const has = (program: string) => spawnSync(program, ['--version']).error === undefined;

describe('other readers', () => {
  async function saved(format: string): Promise<string> {
    const path = join(folder, `peer.${format}`);
    await writeFile(path, (await ask('U1', `format=${format}`)).raw);
    return path;
  }

  it.skipIf(!has('gpsbabel'))(
    'gpsbabel reads every point of the GPX with its time (skipped without gpsbabel)',
    async () => {
      const out = join(folder, 'gpsbabel.csv');
      execFileSync('gpsbabel', ['-t', '-i', 'gpx', '-f', await saved('gpx'), '-o', 'unicsv,utc=0', '-F', out]);

      const [head, ...lines] = (await readFile(out, 'utf8')).trim().split(/\r?\n/);
      const columns = head!.split(',');
      const requested = expected();
      expect(lines).toHaveLength(requested.length);
      for (const [i, line] of lines.entries()) {
        const cells = line.split(',');
        const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
        expect(Math.abs(Number(cell('Latitude')) - requested[i]!.lat)).toBeLessThan(1e-6);
        expect(Math.abs(Number(cell('Longitude')) - requested[i]!.lon)).toBeLessThan(1e-6);
        const iso = `${cell('Date').replaceAll('/', '-')}T${cell('Time')}Z`;
        expect(Math.abs(Date.parse(iso) * 1000 - requested[i]!.timeUs)).toBeLessThanOrEqual(1000);
      }
    },
  );

  it.skipIf(!has('ogrinfo'))(
    'ogrinfo counts the features and finds their time (skipped without gdal-bin)',
    async () => {
      const info = execFileSync('ogrinfo', ['-so', '-al', await saved('geojson')]).toString();

      const all = JSON.parse((await ask('U1', 'format=geojson')).raw.toString()).features;
      expect(info).toContain(`Feature Count: ${all.length}`);
      expect(info).toMatch(/^time: DateTime/m);
      const [west = 0, south = 0] = /Extent: \(([-\d.]+), ([-\d.]+)\)/.exec(info)!.slice(1).map(Number);
      expect(west).toBeLessThanOrEqual(Math.min(...expected().map(({ lon }) => lon)));
      expect(south).toBeLessThanOrEqual(Math.min(...expected().map(({ lat }) => lat)));
      const kml = execFileSync('ogrinfo', ['-so', '-al', await saved('kml')]).toString();
      expect(kml).toContain('Geometry:');
    },
  );
});

describe('GET sensors/exportTelemetry', () => {
  it.each(['geojson', 'kml', 'gpx'] as const)(
    '%s keeps times to the millisecond and places to 1e-7',
    async (format) => {
      const { status, raw, headers } = await ask('U1', `format=${format}`);

      expect(status).toBe(200);
      expect(headers['content-disposition']).toMatch(new RegExp(`osprey_RESTRICTED_Kea_EO-IR_.*\\.${format}"`));
      expect(raw.toString().slice(0, 600)).toContain('RESTRICTED');
      expectSame((await rowsOf(raw)).found);
    },
  );

  it('srt counts from the first picture of the clip of its span', async () => {
    const { raw } = await ask('U1', 'format=srt');

    const { clock, found } = await rowsOf(raw);
    expect(clock).toBe('video');
    expectSame(found, mission.startTime!);
  });

  it('csv has all tags with their units, and no cell that a spreadsheet would run', async () => {
    const { raw, headers } = await ask('U1', 'format=csv');

    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    const [label, head, ...lines] = raw.toString().trimEnd().split('\r\n');
    expect(label).toBe('\ufeff# RESTRICTED Kea EO/IR');
    const columns = head!.split(',');
    expect(columns).toContain('Sensor Latitude (°)');
    expect(columns).toContain('Mission ID');
    expect(lines).toHaveLength(page.time.length);
    const cells = lines[0]!.split(',');
    expect(cells[columns.indexOf('Mission ID')]).toBe("'=cmd()");
    expect(Number(cells[columns.indexOf('Sensor Latitude (°)')])).toBeCloseTo(Number(page.tags[13]![0]), 8);
    expect(cells.slice(0, 2)).toEqual([expect.stringMatching(/^2026-06-01T09:00:00\.\d{6}Z$/), String(page.time[0])]);
    for (const line of lines) expect(line).not.toMatch(/(^|,)"?[=+@\t\r]/);
  });

  it('draws a track without heights on the ground, and shows each subtitle for a picture at least', async () => {
    const path = join(folder, 'low.ts');
    const sets = (at: number) =>
      [0, 400].map((offsetUs) => encodeSt0601({ 2: START + at * 40_000 + offsetUs, 13: 50 + at / 1e4, 14: 8 }));
    await writeFile(path, flightBytes({ seconds: 4, size: 'sd', sets }));
    const { mission: low } = await server.record({ name: 'Low', audience: 'everyone' }, [{ path }]);
    const file = async (format: string) =>
      (await server.ask('U1').get(`/api/sensors/exportTelemetry/${low._id}/${low.sensors[0]!._id}?format=${format}`))
        .raw;

    const [kml, srt] = [(await file('kml')).toString(), (await file('srt')).toString()];

    expect(kml).toContain('<altitudeMode>clampToGround</altitudeMode>');
    expect(kml).not.toContain('absolute');
    expect((await ask('U1', 'format=kml')).raw.toString()).toContain('<altitudeMode>absolute</altitudeMode>');
    const cues = [...srt.matchAll(/:(\d\d),(\d{3}) --> \d\d:\d\d:(\d\d),(\d{3})/g)].map((found) =>
      found.slice(1).map(Number),
    );
    expect(cues.length).toBeGreaterThan(190);
    for (const [second = 0, ms = 0, endSecond = 0, endMs = 0] of cues) {
      expect((endSecond - second) * 1000 + endMs - ms).toBeGreaterThanOrEqual(40);
    }
  });

  it('leaves a gap a gap', async () => {
    const gpx = (await ask('U1', 'format=gpx')).raw.toString();
    const geojson = JSON.parse((await ask('U1', 'format=geojson')).raw.toString());
    const kml = (await ask('U1', 'format=kml')).raw.toString();

    expect(gpx.match(/<trkseg>/g)).toHaveLength(2);
    expect(kml.match(/<gx:Track>/g)).toHaveLength(2);
    const kinds = geojson.features.map(({ properties }: { properties: { kind: string } }) => properties.kind);
    expect(kinds.filter((kind: string) => kind === 'track')).toHaveLength(2);
    expect(kinds.filter((kind: string) => kind === 'footprint').length).toBeGreaterThan(100);
    expect(geojson.label).toBe('RESTRICTED');
  });

  it('kmz is the same KML in a zip', async () => {
    const { raw } = await ask('U1', 'format=kmz');
    const path = join(folder, 'kea.kmz');
    await writeFile(path, raw);

    expect(execFileSync('unzip', ['-p', path, 'doc.kml'], { maxBuffer: 1e9 }).toString()).toBe(
      (await ask('U1', 'format=kml')).raw.toString(),
    );
  });

  it('takes a span', async () => {
    const { raw } = await ask('U1', 'format=gpx&markIn=2&markOut=4');

    const { found } = await rowsOf(raw);
    const requested = expected().filter(({ timeUs }) => timeUs >= START + 2e6 && timeUs < START + 4e6);
    expect(found).toHaveLength(requested.length);
  });

  it('leaves a row of the audit for each file above UNCLASSIFIED, and is refused to the guest and to who may not read', async () => {
    const count = async () =>
      (await db.selectFrom('audit').select('seq').where('action', '=', 'telemetry.export').execute()).length;
    const before = await count();

    for (const format of telemetryFormats) expect((await ask('U1', `format=${format}`)).status).toBe(200);

    expect(await count()).toBe(before + telemetryFormats.length);
    expect((await ask('U2', 'format=csv')).status).toBe(404);
    const shared = await server.record({ name: 'Shown', audience: 'groups', usergroups: [groups.Demo!] }, [
      { path: join(folder, 'first.ts') },
    ]);
    const url = `/api/sensors/exportTelemetry/${shared.mission._id}/${shared.mission.sensors[0]!._id}?format=csv`;
    expect((await server.ask('guest').get(url)).status).toBe(403);
    expect((await server.ask('SA').get(url)).status).toBe(200);
  });

  it.each([
    ['an unknown format', 'format=xls', 400],
    ['no format', '', 400],
    ['Out before In', 'format=csv&markIn=5&markOut=1', 422],
    ['a span without telemetry', 'format=csv&markIn=14&markOut=20', 422],
  ])('refuses %s', async (_what, query, status) => {
    expect((await ask('U1', query)).status).toBe(status);
  });
});
