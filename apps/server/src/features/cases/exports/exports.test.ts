import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { type CaseManifest, plainHashing, readZip, verifyPackage } from '@osprey/case-package';
import type { CaseExport, CaseExportPlan, Mission } from '@osprey/contract';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { simulateToFile } from '../../../../../../tools/simulator/src/index.ts';
import { addAnnotation, pointAt } from '../../../../test/annotations.ts';
import { casesOf } from '../../../../test/cases.ts';
import { atEnd } from '../../../../test/cleanup.ts';
import { addDocument, documentsOf } from '../../../../test/documents.ts';
import { recordingServer } from '../../../../test/recordings.ts';
import type { Subject } from '../../../../test/server.ts';
import { runCaseCommand } from '../../../commands/case-command.ts';
import { keepingDependencies } from '../../../compose/upkeep.ts';
import { sweepCaseExports } from './sweep.ts';

const CHROMIUM = process.env.OSPREY_CHROMIUM ?? '/usr/lib/chromium/chromium-headless-shell';

/** Buffers that wait to be collected, whatever the size of the case. */
const GROWTH_MAX_BYTES = 300 * 2 ** 20;

const folder = mkdtempSync(join(tmpdir(), 'osprey-case-exports-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));
const server = await recordingServer();
const { db, groups, dependencies, userId } = server;
const { ask, made, add, change, read } = casesOf(server);
const tasks = () => keepingDependencies(dependencies).tasks;

let kea: Mission;
let document: string;

beforeAll(async () => {
  const path = join(folder, 'kea.ts');
  await simulateToFile({ width: 320, height: 240, fps: 10, seconds: 12, ships: 1 }, path);
  const flown = await server.record(
    { name: 'Kea', securityClassification: 'RESTRICTED', audience: 'groups', usergroups: [groups.G1] },
    { 'EO/IR': [{ path }] },
  );
  kea = flown.mission;
  const file = { name: 'harbour log.txt', bytes: Buffer.from('two ships\n') };
  const shared = { title: 'harbour', audience: 'everyone', usergroups: '[]' };
  document = (await documentsOf(server).read('SA', file, shared))._id;
});
beforeEach(async () => {
  for (const table of ['tasks', 'cases'] as const) await db.deleteFrom(table).execute();
});

const start = () => kea.sensors[0]!.startTime!;
const OVERLAYS = 'Picture with overlays, drawn by the browser';

const all = async (): Promise<object[]> => {
  const by = server.ask('U1');
  const span = { markIn: '2', markOut: '6' };
  const clip = await by.post<{ _id: string }>('/api/clips', {
    ...{ missionIdOrName: kea._id, sensors: ['EO/IR'], title: 'Approach', ...span },
  });
  const bookmark = await by.post<{ _id: string }>('/api/bookmarks', {
    ...{ missionIdOrName: kea._id, sensorIdOrName: 'EO/IR', title: 'Mast', position: 3 },
  });
  const annotation = await addAnnotation(db, { title: 'Area' }, [], [pointAt(12.5, 55), pointAt(12.6, 55.1)]);
  return [
    { kind: 'clip', clipId: clip.body._id, remark: 'From the north' },
    { kind: 'bookmark', bookmarkId: bookmark.body._id },
    { kind: 'document', documentId: document },
    { kind: 'annotation', annotationId: annotation },
    {
      ...{ kind: 'track', sensorId: kea.sensors[0]!._id, title: 'Flight' },
      ...{ startTime: start(), endTime: start() + 5_000_000 },
    },
    { kind: 'note', title: 'Why', text: 'See **both** <b>ships</b> [here](http://example.org).' },
  ];
};

async function caseWith(requested: readonly object[], who: Subject = 'U1'): Promise<string> {
  const id = await made(who, { name: 'Smugglers', securityClassification: 'UNCLASSIFIED' });
  const { status, body } = await add(who, id, requested, { lockOut: true });
  expect(status, JSON.stringify(body)).toBe(200);
  return id;
}

const note = (title = 'Note') => ({ kind: 'note', title, text: 'Text' });
const list = async (who: Subject, id: string) => (await ask<CaseExport[]>(who, 'GET', `/${id}/exports`)).body;
const begin = (who: Subject, id: string, query = '') =>
  ask<CaseExport & { code: string; text: string }>(who, 'POST', `/${id}/exports${query}`);

/** Made and downloaded; its zip unpacked to a folder. */
async function exported(who: Subject, id: string, query = '') {
  const begun = await begin(who, id, query);
  expect(begun.status, JSON.stringify(begun.body)).toBe(200);
  await tasks().settle();
  const [version] = await list(who, id);
  expect(version, JSON.stringify(version)).toMatchObject({ state: 'Ready' });
  const { raw, headers } = await server.ask(who).get(`/api/cases/${id}/exports/${version!._id}/file`);
  const place = mkdtempSync(join(folder, 'package-'));
  writeFileSync(join(place, 'case.zip'), raw);
  mkdirSync(join(place, 'unpacked'));
  execFileSync('unzip', ['-q', join(place, 'case.zip'), '-d', join(place, 'unpacked')]);
  return { version: version!, raw, headers, zip: join(place, 'case.zip'), unpacked: join(place, 'unpacked') };
}

const verdictOf = async (raw: Uint8Array, keyPem: string | null) =>
  verifyPackage(await readZip({ sizeBytes: raw.length, read: async (a, b) => raw.slice(a, b) }), {
    ...{ hashing: plainHashing, keyPem },
  });

const keyOf = async (who: Subject) =>
  (await ask<{ fingerprint: string; pem: string; current: boolean }[]>(who, 'GET', '/keys')).body;

describe('the export of a case', () => {
  it('is a package of all kinds of parts, which its signature, its sums and the audit hold together', async () => {
    const id = await caseWith(await all());

    const { version, raw, headers, unpacked } = await exported('U1', id);

    expect(version).toMatchObject({
      ...{ version: 1, by: 'U1', own: true, state: 'Ready', parts: 6, leftOut: false, differs: false, downloads: 0 },
      ...{ securityClassification: 'RESTRICTED', sizeBytes: raw.length, releasedBy: null, removable: true },
    });
    expect(headers['content-disposition']).toContain('osprey_RESTRICTED_case-');
    const [key] = await keyOf('U1');
    const verdict = await verdictOf(raw, key!.pem);
    expect(verdict.faults).toEqual([]);
    expect(verdict).toMatchObject({ holds: true, signer: 'known', fingerprint: key!.fingerprint });
    const names = readdirSync(unpacked, { recursive: true }).map(String);
    for (const name of [
      ...[/^parts\/0001-clip-Approach\/.*\.ts$/, /^parts\/0001-.*\.csv$/, /^parts\/0001-.*\.geojson$/],
      ...[/^parts\/0001-.*\.kml$/, /^parts\/0002-bookmark-Mast\/bookmark\.json$/, /^parts\/0003-.*\/harbour_log\.txt$/],
      ...[/^parts\/0004-annotation-Area\/annotation\.geojson$/, /^parts\/0005-track-Flight\/.*\.kml$/],
      ...[/^parts\/0006-note-Why\/note\.md$/, /^report\.html$/, /^check\.html$/, /^case\.json$/],
    ]) {
      expect(
        names.some((one) => name.test(one)),
        String(name),
      ).toBe(true);
    }
    const clip = names.find((one) => one.endsWith('.ts'))!;
    const probed = execFileSync('ffprobe', [
      '-v',
      'error',
      '-show_entries',
      'format=duration',
      '-of',
      'csv=p=0',
      join(unpacked, clip),
    ]);
    expect(Number(probed.toString())).toBeGreaterThan(3);
    const manifest: CaseManifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ case: { name: 'Smugglers', version: 1 }, label: 'RESTRICTED', maker: 'U1' });
  });

  it('brings a report without scripts, which says label and page on each page that is printed', async () => {
    const notes = Array.from({ length: 40 }, (_none, at) => ({
      ...note(`Note ${at + 1}`),
      text: 'Line\n\n'.repeat(8),
    }));
    const { unpacked } = await exported('U1', await caseWith([...(await all()), ...notes]));
    const html = readFileSync(join(unpacked, 'report.html'), 'utf8');
    const pdf = join(unpacked, '../report.pdf');

    const quiet = ['--headless', '--no-sandbox', '--disable-gpu', '--no-pdf-header-footer'];
    const page = pathToFileURL(join(unpacked, 'report.html')).href;
    execFileSync(CHROMIUM, [...quiet, `--print-to-pdf=${pdf}`, page], { stdio: 'pipe' });
    const pages = execFileSync('pdftotext', ['-layout', pdf, '-']).toString().split('\f').slice(0, -1);

    expect(pages.length).toBeGreaterThan(3);
    for (const [at, text] of pages.entries()) {
      expect(text, `page ${at + 1}`).toContain(`page ${at + 1} of ${pages.length}`);
      expect(text.match(/RESTRICTED/g)?.length, `page ${at + 1}`).toBeGreaterThanOrEqual(2);
    }
    expect(html).not.toMatch(/<script|<b>ships|example\.org|src="(?!data:)/);
    expect(html).toContain('&lt;b&gt;ships&lt;/b&gt;');
    expect(html).toMatch(/<svg[^>]*>.*<path class="land".*<path class="coast".*<polyline class="track"/s);
    expect(html).toContain((await keyOf('U1'))[0]!.fingerprint.slice(0, 4));
    expect(execFileSync('pdfinfo', [pdf]).toString()).toMatch(/Page size: +59[45]\.\d+ x 84[12]/);
  });

  it('has clips as MP4 files too where that was chosen, and says so in its size', async () => {
    const [clip] = (await all()) as [object];
    const id = await caseWith([clip]);
    const plan = async (query = '') => (await ask<CaseExportPlan>('U1', 'GET', `/${id}/exports/plan${query}`)).body;
    const [plain, both] = [await plan(), await plan('?mp4=1')];
    expect(plain.clips).toBe(1);
    expect(both.sizeBytes).toBe(2 * plain.sizeBytes);

    const { unpacked, raw } = await exported('U1', id, '?mp4=1');

    const names = readdirSync(unpacked, { recursive: true }).map(String);
    const [ts, mp4] = ['.ts', '.mp4'].map((end) => names.find((name) => name.endsWith(end)));
    expect(mp4).toBe(ts!.replace(/\.ts$/, '.mp4'));
    const asked = ['-v', 'error', '-show_entries', 'format=format_name:format_tags=comment', '-of', 'csv=p=0'];
    expect(execFileSync('ffprobe', [...asked, join(unpacked, mp4!)]).toString()).toMatch(/mp4.*RESTRICTED\. /);
    expect((await verdictOf(raw, (await keyOf('U1'))[0]!.pem)).holds).toBe(true);
  });

  it('holds the comments, struck ones as such, in its report and in a file that is signed', async () => {
    const id = await caseWith([{ kind: 'document', documentId: document }]);
    const say = (who: Subject, text: string) => ask<{ _id: string }>(who, 'POST', `/${id}/comments`, { text });
    await say('U1', 'Who was on <b>watch</b>?');
    const { body: struck } = await say('GA', 'Not he');
    await ask('GA', 'DELETE', `/${id}/comments/${struck._id}`);
    expect((await ask<CaseExportPlan>('U1', 'GET', `/${id}/exports/plan`)).body.comments).toBe(2);

    const { version, unpacked, raw } = await exported('U1', id);

    const html = readFileSync(join(unpacked, 'report.html'), 'utf8');
    expect(html).toContain('Who was on &#60;b&#62;watch&#60;/b&#62;?');
    expect(html).toContain('<s>Not he</s>');
    expect(JSON.parse(readFileSync(join(unpacked, 'comments.json'), 'utf8'))).toEqual([
      { author: 'U1', text: 'Who was on <b>watch</b>?', struck: false, created: expect.any(String), edited: null },
      { author: 'GA', text: 'Not he', struck: true, created: expect.any(String), edited: null },
    ]);
    const manifest: CaseManifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    expect(manifest.files.map(({ path }) => path)).toContain('comments.json');
    expect((await verdictOf(raw, (await keyOf('U1'))[0]!.pem)).holds).toBe(true);
    expect(version).toMatchObject({ comments: 2, differs: false });
    await say('U1', 'One more');
    expect((await list('U1', id))[0]).toMatchObject({ comments: 2, differs: true });
  });

  it('is checked by the commands that its README names', async () => {
    const { unpacked } = await exported('U1', await caseWith([note(), { kind: 'document', documentId: document }]));
    const readme = readFileSync(join(unpacked, 'README.txt'), 'utf8');
    const commands = readme.split('\n').filter((line) => line.startsWith('    '));

    const said = commands.map((command) => execFileSync('sh', ['-c', command], { cwd: unpacked }).toString());

    expect(commands).toHaveLength(4);
    expect(
      said[0]!
        .trim()
        .split('\n')
        .every((line) => line.endsWith(': OK')),
    ).toBe(true);
    expect(said[0]).toContain('audit.json: OK');
    expect(said[1]).toContain('Signature Verified Successfully');
    const manifest: CaseManifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8'));
    expect(said[2]).toContain(manifest.files.find(({ path }) => path === 'SHA256SUMS')!.sha256);
    expect(said[3]).toContain((await keyOf('U1'))[0]!.fingerprint);
    for (const name of ['report.html', 'audit.json']) {
      const bytes = readFileSync(join(unpacked, name));
      writeFileSync(join(unpacked, name), 'another');
      expect(() => execFileSync('sh', ['-c', commands[0]!], { cwd: unpacked, stdio: 'pipe' }), name).toThrow();
      writeFileSync(join(unpacked, name), bytes);
    }
  });

  it('freezes versions, which say when the case differs from them', async () => {
    const id = await caseWith([note('One'), note('Two')]);
    await exported('U1', id);
    const [one, two] = (await ask<{ _id: string }[]>('U1', 'GET', `/${id}/parts`)).body;
    const { revision } = (await read('U1', id)).body;
    await ask('U1', 'PUT', `/${id}/order`, { parts: [two!._id, one!._id], revision });

    expect((await list('U1', id)).map(({ version, differs }) => [version, differs])).toEqual([[1, true]]);
    await exported('U1', id);

    expect((await list('U1', id)).map(({ version, differs, downloads }) => [version, differs, downloads])).toEqual([
      [2, false, 1],
      [1, true, 1],
    ]);
    await change('U1', id, { name: 'Others' });
    expect((await list('U1', id)).map(({ differs }) => differs)).toEqual([true, true]);
  });

  it('holds what its maker could read, and is shown only to who may read each part of it', async () => {
    const id = await caseWith([note(), { kind: 'document', documentId: document }]);
    await db.updateTable('documents').set({ audience: 'groups' }).where('id', '=', document).execute();
    const complete = await exported('SA', id);
    const partly = await exported('U1', id);
    const plan = (await ask<CaseExportPlan>('U1', 'GET', `/${id}/exports/plan`)).body;
    await db.updateTable('documents').set({ audience: 'everyone' }).where('id', '=', document).execute();

    expect([complete.version.leftOut, complete.version.parts]).toEqual([false, 2]);
    expect([partly.version.leftOut, partly.version.parts]).toEqual([true, 1]);
    expect(plan).toMatchObject({ parts: 1, leftOut: true, needsRelease: false, refusals: [] });
    expect(readFileSync(join(partly.unpacked, 'report.html'), 'utf8')).toContain(
      'This export holds what U1 could read.',
    );
    expect(readFileSync(join(partly.unpacked, 'report.html'), 'utf8')).not.toContain('harbour');
    expect((await list('U1', id)).map(({ version }) => version)).toEqual([2, 1]);
    await db.updateTable('documents').set({ audience: 'groups' }).where('id', '=', document).execute();
    expect((await list('U1', id)).map(({ version }) => version)).toEqual([2]);
    expect((await server.ask('U1').get(`/api/cases/${id}/exports/${complete.version._id}/file`)).status).toBe(404);
    await db.updateTable('documents').set({ audience: 'everyone' }).where('id', '=', document).execute();
  });

  it('ends when its maker may not read a part any more, and when it is cancelled', async () => {
    const id = await caseWith([note(), { kind: 'document', documentId: document }]);
    await begin('U1', id);
    await db.updateTable('documents').set({ audience: 'groups' }).where('id', '=', document).execute();
    await tasks().settle();
    await db.updateTable('documents').set({ audience: 'everyone' }).where('id', '=', document).execute();
    const [lost] = await list('U1', id);
    expect(lost).toMatchObject({ state: 'Failed', message: expect.stringContaining('You lost the right') });

    const { body } = await begin('U1', id);
    expect((await ask('U1', 'DELETE', `/${id}/exports/${body._id}`)).status).toBe(200);
    await tasks().settle();

    expect((await list('U1', id))[0]).toMatchObject({ version: 2, state: 'Removed', removable: false });
    expect(await dependencies.storage.stat(`exports/case-${body._id}.zip`)).toBeNull();
  });

  it('stays ready where the server was killed before its task was noted as done', async () => {
    const id = await caseWith([note()]);
    const { version, raw } = await exported('U1', id);

    await db.updateTable('tasks').set({ state: 'running', heartbeat: 1, ended: null }).execute();
    await tasks().settle();

    const [again] = await list('U1', id);
    expect(again).toMatchObject({ _id: version._id, state: 'Ready', sizeBytes: raw.length });
    const { raw: same } = await server.ask('U1').get(`/api/cases/${id}/exports/${version._id}/file`);
    expect(Buffer.compare(Buffer.from(same), Buffer.from(raw))).toBe(0);
  });

  it('ends while it is packed, when a part is taken from its maker and when it is cancelled', async () => {
    const id = await caseWith([{ kind: 'document', documentId: document }]);
    const until = async (end: (exportId: string) => Promise<unknown>) => {
      const { body } = await begin('U1', id);
      const read = vi.spyOn(dependencies.storage, 'read').mockImplementationOnce(() => new Readable({ read() {} }));
      const work = tasks().settle();
      await expect.poll(() => read.mock.calls.length).toBeGreaterThan(0);
      await end(body._id);
      await work;
      read.mockRestore();
      expect(await dependencies.storage.stat(`exports/case-${body._id}.zip`)).toBeNull();
    };
    const share = (audience: 'everyone' | 'groups') =>
      db.updateTable('documents').set({ audience }).where('id', '=', document).execute();

    await until(() => share('groups'));
    await share('everyone');
    await until((exportId) => ask('U1', 'DELETE', `/${id}/exports/${exportId}`));

    expect((await list('U1', id)).map(({ state }) => state)).toEqual(['Removed', 'Failed']);
  });

  it('shows pictures of parts in notes, and nothing from elsewhere', async () => {
    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })
      .png()
      .toBuffer();
    const shared = { title: 'mast', audience: 'everyone', usergroups: '[]' };
    const picture = await documentsOf(server).read('SA', { name: 'mast.png', bytes: png }, shared);
    const id = await caseWith([{ kind: 'document', documentId: picture._id }]);
    const [part] = (await ask<{ _id: string }[]>('U1', 'GET', `/${id}/parts`)).body;
    const text = `![The mast](part:${part!._id}) ![other](part:${crypto.randomUUID()}) ![far](https://example.org/a.png) [x](https://example.org)`;
    await add('U1', id, [{ kind: 'note', title: 'See', text }]);

    const html = readFileSync(join((await exported('U1', id)).unpacked, 'report.html'), 'utf8');

    expect(html).toContain(`<img src="data:image/png;base64,${png.toString('base64')}" alt="The mast">`);
    expect(html).toContain('[other] [far] x');
    expect(html).not.toMatch(/example\.org|src="(?!data:)/);
  });

  it('holds both pictures of a snapshot, and says who made them', async () => {
    const red = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#ff0000' } })
      .png()
      .toBuffer();
    const { body: taken } = await server.ask('SA').post<{ _id: string }>('/api/snapshots', {
      ...{ missionName: kea._id, sensorName: 'EO/IR', title: 'Wake', timestamp: start() + 1_000_000 },
      ...{
        audience: 'groups',
        usergroups: [groups.G1],
        overlaysDataUrl: `data:image/png;base64,${red.toString('base64')}`,
      },
    });
    const id = await caseWith([{ kind: 'document', documentId: taken._id }]);
    const [part] = (await ask<object>('U1', 'GET', `/${id}/parts`)).body as unknown as object[];
    expect(part).toMatchObject({ kind: 'snapshot', picture: 'server', overlays: true });

    const { unpacked } = await exported('U1', id);

    const files = readdirSync(unpacked, { recursive: true }).map(String);
    const about = files.find((name) => name.endsWith('Wake.jpg.about.json'));
    expect(files.filter((name) => name.endsWith('Wake.jpg.overlays.jpg'))).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(unpacked, about ?? ''), 'utf8'))).toMatchObject({
      snapshot: { picture: 'server', overlays: { file: 'Wake.jpg.overlays.jpg', madeBy: OVERLAYS } },
    });
    const html = readFileSync(join(unpacked, 'report.html'), 'utf8');
    expect(html.indexOf(OVERLAYS)).toBeGreaterThan(html.indexOf('Picture from the recording'));
    expect(html.match(/<img /g)).toHaveLength(2);
  });

  it('is refused to the guest and strangers, without content, and while two others run', async () => {
    const id = await made('U1', { name: 'Empty' });

    expect((await begin('U1', id)).body).toMatchObject({ code: 'ruleRefused' });
    expect((await begin('U2', id)).status).toBe(404);
    await add('U1', id, [note()]);
    await begin('U1', id);
    await begin('U1', id);
    expect((await begin('U1', id)).status).toBe(429);
    await db.updateTable('cases').set({ audience: 'everyone' }).where('id', '=', id).execute();
    expect((await begin('guest', id)).status).toBe(404);
  });

  it('leaves rows of being made, signed and downloaded in the audit', async () => {
    const id = await caseWith([note()]);
    const { version } = await exported('U1', id);

    const rows = await db.selectFrom('audit').selectAll().where('item_id', '=', id).orderBy('time').execute();

    const reported = rows.filter(({ action }) => /export|download/i.test(action));
    expect(reported.map(({ node, action, actor_id }) => [node, action, actor_id])).toEqual([
      ['api', 'case.export', userId('U1')],
      ['cases', 'case.exported', userId('U1')],
      ['api', 'case.download', userId('U1')],
    ]);
    expect(reported.at(-1)?.reason).toBe(`SHA-256 ${version.sha256}`);
  });

  it('is removed after 7 days, and when its file or its task is lost; its version stays', async () => {
    const id = await caseWith([note()]);
    const lost = (await exported('U1', id)).version;
    await dependencies.storage.remove(`exports/case-${lost._id}.zip`);
    const { version } = await exported('U1', id);
    const sweep = (nowUs: number) =>
      sweepCaseExports({ db, storage: dependencies.storage, nowUs: () => nowUs, changed() {} });

    await begin('U1', id);
    await db.deleteFrom('tasks').where('state', '=', 'waiting').execute();
    await sweep(lost.expires - 1);
    const [third, second, first] = await list('U1', id);
    expect(third).toMatchObject({ state: 'Failed', message: 'The account that asked for it was deleted.' });
    expect(second?.state).toBe('Ready');
    expect(first).toMatchObject({ state: 'Removed', message: 'Its file is not on the server any more.' });
    await sweep(version.expires + 1);

    expect((await list('U1', id))[1]).toMatchObject({ state: 'Removed', message: 'It was kept for 7 days.' });
    expect(await dependencies.storage.stat(`exports/case-${version._id}.zip`)).toBeNull();
  });
});

