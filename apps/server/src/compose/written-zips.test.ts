import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import type { CaseExport, Mission } from '@osprey/contract';
import { beforeAll, expect, it } from 'vitest';
import { simulateToFile } from '../../../../tools/simulator/src/index.ts';
import { casesOf } from '../../test/cases.ts';
import { atEnd } from '../../test/cleanup.ts';
import { readOldFolder } from '../../test/old-folder.ts';
import { recordingServer } from '../../test/recordings.ts';
import { headersOf, plainHeaderOf } from '../../test/zip-headers.ts';
import { openZip } from '../media/formats/zip.ts';
import { keepingDependencies } from './upkeep.ts';

const folder = mkdtempSync(join(tmpdir(), 'osprey-written-zips-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const server = await recordingServer({ jobs: ['ingest'] });
const { tasks } = keepingDependencies(server.dependencies);
const { ask, made, add } = casesOf(server);

const KINDS = ['KMZ', 'clip', 'MP4 clip', 'clips in the background', 'case package', 'mission archive'] as const;
type Kind = (typeof KINDS)[number];
/** Paths of the zips, by kind. */
const paths = {} as Record<Kind, string>;
const zips = {} as Record<Kind, Buffer>;
/** Whether a program is installed. */
const has = (program: string) => spawnSync('which', [program]).status === 0;

async function got(path: string): Promise<Buffer> {
  const { status, raw, body } = await server.ask('A2').get(path);
  expect(status, JSON.stringify(body)).toBe(200);
  return raw;
}

async function casePackage({ _id: mission, sensors }: Mission): Promise<Buffer> {
  const clip = await server.ask('A2').post<{ _id: string }>('/api/clips', {
    ...{ missionIdOrName: mission, sensors: ['EO/IR'], title: 'Approach', markIn: '2', markOut: '6' },
  });
  const id = await made('A2', { name: 'Smugglers', securityClassification: 'UNCLASSIFIED' });
  const [startTime, endTime] = [sensors[0]!.startTime!, sensors[0]!.startTime! + 5_000_000];
  const members = [
    { kind: 'clip', clipId: clip.body._id },
    { kind: 'track', sensorId: sensors[0]!._id, title: 'Ærø flight', startTime, endTime },
    { kind: 'note', title: 'Why', text: 'Text' },
  ];
  expect((await add('A2', id, members, { lockOut: true })).status).toBe(200);
  const begun = await ask<CaseExport>('A2', 'POST', `/${id}/exports?mp4=true`);
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  await tasks.settle();
  return got(`/api/cases/${id}/exports/${begun.body._id}/file`);
}

beforeAll(async () => {
  const path = join(folder, 'kea.ts');
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 12, ships: 1 }, path);
  const { mission } = await server.record(
    { name: 'Kea', securityClassification: 'UNCLASSIFIED', audience: 'everyone' },
    { 'EO/IR': [{ path }], IR: [{ path }] },
  );
  const sensor = `${mission._id}/${mission.sensors[0]!._id}`;
  const span = { markIn: '2', markOut: '6' };
  const video = `/api/sensors/exportVideo/${sensor}`;
  zips.KMZ = await got(`/api/sensors/exportTelemetry/${sensor}?format=kmz`);
  zips.clip = await got(`${video}?markIn=2&markOut=6&sidecar=true`);
  zips['MP4 clip'] = await got(`${video}?markIn=2&markOut=6&sidecar=true&format=mp4`);
  const ordered = await server.ask('A2').post<{ id: string }>(video, { ...span, allSensors: true });
  await tasks.settle();
  zips['clips in the background'] = await got(`/api/exports/${ordered.body.id}`);
  zips['case package'] = await casePackage(mission);
  zips['mission archive'] = (await server.ask('A2').post('/api/missions/export', { missions: ['Kea'] })).raw;
  for (const kind of KINDS) {
    paths[kind] = join(folder, `${kind.replaceAll(' ', '-')}.${kind === 'KMZ' ? 'kmz' : 'zip'}`);
    writeFileSync(paths[kind], zips[kind]);
  }
}, 120_000);

it.each(KINDS)('has length and CRC before the bytes of each entry, and no ZIP64: %s', (kind) => {
  const { central, local, data, ...rest } = headersOf(zips[kind]);

  expect(central.length).toBeGreaterThan(kind === 'KMZ' ? 0 : 2);
  expect(local).toEqual(central.map(({ name, offset }, at) => plainHeaderOf(name, offset, data[at]!)));
  expect(central).toEqual(local);
  expect(rest).toEqual({ unusedBytes: 0, hasZip64End: false });
});

