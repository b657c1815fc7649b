import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { plainHashing, readZip, verifyPackage } from '@osprey/case-package';
import type { CaseExport, CaseRow } from '@osprey/contract';
import { type Kysely, sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { atEnd } from '../../test/cleanup.ts';
import { inDatabaseOf, type OldFolder, readOldFolder, unpackedFolder } from '../../test/old-folder.ts';
import { type RunningServer, startServer } from '../../test/running-server.ts';
import { basicOf } from '../../test/server.ts';
import type { Database } from '../base/db/schema.ts';

type Account = 'admin' | 'analyst' | 'visitor';
type OldCases = OldFolder & {
  /** The answers that each account got at the end, by path; and sums of the packages that the analyst may download. */
  answers: Record<Account, Record<string, unknown>> & { packages: Record<string, string> };
};
type PartRow = Record<string, unknown> & { id: string };

const headers: Record<Account, { authorization: string }> = {
  admin: { authorization: basicOf('admin', 'correct horse battery') },
  analyst: { authorization: basicOf('analyst', 'Kestrel-analyst-over-sea') },
  visitor: { authorization: basicOf('visitor', 'Kestrel-visitor-over-sea') },
};
const SOURCES = ['document_id', 'annotation_id', 'bookmark_id', 'clip_id', 'sensor_id'];

const folder = mkdtempSync(join(tmpdir(), 'osprey-old-cases-'));
atEnd(() => rmSync(folder, { recursive: true, force: true }));

let old: OldCases;
let dataDir: string;
let before: PartRow[];
let server: RunningServer;

/** Bins, parts that were taken out, and packages go after some time. */
async function asIfNow(db: Kysely<Database>) {
  const times: [table: string, column: string][] = [
    ...['missions', 'documents', 'annotations', 'bookmarks', 'cases'].map((one): [string, string] => [
      one,
      'deleted_time',
    ]),
    ...[['case_parts', 'removed_time'] as const, ['case_exports', 'expires_time'] as const].map(
      ([table, column]): [string, string] => [table, column],
    ),
  ];
  await sql`set session_replication_role = replica`.execute(db);
  for (const [table, column] of times) {
    await sql`update ${sql.table(table)} set ${sql.ref(column)} = ${sql.ref(column)} + age.span
      from (select (extract(epoch from now()) * 1000000)::bigint - max(changed) as span from cases) age`.execute(db);
  }
}

const partsIn = async (db: Kysely<Database>): Promise<PartRow[]> =>
  (await sql<PartRow>`select * from case_parts order by id`.execute(db)).rows;

async function ask<Answer>(path: string, who: Account, method: 'GET' | 'POST' = 'GET'): Promise<Answer> {
  const answer = await fetch(new URL(`/api/${path}`, server.address), { method, headers: headers[who] });
  const text = await answer.text();
  expect(answer.status, `${path} ${text}`).toBe(200);
  return JSON.parse(text) as Answer;
}

async function download(path: string): Promise<Buffer> {
  const answer = await fetch(new URL(`/api/${path}`, server.address), { headers: headers.analyst });
  expect(answer.status).toBe(200);
  return Buffer.from(await answer.arrayBuffer());
}

const sumOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bytes of the files of a package, by path. */
function unzipped(zip: Uint8Array): Map<string, Buffer> {
  const place = mkdtempSync(join(folder, 'package-'));
  writeFileSync(join(place, 'case.zip'), zip);
  execFileSync('unzip', ['-q', 'case.zip', '-d', 'unpacked'], { cwd: place });
  const files = readdirSync(join(place, 'unpacked'), { recursive: true, withFileTypes: true }).filter((one) =>
    one.isFile(),
  );
  return new Map(
    files.map((one) => {
      const path = join(one.parentPath, one.name);
      return [path.slice(join(place, 'unpacked/').length), readFileSync(path)];
    }),
  );
}

/** The outcome that a page in a package shows for a zip: its worker, which is a text in its script, does all of the check. */
function outcomeOf(page: Buffer, zip: Buffer): Promise<unknown> {
  const text = /new Blob\(\[(.*)\],\{type:`text\/javascript`\}\)/s.exec(page.toString())![1]!;
  const work = runInThisContext(`(function (self) {${runInThisContext(text)}\n})`);
  return new Promise((resolve) => {
    work({
      postMessage: (message: { kind: string }) => message.kind !== 'progress' && resolve(message),
      addEventListener: (_event: 'message', check: (message: object) => void) =>
        queueMicrotask(() => check({ data: { zip: new File([new Uint8Array(zip)], 'case.zip') } })),
    });
  });
}

beforeAll(async () => {
  old = await readOldFolder<OldCases>('e3948b17');
  dataDir = await unpackedFolder(old, async (db) => {
    await asIfNow(db);
    before = await partsIn(db);
  });
  server = await startServer(dataDir);
}, 120_000);

it('answers the page of each case as the version before contents did', async () => {
  // When a package goes was moved with the folder, and the packages were downloaded after these answers.
  const plain = (answer: unknown) =>
    (answer as Record<string, unknown>[]).map(({ expires: _expires, downloads: _downloads, ...rest }) => rest);
  const states = new Set<string>();
  for (const who of ['admin', 'analyst', 'visitor'] as const) {
    const paths = Object.entries(old.answers[who]);
    expect(paths.length).toBeGreaterThan(0);
    for (const [path, answered] of paths) {
      expect(plain(await ask(path, who)), `${who} ${path}`).toEqual(plain(answered));
      if (!path.endsWith('/parts')) continue;
      for (const { kind, state } of answered as { kind: string; state: string }[]) states.add(`${kind} ${state}`);
    }
  }
  // The folder has each kind in each state.
  const kinds = ['clip', 'bookmark', 'annotation', 'document', 'track'].flatMap((kind) =>
    ['shown', 'inBin', 'gone'].map((state) => `${kind} ${state}`),
  );
  expect([...states].sort()).toEqual([...kinds, 'note shown', 'snapshot gone', 'snapshot shown'].sort());
});

it('lists, sends and verifies packages that were made before', async () => {
  const keys = await ask<{ pem: string }[]>('cases/keys', 'analyst');
  const packages = Object.entries(old.answers.packages);
  expect(packages.length).toBeGreaterThan(2);
  for (const [path, sum] of packages) {
    const bytes = await download(path);
    expect(sumOf(bytes), path).toBe(sum);
    const zip = await readZip({ sizeBytes: bytes.length, read: async (from, to) => bytes.subarray(from, to) });
    const verdict = await verifyPackage(zip, { hashing: plainHashing, keyPem: keys[0]!.pem });
    expect(verdict).toMatchObject({ holds: true, signer: 'known', faults: [] });
  }
});

it('exports a case with the same files as the version before contents did', async () => {
  const [onHold] = (await ask<CaseRow[]>('cases', 'analyst')).filter(({ name }) => name === 'Held');
  const exports = `cases/${onHold!._id}/exports`;
  const begun = await ask<CaseExport>(exports, 'analyst', 'POST');
  const made = async () => (await ask<CaseExport[]>(exports, 'analyst')).find(({ _id }) => _id === begun._id)!;
  await expect.poll(async () => (await made()).state, { timeout: 60_000 }).toBe('Ready');
  const [first] = (await ask<CaseExport[]>(exports, 'analyst')).filter(({ version }) => version === 1);

  const [oldZip, newZip] = [
    await download(`${exports}/${first!._id}/file`),
    await download(`${exports}/${begun._id}/file`),
  ];
  const [was, is] = [unzipped(oldZip), unzipped(newZip)];
  const page = was.get('check.html')!;
  const whole = { kind: 'verdict', verdict: { holds: true, faults: [] } };
  expect([await outcomeOf(page, oldZip), await outcomeOf(page, newZip)]).toMatchObject([whole, whole]);
  const middle = newZip.length >> 1;
  newZip[middle] = newZip[middle]! ^ 1;
  expect(await outcomeOf(page, newZip)).toMatchObject({ kind: 'verdict', verdict: { holds: false } });
  // Packages have the sum of audit.json since then, and their README names it.
  expect([...is.keys()].sort()).toEqual([...was.keys(), 'SHA256SUMS.audit'].sort());
  const others = [...is.keys()]
    .filter((path) => was.has(path) && sumOf(is.get(path)!) !== sumOf(was.get(path)!))
    .sort();
  // Since 7764a6f8 a clip has the set before its first picture too, and clip.json says when it was cut. All other files of
  // parts have the same sum.
  const ofParts = others.filter((path) => path.startsWith('parts/'));
  const [clip, video] = ofParts;
  expect(ofParts).toEqual([
    expect.stringMatching(/^parts\/0001-clip-[^/]*\/clip\.json$/),
    expect.stringMatching(/^parts\/0001-clip-[^/]*\/osprey_[^/]*\.ts$/),
  ]);
  const stream = (files: Map<string, Buffer>, of: 'v' | 'd') =>
    execFileSync('ffmpeg', ['-v', 'error', '-i', '-', '-map', `0:${of}:0`, '-c', 'copy', '-f', 'data', '-'], {
      input: files.get(video!)!,
    });
  expect(sumOf(stream(is, 'v'))).toBe(sumOf(stream(was, 'v')));
  const [sets, setsBefore] = [stream(is, 'd'), stream(was, 'd')];
  expect(sumOf(sets.subarray(-setsBefore.length))).toBe(sumOf(setsBefore));
  expect(others.filter((path) => !ofParts.includes(path))).toEqual([
    ...['README.txt', 'SHA256SUMS', 'audit.json', 'case.json', 'manifest.json', 'manifest.sig', 'report.html'],
  ]);
  for (const path of [clip!, 'case.json', 'report.html']) {
    expect(plainText(is, path, begun.version), path).toBe(plainText(was, path, first!.version));
  }
  const listed = (files: Map<string, Buffer>) =>
    files
      .get('SHA256SUMS')!
      .toString()
      .split('\n')
      .filter((line) => !others.some((path) => line.endsWith(`  ${path}`)));
  expect(listed(is)).toEqual(listed(was));
}, 120_000);

/** A file of a package without version, time of making, and what the files of the clip differ by. */
function plainText(files: Map<string, Buffer>, path: string, version: number): string {
  const made = (JSON.parse(files.get('manifest.json')!.toString()) as { made: string }).made;
  const fileOf = (end: string) =>
    [...files].find(([name]) => name.startsWith('parts/0001-clip-') && name.endsWith(end))![1];
  const video = fileOf('.ts');
  return (
    files
      .get(path)!
      .toString()
      .replaceAll(sumOf(fileOf('/clip.json')), '(sum)')
      .replaceAll(sumOf(video), '(sum)')
      .replaceAll(`"sizeBytes": ${video.length}`, '"sizeBytes": (bytes)')
      .replaceAll(`<td>${video.length}</td>`, '<td>(bytes)</td>')
      // The first version was exported before the small picture of this document was made.
      .replace(/<figure><img src="data:image\/webp;base64,[^"]*" alt="Picture of Kea log"><\/figure>/, '')
      .replace(/"elementsOutside": \d+/, '"elementsOutside": (sets)')
      .replace(/"created": "[^"]*"/, '"created": "(time)"')
      .replaceAll(made.slice(0, 23).replace('T', ' '), '(time)')
      .replace(`Version ${version},`, 'Version (n),')
      .replace(`<dt>Version</dt><dd>${version}</dd>`, '<dt>Version</dt><dd>(n)</dd>')
      .replace(new RegExp(`^(  ?"version": )${version},`, 'm'), path === 'case.json' ? '$1(n),' : '$&')
  );
}

it('keeps every row of parts, with its source in one column', async () => {
  await server.stop();
  const after = await inDatabaseOf(dataDir, partsIn);
  const expected = before.map((row) => {
    const rest = Object.entries(row).filter(([column]) => !SOURCES.includes(column));
    const subject = SOURCES.map((column) => row[column]).find((id) => id !== null) ?? null;
    return { ...Object.fromEntries(rest), subject_id: subject };
  });
  expect(after).toEqual(expected);
});
