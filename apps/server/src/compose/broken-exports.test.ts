import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { CaseExport, Mission } from '@osprey/contract';
import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { simulateToFile } from '../../../../tools/simulator/src/index.ts';
import { addShipList } from '../../test/ais.ts';
import { addAnnotation, pointAt } from '../../test/annotations.ts';
import { casesOf } from '../../test/cases.ts';
import { atEnd } from '../../test/cleanup.ts';
import { recordingServer } from '../../test/recordings.ts';
import { contractCalls } from '../base/http/calls.ts';
import { keepingDependencies } from './upkeep.ts';

const folder = mkdtempSync(join(tmpdir(), 'osprey-broken-exports-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const server = await recordingServer({ jobs: ['ingest'] });
const { db, dependencies } = server;
const { tasks } = keepingDependencies(dependencies);
const { ask, made, add } = casesOf(server);

let address: string;
const of = { mission: '', sensor: '', clip: '', list: '', export: '', case: '', version: '' };

beforeAll(async () => {
  const path = join(folder, 'kea.ts');
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 12, ships: 1 }, path);
  const { mission } = await server.record(
    { name: 'Kea', securityClassification: 'UNCLASSIFIED', audience: 'everyone' },
    { 'EO/IR': [{ path }], IR: [{ path }] },
  );
  Object.assign(of, { mission: mission._id, sensor: mission.sensors[0]!._id });
  await addContents(mission);
  address = await server.listen();
}, 120_000);

async function addContents(mission: Mission): Promise<void> {
  const span = { markIn: '2', markOut: '6' };
  const clip = await server.ask('SA').post<{ _id: string }>('/api/clips', {
    ...{ missionIdOrName: mission._id, sensors: ['EO/IR'], title: 'Approach', ...span },
  });
  of.clip = clip.body._id;
  await addAnnotation(db, { title: 'Area' }, [], [pointAt(12.5, 55), pointAt(12.6, 55.1)]);
  of.list = await addShipList(db, {}, { ships: [211_000_001] });
  const begun = await server.ask('SA').post<{ id: string }>('/api/missions/export', { missions: ['Kea'], async: true });
  of.export = begun.body.id;
  of.case = await made('SA', { name: 'Smugglers', securityClassification: 'UNCLASSIFIED' });
  await add('SA', of.case, [{ kind: 'note', title: 'Why', text: 'Text' }], { lockOut: true });
  of.version = (await ask<CaseExport>('SA', 'POST', `/${of.case}/exports`)).body._id;
  await tasks.settle();
}

type Form = {
  path: () => string;
  /** Makes it a POST. */
  body?: object;
  /** Its first file is read to its end; the next one fails. */
  laterFile?: true;
};

/** Calls that send an export, with a request of each form; the zip of a KMZ is tested with its writer. */
const EXPORTS: Record<string, readonly Form[]> = {
  exportActivity: [{ path: () => 'activity/export' }],
  exportAisTargets: [{ path: () => 'aistargets/export?mode=all' }],
  exportAnnotations: [{ path: () => 'annotations/export', body: {} }],
  getExport: [{ path: () => `exports/${of.export}` }],
  exportAudit: [{ path: () => 'audit/export' }],
  downloadCaseExport: [{ path: () => `cases/${of.case}/exports/${of.version}/file` }],
  exportVideo: ['', '&sidecar=true', '&format=mp4', '&allSensors=true'].map((form) => ({
    path: () => `sensors/exportVideo/${of.mission}/${of.sensor}?markIn=2&markOut=6${form}`,
  })),
  exportClip: [{ path: () => `clips/${of.clip}/export` }],
  exportTelemetry: ['csv', 'geojson', 'kml', 'gpx', 'srt'].map((format) => ({
    path: () => `sensors/exportTelemetry/${of.mission}/${of.sensor}?format=${format}`,
  })),
  exportShipList: [{ path: () => `shiplists/${of.list}/csv` }],
  exportMissions: [{ path: () => 'missions/export', body: { missions: ['Kea'] }, laterFile: true }],
  exportMissionList: [{ path: () => 'missions/exportList', body: { missions: ['Kea'] } }],
};
/** Needs a stream that runs, and is sent as `exportVideo` is. */
const LIVE = 'exportLive';
const requests = Object.entries(EXPORTS).flatMap(([name, forms]) => forms.map((form) => ({ name, ...form })));

it('has each call that sends an export', () => {
  const sent = contractCalls().filter(
    ({ call }) => call.raw === 'media' && /export/i.test(`${call.action} ${call.path}`),
  );
  expect(sent.map(({ name }) => name).filter((name) => !(name in EXPORTS))).toEqual([LIVE]);
});

it.for(requests)(
  'ends as an error at the client where it fails after its first byte: $name',
  async ({ path, body, laterFile }) => {
    const received = Promise.withResolvers<void>();
    breakSources(received.promise, laterFile);
    const headers = { ...server.headersOf('SA'), ...(body && { 'content-type': 'application/json' }) };
    const sending: ClientRequest = request(`${address}/api/${path()}`, { method: body ? 'POST' : 'GET', headers });
    sending.end(body && JSON.stringify(body));
    const [answer] = (await once(sending, 'response')) as [IncomingMessage];
    const failed = new Promise<Error>((resolve) => answer.once('error', resolve));

    answer.once('data', () => received.resolve());

    expect(answer.statusCode).toBe(200);
    expect(await failed).toMatchObject({ code: 'ECONNRESET' });
    expect(answer.complete).toBe(false);
  },
);

/** Each stream that an answer is made of gives its first bytes, and fails once the client has some. */
function breakSources(received: Promise<void>, laterFile = false): void {
  const { from } = Readable;
  async function* failing(source: Iterable<unknown> | AsyncIterable<unknown>) {
    for await (const one of typeof source === 'string' ? [source] : source) {
      // A file may come in one piece.
      yield one instanceof Uint8Array ? one.subarray(0, Math.ceil(one.length / 2)) : one;
      await received;
      throw new Error('the source failed');
    }
  }
  const wrapped = vi
    .spyOn(Readable, 'from')
    .mockImplementation((source, options) => from.call(Readable, failing(source), options));
  const { storage } = dependencies;
  const { read } = storage;
  let files = 0;
  storage.read = (key, range) => {
    files += 1;
    const fails = laterFile ? files > 1 : key.startsWith('exports/');
    return fails ? from.call(Readable, failing(read(key, range)), { objectMode: false }) : read(key, range);
  };
  onTestFinished(() => {
    wrapped.mockRestore();
    storage.read = read;
  });
}