it('holds files of spans in each format in the package of a case', () => {
  const names = headersOf(zips['case package']).central.map(({ name }) => name);

  for (const end of ['ts', 'mp4', 'csv', 'geojson', 'kml']) {
    expect(names.filter((name) => name.startsWith('parts/') && name.endsWith(`.${end}`))).not.toEqual([]);
  }
});

it.for(KINDS)('is read by unzip: %s', (kind, { skip }) => {
  if (!has('unzip')) skip('unzip is not installed');
  execFileSync('unzip', ['-tq', paths[kind]]);
});

it.for(KINDS)('is read by Python: %s', (kind, { skip }) => {
  if (!has('python3')) skip('python3 is not installed');
  const script = 'import sys,zipfile; print(zipfile.ZipFile(sys.argv[1]).testzip())';
  expect(execFileSync('python3', ['-c', script, paths[kind]]).toString().trim()).toBe('None');
});

it('is read by GDAL: the KMZ, and the tracks in the package of a case', ({ skip }) => {
  if (!has('ogrinfo')) skip('ogrinfo is not installed');
  const tracks = headersOf(zips['case package']).central.filter(({ name }) => /\.(kml|geojson)$/.test(name));
  expect(tracks.length).toBeGreaterThan(1);
  const sources = [paths.KMZ, ...tracks.map(({ name }) => `/vsizip/${paths['case package']}/${name}`)];
  for (const source of sources) {
    const said = execFileSync('ogrinfo', ['-ro', '-al', '-so', source]).toString();
    expect(said, source).toMatch(/Feature Count: [1-9]/);
  }
});

it('reads zips of the form before, which have ZIP64 tables and a data descriptor in each entry', async () => {
  const { files } = await readOldFolder('e3948b17');
  const [, base64] = Object.entries(files).find(([path]) => /exports\/case-.*\.zip$/.test(path))!;
  const old = Buffer.from(base64, 'base64');
  expect([old.readUInt16LE(6) & 8, old.readUInt32LE(18)]).toEqual([8, 0]);
  expect(old.subarray(-42, -38).toString('latin1')).toBe('PK\x06\x07');
  const { storage } = server.dependencies;
  await storage.put('uploads/old.part', [old]);

  const zip = await openZip(storage, 'uploads/old.part');

  const bytesOf = (name: string) => buffer(zip.read([...zip.files.values()].find((file) => file.name === name)!));
  const sums = (await bytesOf('SHA256SUMS')).toString().trim().split('\n');
  expect(sums.length).toBeGreaterThan(5);
  for (const line of sums) {
    const [sum, name] = line.split('  ');
    expect(
      createHash('sha256')
        .update(await bytesOf(name!))
        .digest('hex'),
      name,
    ).toBe(sum);
  }
  await zip.close();
});

/** Reads each entry from a stream, which takes no stored entry with a data descriptor, and by the directory. */
const JAVA = `
import java.io.*;
import java.util.zip.*;
public class ReadZips {
  public static void main(String[] paths) throws Exception {
    for (String path : paths) {
      int streamed = 0;
      try (ZipInputStream in = new ZipInputStream(new BufferedInputStream(new FileInputStream(path)))) {
        while (in.getNextEntry() != null) { in.transferTo(OutputStream.nullOutputStream()); streamed++; }
      }
      try (ZipFile zip = new ZipFile(path)) {
        var entries = zip.entries();
        while (entries.hasMoreElements()) zip.getInputStream(entries.nextElement()).transferTo(OutputStream.nullOutputStream());
        System.out.println(streamed + " " + zip.size());
      }
    }
  }
}
`;

it('is read by Java', { tags: 'long', timeout: 120_000 }, ({ skip }) => {
  if (!has('javac')) skip('a JDK is not installed');
  const source = join(folder, 'ReadZips.java');
  writeFileSync(source, JAVA);

  const said = execFileSync('java', [source, ...KINDS.map((kind) => paths[kind])]).toString();

  const counts = KINDS.map((kind) => headersOf(zips[kind]).central.length);
  expect(said.trim().split('\n')).toEqual(counts.map((count) => `${count} ${count}`));
});
