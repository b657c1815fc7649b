import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import type { CaseExport, CasePart, CaseRow, Mission } from '@osprey/contract';
import { simulateToFile } from '@osprey/simulator';
import { apiOf } from '../../../../tools/test-support/data/api.ts';

/**
 * Makes the folder of cases that README.md describes: `node make.ts <dist/server/main.js of a version> <URL of an empty
 * database of a PostgreSQL whose pg_dump is in the path> <file to write>`. It speaks to that version over HTTP; what sweeps
 * remove for good after their time it removes itself, in the database.
 */
const [main = '', url = '', target = ''] = process.argv.slice(2);

const PASSWORD = 'correct horse battery';
const START_US = Date.UTC(2026, 5, 1) * 1000;
/** Files of processes. */
const EXCLUDED = /(?:^|\/).*\.(?:lock|log|sock)$/;

const data = mkdtempSync(join(tmpdir(), 'osprey-old-folder-'));
const server = spawn(process.execPath, [main], {
  env: {
    ...{ PATH: process.env.PATH, OSPREY_DATA: data, OSPREY_DATABASE_URL: url, OSPREY_PORT: '0' },
    OSPREY_ADMIN_PASSWORD: PASSWORD,
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});

try {
  const address = await readyAddress();
  const run = (statement: string) => execFileSync('psql', ['-v', 'ON_ERROR_STOP=1', '-c', statement, url]);
  const answers = await makeCases(address, run);
  const dump = execFileSync('pg_dump', ['--inserts', '--no-owner', '--no-privileges', url], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  await stop();
  const files = Object.fromEntries(
    readdirSync(data, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(data, join(entry.parentPath, entry.name)))
      .filter((path) => !EXCLUDED.test(path))
      .sort()
      .map((path) => [path, readFileSync(join(data, path)).toString('base64')]),
  );
  // Commands of psql are no SQL.
  const sql = dump.replace(/^\\.*$/gm, '');
  const text = JSON.stringify({ sql, files, answers });
  const params = { [constants.BROTLI_PARAM_LGWIN]: 24, [constants.BROTLI_PARAM_SIZE_HINT]: text.length };
  writeFileSync(target, brotliCompressSync(text, { params }));
} finally {
  await stop();
  rmSync(data, { recursive: true, force: true });
}

/** Makes the cases; returns what the pages of each account were answered at the end, by account and path. */
async function makeCases(address: string, run: (statement: string) => void) {
  const admin = apiOf(address, { username: 'admin', password: PASSWORD });
  const group = await admin.addGroup('Harbour watch', 'SECRET');
  const analyst = await admin.addUser('analyst', { clearance: 'CONFIDENTIAL', groups: [group] });
  const visitor = await admin.addUser('visitor', { clearance: 'UNCLASSIFIED' });
  const people = { admin, analyst: apiOf(address, analyst), visitor: apiOf(address, visitor) };
  const { send } = people.analyst;

  const video = join(data, '..', `old-folder-${process.pid}.ts`);
  await simulateToFile({ seconds: 4, width: 320, height: 180, fps: 5, gop: 5, startUs: START_US }, video);
  const flown = (name: string, label: string) =>
    admin.addRecorded({ name, securityClassification: label, usergroups: [group] }, { 'EO/IR': video });
  const kea = await flown('Kea', 'RESTRICTED');
  const lost = await flown('Lost', 'CONFIDENTIAL');
  const binned = await flown('Binned', 'UNCLASSIFIED');
  rmSync(video);

  const overlays = pictureUrl();
  /** A part of each kind. */
  async function parts(mission: Mission, name: string) {
    const sensor = mission.sensors[0]!;
    const of = { missionIdOrName: mission._id };
    const shared = { securityClassification: mission.securityClassification, usergroups: [group] };
    const made = async (path: string, body: object) => (await send<{ _id: string }>('POST', path, body))._id;
    return {
      clip: await made('clips', { ...of, sensors: [sensor._id], title: `${name} turn`, markIn: '1', markOut: '3' }),
      bookmark: await made('bookmarks', {
        ...of,
        ...{ sensorIdOrName: sensor._id, title: `${name} mast`, position: 2, text: 'Grey', tags: ['mast'] },
      }),
      snapshot: await made('snapshots', {
        ...{ missionName: mission._id, sensorName: sensor._id, title: `${name} picture`, description: '', tags: [] },
        ...{ usergroups: [group], restricted: false, audience: 'groups', overlaysDataUrl: overlays },
        timestamp: START_US + 1_000_000,
      }),
      document: await people.analyst.addDocument(
        `${name} log`,
        { name: `${name} log.txt`, body: 'two ships\n' },
        { usergroups: JSON.stringify([group]), securityClassification: mission.securityClassification },
      ),
      annotation: await made('annotations', {
        ...{ ...shared, title: `${name} area`, annotationType: 'GeoJson', type: 'FeatureCollection' },
        ...{ missionId: mission._id, startTime: START_US, endTime: START_US + 2_000_000 },
        features: [{ type: 'Feature', properties: {}, geometry: { type: 'Point', coordinates: [24.5, 37.5] } }],
      }),
      sensor: sensor._id,
      track: `${name} way`,
    };
  }
  type Parts = Awaited<ReturnType<typeof parts>>;

  const requested = (one: Parts) => [
    { kind: 'clip', clipId: one.clip, remark: 'From the north' },
    { kind: 'snapshot', documentId: one.snapshot },
    { kind: 'bookmark', bookmarkId: one.bookmark },
    { kind: 'annotation', annotationId: one.annotation },
    { kind: 'document', documentId: one.document },
    {
      ...{ kind: 'track', sensorId: one.sensor, title: one.track },
      ...{ startTime: START_US, endTime: START_US + 2_500_000 },
    },
    { kind: 'note', title: 'Why', text: 'See **both** ships.' },
  ];
  async function caseOf(name: string, all: readonly object[]): Promise<string> {
    const body = { name, securityClassification: 'UNCLASSIFIED', usergroups: [group], parts: all };
    const { _id } = await send<CaseRow>('POST', 'cases', body);
    return _id;
  }
  async function exported(id: string): Promise<string> {
    const begun = await send<CaseExport>('POST', `cases/${id}/exports`);
    for (;;) {
      const all = await send<CaseExport[]>('GET', `cases/${id}/exports`);
      const one = all.find(({ _id }) => _id === begun._id)!;
      if (one.state === 'Ready') return one._id;
      if (one.state !== 'Making') throw new Error(JSON.stringify(one));
      await pause(100);
    }
  }

  const held = await caseOf('Held', requested(await parts(kea, 'Kea')));
  await send('POST', `cases/${held}/comments`, { text: 'Both are ours.' });
  await send('PUT', `cases/${held}`, { description: 'Two ships at night.', revision: await revisionOf(held) });
  await admin.send('PUT', `cases/${held}/hold`, { held: true });
  await exported(held);

  // Sources that go one by one, while their mission stays.
  const single = await parts(kea, 'Single');
  const gone = await caseOf('Gone', requested(single));
  // Sources that go with their mission.
  const complete = await parts(lost, 'Whole');
  const goneComplete = await caseOf('Gone with its mission', requested(complete));
  await exported(gone);
  await exported(goneComplete);
  const bin = await parts(binned, 'Bin');
  const inBin = await caseOf('In the bin', requested(bin));
  const removed = await exported(inBin);
  await send('DELETE', `cases/${inBin}/exports/${removed}`);

  // A case for everyone, of whose parts some are for a usergroup.
  const paper = (title: string, fields: Record<string, string>) =>
    admin.addDocument(title, { name: `${title}.txt`, body: `${title}\n` }, fields);
  const closed = { usergroups: JSON.stringify([group]) };
  const purged = await paper('Purged', closed);
  const papers = [
    await paper('Open', { audience: 'everyone', usergroups: '[]' }),
    await paper('Closed', closed),
    purged,
  ];
  await admin.send('POST', 'cases', {
    ...{ name: 'Shared', securityClassification: 'UNCLASSIFIED', audience: 'everyone' },
    parts: papers.map((documentId) => ({ kind: 'document', documentId })),
  });

  // Parts that were taken out, and a case in the bin.
  const taken = await caseOf('Taken out', requested(await parts(kea, 'Taken')));
  const [clip, , bookmark] = await send<CasePart[]>('GET', `cases/${taken}/parts`);
  await send('DELETE', `cases/${taken}/parts`, { parts: [clip!._id, bookmark!._id] });
  const thrown = await caseOf('Thrown away', [{ kind: 'note', title: 'Nothing', text: '' }]);
  await send('DELETE', 'cases', { cases: [thrown] });

  await send('DELETE', 'bookmarks', { bookmarks: [bin.bookmark] });
  await send('DELETE', `documents/${bin.document}`);
  await send('DELETE', 'annotations', { annotations: [bin.annotation] });
  await admin.send('DELETE', 'missions', { missions: [binned._id] });

  await send('DELETE', 'clips', { clips: [single.clip] });
  run(`delete from bookmarks where id = '${single.bookmark}'`);
  run(`delete from documents where id in ('${single.document}', '${single.snapshot}', '${purged}')`);
  run(`delete from annotations where id = '${single.annotation}'`);
  run(`delete from missions where id = '${lost._id}'`);
  run(`delete from documents where id in ('${complete.document}', '${complete.snapshot}')`);
  run(`delete from annotations where id = '${complete.annotation}'`);

  async function revisionOf(id: string): Promise<number> {
    return (await send<CaseRow>('GET', `cases/${id}`)).revision;
  }

  const answers: Record<string, Record<string, unknown>> = {};
  for (const [name, { send: ask }] of Object.entries(people)) {
    const own: Record<string, unknown> = {};
    own.cases = await ask('GET', 'cases');
    for (const { _id } of own.cases as CaseRow[]) {
      for (const path of [`cases/${_id}/parts`, `cases/${_id}/comments`, `cases/${_id}/exports`]) {
        own[path] = await ask('GET', path);
      }
    }
    answers[name] = own;
  }
  const packages: Record<string, string> = {};
  for (const { _id } of await send<CaseRow[]>('GET', 'cases')) {
    for (const one of await send<CaseExport[]>('GET', `cases/${_id}/exports`)) {
      if (one.state === 'Ready')
        packages[`cases/${_id}/exports/${one._id}/file`] = await sumOf(address, analyst, one, _id);
    }
  }
  return { ...answers, packages };
}

async function sumOf(
  address: string,
  { username, password }: { username: string; password: string },
  { _id }: CaseExport,
  caseId: string,
): Promise<string> {
  const authorization = `Basic ${btoa(`${username}:${password}`)}`;
  const answer = await fetch(`${address}/api/cases/${caseId}/exports/${_id}/file`, { headers: { authorization } });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

/** A PNG of one colour. */
function pictureUrl(): string {
  const made = ['-f', 'lavfi', '-i', 'color=c=red:s=32x18', '-frames:v', '1', '-f', 'image2pipe', '-c:v', 'png', '-'];
  const png = execFileSync('ffmpeg', ['-v', 'error', ...made]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

async function readyAddress(): Promise<string> {
  let said = '';
  for await (const part of server.stdout) {
    said += String(part);
    const found = /Osprey is ready: (\S+)/.exec(said)?.[1];
    if (found) return found.replace('localhost', '127.0.0.1');
  }
  throw new Error(said);
}

async function stop(): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once('exit', resolve));
  server.kill('SIGTERM');
  await ended;
}