describe('where two people are needed', async () => {
  const quota = 400_000;
  const strict = await recordingServer({ config: { caseRelease: 'two', userQuotaBytes: quota } });
  const cases = casesOf(strict);
  const versions = async (who: Subject, id: string) =>
    (await cases.ask<CaseExport[]>(who, 'GET', `/${id}/exports`)).body;
  const settle = () => keepingDependencies(strict.dependencies).tasks.settle();

  async function restricted(who: Subject = 'U1') {
    const id = await cases.made(who, {
      name: 'Two',
      securityClassification: 'RESTRICTED',
      usergroups: [strict.groups.G1],
    });
    await cases.add(who, id, [note()]);
    return id;
  }

  it('a version above UNCLASSIFIED is packed once another person released it, and names both', async () => {
    const id = await restricted();
    const plan = await cases.ask<CaseExportPlan>('U1', 'GET', `/${id}/exports/plan`);
    const { body } = await cases.ask<CaseExport>('U1', 'POST', `/${id}/exports`);
    await settle();
    const release = (who: Subject) =>
      cases.ask<CaseExport & { text: string }>(who, 'POST', `/${id}/exports/${body._id}/release`);

    expect(plan.body.needsRelease).toBe(true);
    expect(body).toMatchObject({ state: 'WaitsForRelease', releasable: false, removable: true });
    expect((await versions('GA', id))[0]).toMatchObject({ state: 'WaitsForRelease', releasable: true });
    expect((await release('U1')).body).toMatchObject({ code: 'ruleRefused' });
    expect((await release('U2')).status).toBe(404);
    expect((await release('GA')).body).toMatchObject({ state: 'Making', releasedBy: 'GA' });
    expect((await release('GA')).body).toMatchObject({ code: 'ruleRefused' });
    await settle();

    expect((await versions('U1', id))[0]).toMatchObject({ state: 'Ready', by: 'U1', releasedBy: 'GA' });
    const { raw } = await strict.ask('U1').get(`/api/cases/${id}/exports/${body._id}/file`);
    const verdict = await verdictOf(raw, null);
    expect(verdict).toMatchObject({ holds: true, manifest: { maker: 'U1', releasedBy: 'GA' } });
    const rows = await strict.db.selectFrom('audit').selectAll().where('item_id', '=', id).orderBy('time').execute();
    const reported = rows.map(({ action, actor_id }) => [action, actor_id]);
    expect(reported).toContainEqual(['case.releaseExport', strict.userId('GA')]);
    expect(rows.find(({ action }) => action === 'case.exported')?.result).toContain(strict.userId('GA'));
  });

  it('an UNCLASSIFIED one is packed at once', async () => {
    const id = await cases.made('U1', { name: 'Open', usergroups: [strict.groups.G1] });
    await cases.add('U1', id, [note()]);

    expect((await cases.ask<CaseExport>('U1', 'POST', `/${id}/exports`)).body.state).toBe('Making');
  });

  it('packages count for the quota of their maker, until they are removed', async () => {
    await strict.db.deleteFrom('tasks').execute();
    await strict.db.deleteFrom('cases').execute();
    const id = await cases.made('A2', { name: 'Open', usergroups: [strict.groups.G1] });
    await cases.add('A2', id, [note()]);
    const make = async () => {
      const { status, body } = await cases.ask<CaseExport>('A2', 'POST', `/${id}/exports`);
      await settle();
      return { status, id: body._id };
    };
    const made = [await make(), await make()];
    const sizes = (await versions('A2', id)).map(({ sizeBytes }) => sizeBytes ?? 0);
    expect(Math.max(...sizes) * 2, 'more than fits').toBeLessThan(quota);
    const third = await make();
    const [failed] = await versions('A2', id);

    expect([...made, third].map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(failed).toMatchObject({ state: 'Failed', message: expect.stringContaining('You may store') });
    await cases.ask('A2', 'DELETE', `/${id}/exports/${made[0]!.id}`);
    await make();
    expect((await versions('A2', id))[0]?.state).toBe('Ready');
    const rows = await strict.db.selectFrom('audit').selectAll().where('result', '=', 'version 3 failed').execute();
    expect(rows).toMatchObject([{ node: 'worker', action: 'case.export', item_id: id }]);
  });
});

describe('a large case', () => {
  const address = join(folder, 'large');
  const bytes = Number(process.env.OSPREY_CASE_TEST_BYTES ?? 10e9);

  it('takes no memory that grows with it, when it is packed and when it is checked', {
    tags: 'long',
    timeout: 1_800_000,
  }, async () => {
    const id = crypto.randomUUID();
    const key = `documents/${id}/original`;
    await dependencies.storage.put(key, [Buffer.from('first')]);
    truncateSync(dependencies.storage.path(key), bytes);
    const hash = createHash('sha256');
    for await (const chunk of dependencies.storage.read(key)) hash.update(chunk as Uint8Array);
    const fields = { size_bytes: bytes, sha256: hash.digest('hex'), file_name: 'long.ts', content: 'other' };
    await addDocument(db, { id, title: 'Long', storage_key: key, ...fields });
    const own = await caseWith([{ kind: 'document', documentId: id }]);
    await begin('U1', own);

    const packed = await grownBy(() => tasks().settle());
    const [version] = await list('U1', own);
    expect(version).toMatchObject({ state: 'Ready' });
    const zip = dependencies.storage.path(`exports/case-${version!._id}.zip`);
    writeFileSync(address, (await keyOf('U1'))[0]!.pem);
    let said = '';
    const write = async (text: string) => {
      said += text;
    };
    const checked = await grownBy(async () => {
      const args = ['verify', zip, '--key', address];
      expect(await runCaseCommand({ write, nowMs: () => performance.now() }, args)).toBe(0);
    });

    expect(said).toContain('The package is what was signed');
    process.stdout.write(
      `case of ${bytes} bytes: ${mib(packed)} more while it is packed, ${mib(checked)} while it is checked\n`,
    );
    expect(Math.max(packed, checked)).toBeLessThan(GROWTH_MAX_BYTES);
    expect((await ask('U1', 'DELETE', `/${own}/exports/${version!._id}`)).status).toBe(200);
    await dependencies.storage.remove(key);
  });

  const mib = (grown: number) => `${Math.round(grown / 2 ** 20)} MiB`;

  /** The most bytes of memory beyond those before. */
  async function grownBy(work: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage.rss();
    let most = before;
    const look = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 100);
    try {
      await work();
    } finally {
      clearInterval(look);
    }
    return most - before;
  }
});
