import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { itemNames } from '@osprey/contract';
import type { Insertable } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/base/db/schema.ts';
import { openApi } from '../../src/base/http/openapi.ts';
import { addShipList } from '../ais.ts';
import { addAnnotation } from '../annotations.ts';
import { addAnyItem } from '../any-item.ts';
import { addCase, addCaseExport, addNote } from '../cases.ts';
import { addDamagedFile } from '../damaged.ts';
import { addDocument } from '../documents.ts';
import { addFile, addMission, addSensor } from '../missions.ts';
import { addPlatform, sensorsOf } from '../platforms.ts';
import { makeUser, testServer } from '../server.ts';
import { exampleOf, type Schema } from './examples.ts';

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
};
type Request = {
  method: string;
  url: string;
  headers?: Record<string, string>;
  payload?: string | Buffer;
  /** A complete request, which passes the checks of form and rights. */
  isGood?: true;
};

/** Sends one of this many hostile requests to each call. */
const EVERY = Number(process.env.OSPREY_FUZZ_EVERY ?? 8);

const server = await testServer();
const { db } = server;

type Items = { known: Record<string, string>; id: string };

/** Existing items, so that a call comes past its checks of rights; new for each call, since calls delete. */
async function itemsFor(operation: string): Promise<Items> {
  const mission = await addMission(db, { state: 'Ready' });
  const sensor = await addSensor(db, mission, { state: 'Ready' });
  const fileId = await addFile(db, sensor, { storage_key: `originals/${sensor}/a.ts` });
  const id = await idFor(operation, mission, sensor);
  const known = {
    mission,
    sensor,
    sensorId: sensor,
    id,
    missionIdOrName: mission,
    fileId,
    page: '1',
    partId: id,
    commentId: id,
    exportId: id,
  };
  return { id, known: { ...known, version: await versionOfPlatforms(), thumbnail: `${id}.webp` } };
}

/** Kinds of items by the names of the calls over them: the first that matches. */
const kinds: [
  RegExp,
  (row: { mission: string; sensor: string; name: string; operation: string }) => Promise<string>,
][] = [
  [/shipList|listedShip/i, () => addShipList(db, {}, { ships: [211_000_000] })],
  [/case/i, ({ operation }) => caseWithParts(operation)],
  [/document/i, document],
  [/bookmark/i, ({ mission, sensor }) => bookmark(mission, sensor)],
  [/snapshotMoment/i, snapshot],
  [/annotation/i, () => addAnnotation(db)],
  [/clip/i, ({ mission, sensor }) => clip(mission, sensor)],
  [/stored(?:Item|Loss)/i, damaged],
  [/platform/i, () => addPlatform(db, { audience: 'everyone' })],
  [/aisRange|receiverPlace/i, liveSensor],
  [/sensor|asset|sidecar|readFileAs/i, async ({ sensor }) => sensor],
  [/usergroup/i, ({ name }) => idOf('usergroups', { name, classification: 1, created: 0 })],
  [/credential/i, credential],
  [/savedSearch/i, savedSearch],
  [
    /retention/i,
    ({ name }) => idOf('retention_rules', { ...none, usergroup_id: null, platform: name, days: 9, created: 0 }),
  ],
  [/watchFolder|importList/i, watchFolder],
  [/resumeExport/i, cancelledClips],
  [/export/i, () => task('export', { state: 'done', result: JSON.stringify({ fileName: 'a.zip' }), size_bytes: 3 })],
  [/import/i, () => task('import', { state: 'uploading', size_bytes: 3, offset_bytes: 0 })],
  [/user|password|link|second/i, account],
  [/job/i, ({ mission, sensor }) => job(mission, sensor)],
];
const none = { created_by: null };

async function idFor(operation: string, mission: string, sensor: string): Promise<string> {
  const make = kinds.find(([names]) => names.test(operation))?.[1];
  if (make) return make({ mission, sensor, name: `n-${crypto.randomUUID()}`, operation });
  const item = itemNames.find((name) => name !== 'mission' && operation.toLowerCase().includes(name));
  return item === undefined ? mission : addAnyItem(db, item);
}

async function liveSensor(): Promise<string> {
  const sensors = await sensorsOf(db, await addPlatform(db, { audience: 'everyone' }));
  return sensors.EO ?? '';
}

/** One order at a time: no worker carries them out here. */
async function damaged({ mission }: { mission: string }): Promise<string> {
  await db.deleteFrom('backup_runs').execute();
  return addDamagedFile(server, mission);
}

/** A picture, so that it has a page; the page is made already. */
async function document(): Promise<string> {
  const id = await addDocument(db, { content: 'png', thumbnail: true });
  for (const name of ['original', 'page-1.webp', 'thumbnail.webp']) {
    await server.dependencies.storage.put(`documents/${id}/${name}`, [Buffer.from('hello')]);
  }
  return id;
}

async function snapshot({ mission }: { mission: string }): Promise<string> {
  const document_id = await document();
  const frame = { sensor_id: null, sensor_name: 'EO', file_id: null, run: null, pts: null, telemetry: null };
  await db
    .insertInto('snapshots')
    .values({ document_id, mission_id: mission, ...frame, taken_time: 1, picture: 'browser' })
    .execute();
  return document_id;
}

async function account({ name }: { name: string }): Promise<string> {
  const id = await makeUser(db, { name, role: 'user', clearance: 1 });
  await db.insertInto('second_factors').values({ user_id: id, secret: 's', created: 1, confirmed: 1 }).execute();
  return id;
}

async function clip(mission_id: string, sensor_id: string): Promise<string> {
  const by = { author_id: null, author: 'a', editor: 'a' };
  const clip_id = await idOf('clips', { mission_id, title: 'c', note: '', tags: [], created: 0, ...by });
  const ends = { in_file: null, in_run: null, in_pts: null, out_file: null, out_run: null, out_pts: null };
  const cut = { clip_id, position: 0, sensor_id, in_time: 0, out_time: 1, ...ends };
  await server.db.insertInto('clip_cuts').values(cut).execute();
  return clip_id;
}

function bookmark(mission_id: string, sensor_id: string): Promise<string> {
  const place = { file_id: null, run: null, pts: null, last_time: 0, thumbnail: null };
  const author = { author_id: null, author: 'a', editor: 'a' };
  return idOf('bookmarks', {
    mission_id,
    sensor_id,
    ...place,
    ...author,
    title: 'b',
    text: '',
    color: '',
    tags: [],
    created: 0,
  });
}

/** With a note, a comment and an export, all with its id. */
async function caseWithParts(operation: string): Promise<string> {
  const id = await addCase(db);
  const removed_time = operation === 'restoreCaseParts' ? Date.now() * 1000 : null;
  await addNote(db, id, { id, removed_time });
  const words = { author_id: null, author: 'a', text: 'c', created: 0 };
  await db
    .insertInto('case_comments')
    .values({ id, case_id: id, ...words })
    .execute();
  await addCaseExport(db, id, { id, created_by_id: server.userId('U1') });
  await server.dependencies.storage.put(`exports/case-${id}.zip`, [Buffer.from('hello')]);
  return id;
}

function job(mission_id: string, sensor_id: string): Promise<string> {
  const plain = { file_id: null, error: null, heartbeat: null, created: 0 };
  return idOf('jobs', { kind: 'ingest', state: 'failed', mission_id, sensor_id, ...plain });
}

function credential({ name }: { name: string }): Promise<string> {
  const times = { created: 0, last_used: 0, expires: Number.MAX_SAFE_INTEGER };
  const secret = { secret_hash: Buffer.from(name), cookie_hash: null, client: '', address: '' };
  return idOf('credentials', { user_id: server.userId('SA'), ...times, ...secret });
}

function savedSearch({ name }: { name: string }): Promise<string> {
  const question = JSON.stringify({ shape: { type: 'Point', coordinates: [0, 0] }, filter: {} });
  return idOf('saved_searches', { user_id: server.userId('SA'), name, question, created: 0 });
}

function watchFolder({ name }: { name: string }): Promise<string> {
  const path = join(server.dataDir, 'inbox', name);
  const platform = JSON.stringify({ name: '', type: 'Plane', presentation: { color: '#22ccdd' } });
  const requested = { path, classification: 1, audience: 'groups' as const, usergroups: [], platform };
  return idOf('watch_folders', { ...requested, user_id: server.userId('SA'), problem: null, created: 0 });
}

async function task(kind: string, fields: Partial<Insertable<Database['tasks']>>): Promise<string> {
  const mission = await addMission(db, { state: 'Ready' });
  const plain = { title: '', input: JSON.stringify({ missions: [mission] }), result: null, error: null, created: 0 };
  const empty = { size_bytes: null, offset_bytes: null, storage_key: null, ended: null, heartbeat: null };
  const user_id = server.userId('SA');
  const id = await idOf('tasks', { kind, user_id, state: 'done', ...plain, ...empty, ...fields });
  await server.dependencies.storage.put(`${kind}s/${id}.zip`, [Buffer.from('zip')]);
  return id;
}

function cancelledClips({ mission, sensor }: { mission: string; sensor: string }): Promise<string> {
  const clips = { container: 'ts', cuts: [{ sensorId: sensor, inUs: 0, outUs: 1 }] };
  return task('export', { state: 'cancelled', input: JSON.stringify({ missions: [mission], clips }) });
}

async function versionOfPlatforms(): Promise<string> {
  const row = { version: 1, created: 0, author_id: null, platforms: JSON.stringify([]) };
  await db
    .insertInto('platform_versions')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return '1';
}

type WithId =
  | 'usergroups'
  | 'jobs'
  | 'bookmarks'
  | 'clips'
  | 'credentials'
  | 'retention_rules'
  | 'watch_folders'
  | 'saved_searches'
  | 'tasks';
async function idOf<Table extends WithId>(table: Table, row: Insertable<Database[Table]>): Promise<string> {
  const made = await db
    .insertInto<WithId>(table)
    .values(row as never)
    .returning('id')
    .executeTakeFirstOrThrow();
  return made.id;
}

const hostile: unknown[] = [
  '',
  ' ',
  '0',
  '-1',
  '1e309',
  'NaN',
  '9007199254740993',
  'true',
  'null',
  '../../../etc/passwd',
  '%00',
  '\u0000',
  '\ud800',
  '\u202e\u{1f6a8}e\u0301',
  "'; drop table missions; --",
  '<script>alert(1)</script>',
  'jndi:ldap://127.0.0.1/x',
  'x'.repeat(3000),
  '[]',
  '{}',
  ',,,,',
  '2026-01-01T00:00:00Z',
  '00000000-0000-4000-8000-000000000000',
];
const hostileJson: unknown[] = [
  ...hostile,
  null,
  true,
  0,
  -1,
  1e308,
  2 ** 53,
  0.1,
  [],
  {},
  [null],
  ['\u0000'],
  ['x'.repeat(300)],
  [[[[[[[[]]]]]]]],
  { __proto__: null, constructor: { prototype: {} } },
  { length: 1e9 },
  Array.from({ length: 600 }, (_, i) => i),
];

const address = (path: string, values: Record<string, string>): string =>
  path.replace(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(wellFormed(values[name] ?? 'x')));

/** A lone surrogate cannot be in an address: its bytes can. */
const wellFormed = (text: string): string => text.toWellFormed();

function* requestsOf(
  path: string,
  method: string,
  { operation, known, id }: { operation: Operation } & Items,
): Generator<Request> {
  const parameters = operation.parameters;
  const inPath = Object.fromEntries(
    parameters.filter((one) => one.in === 'path').map(({ name }) => [name, known[name] ?? id]),
  );
  const required = parameters
    .filter((one) => one.in === 'query' && one.required)
    .map(({ name }): [string, string] => [name, known[name] ?? 'x']);
  const url = (path_: Record<string, string>, query: [string, string][]) => {
    const text = new URLSearchParams(query.map(([name, value]) => [name, wellFormed(value)])).toString();
    return `${address(path, path_)}${text === '' ? '' : `?${text}`}`;
  };
  const type = Object.keys(operation.requestBody?.content ?? {})[0];
  const plain: Request = { method, url: url(inPath, required) };
  yield type === undefined ? { ...plain, isGood: true } : plain;

  for (const { name, in: place } of parameters) {
    for (const value of hostile.map(String)) {
      yield place === 'path'
        ? { ...plain, url: url({ ...inPath, [name]: value }, required) }
        : { ...plain, url: url(inPath, [...required.filter(([other]) => other !== name), [name, value]]) };
    }
    if (place === 'query')
      yield { ...plain, url: url(inPath, [...required, [name, '1'], [name, '2'], ['other', '3']]) };
  }
  if (type === 'application/json') {
    const { schema } = operation.requestBody!.content[type]!;
    const fields = Object.keys(schema.properties ?? { x: {} });
    const headers = { 'content-type': type };
    for (const value of hostileJson) yield { ...plain, headers, payload: JSON.stringify(value) ?? 'undefined' };
    // All else is as it should be, so that the one field comes as far as it can.
    const good = exampleOf(schema, id);
    yield { ...plain, headers, payload: JSON.stringify(good), isGood: true };
    for (const field of fields) {
      for (const value of hostileJson) {
        yield { ...plain, headers, payload: JSON.stringify({ ...(good as object), [field]: value }) };
      }
    }
    for (const payload of ['{', '{"a":1', '[', '"', '\ufeff{}', '{"a":1,"a":2}', 'nul'])
      yield { ...plain, headers, payload };
    yield { ...plain, headers: { 'content-type': 'text/plain' }, payload: 'x' };
    yield { ...plain, headers, payload: `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}` };
  } else if (type === 'application/sdp') {
    const headers = { 'content-type': type };
    for (const payload of [...hostile.map(String), 'v=0\r\n'.repeat(200_000), randomBytes(500)])
      yield { ...plain, headers, payload };
  } else if (type === 'multipart/form-data') {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const forms = [
      '',
      '--x--\r\n',
      '--x\r\n',
      '--x\r\ncontent-disposition: form-data\r\n\r\n1\r\n--x--\r\n',
      `--x\r\ncontent-disposition: form-data; name="__proto__"; filename="${'n'.repeat(5000)}"\r\n\r\nG\r\n--x--\r\n`,
    ];
    for (const payload of forms) yield { ...plain, headers, payload };
    yield { ...plain, headers: { 'content-type': 'multipart/form-data' }, payload: '--x--' };
    yield { ...plain, headers, payload: randomBytes(500) };
    const { schema } = operation.requestBody!.content[type]!;
    const [good = [], ...others] = formsOf(operation.operationId, schema);
    yield { ...plain, headers, payload: formOf(good), isGood: true };
    for (const parts of others) yield { ...plain, headers, payload: formOf(parts) };
  }
}

type Part = { name: string; value: string; fileName?: string };

/** Good fields of each form, so that the one hostile part of it comes as far as it can. */
const goodForms: Record<string, Record<string, string>> = {
  createDocument: { title: 'note', documentType: 'Note', securityClassification: '1', file: 'hello' },
  uploadLicence: { license: 'x' },
  uploadPlatformsConfig: { platforms: 'x' },
  uploadFiles: { file: 'x' },
  importAnnotations: { file: 'x' },
};

function* formsOf(operation: string, schema: Schema): Generator<Part[]> {
  const files = Object.entries(schema.properties ?? { file: { contentMediaType: '' } })
    .filter(([, { contentMediaType }]) => contentMediaType !== undefined)
    .map(([name]) => name);
  const part = (name: string, value: string): Part => ({ name, value, ...(files.includes(name) && { fileName: 'a' }) });
  const good = Object.entries(goodForms[operation] ?? {}).map(([name, value]) => part(name, value));
  yield good;
  for (const name of Object.keys(schema.properties ?? { file: {} })) {
    const others = good.filter((one) => one.name !== name);
    for (const [at, value] of hostile.map(String).entries()) {
      // In turn before and after the file: fields that come first are judged before its bytes are taken.
      yield at % 2 === 0 ? [part(name, value), ...others] : [...others, part(name, value)];
      if (files.includes(name)) yield [...others, { name, value: 'x', fileName: value }];
    }
    yield [...good, part(name, '1'), part(name, '2')];
    yield [...others, files.includes(name) ? { name, value: 'x' } : { name, value: 'x', fileName: 'a' }];
  }
  for (const value of hostile.map(String)) yield [...good, { name: value, value: 'x' }];
}

const formOf = (parts: readonly Part[]): Buffer => {
  const quoted = (text: string) => text.replace(/["\r\n]/g, (sign) => encodeURIComponent(sign));
  const texts = parts.map(({ name, value, fileName }) => {
    const file = fileName === undefined ? '' : `; filename="${quoted(fileName)}"`;
    return `--x\r\ncontent-disposition: form-data; name="${quoted(name)}"${file}\r\n\r\n${value}\r\n`;
  });
  return Buffer.from(`${texts.join('')}--x--\r\n`);
};

const operations = Object.entries(openApi().paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** Calls that are sent without rights only: `shutdown` would end the server. */
const withoutRights = new Set(['shutdown']);
/** The log-out is sent last: it ends the session of the run. */
const last = operations.findIndex(({ operation }) => operation.operationId === 'logout');
operations.push(...operations.splice(last, 1));

describe('every call of the contract, with hostile values', () => {
  it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_name, { path, method, operation }) => {
      const declared = new Set(Object.keys(operation.responses).map(Number));
      const strange: string[] = [];
      let made = 0;
      let asked = 0;
      const good: number[] = [];
      const items = await itemsFor(operation.operationId);
      for (const request of requestsOf(path, method, { operation, ...items })) {
        made += 1;
        if (!request.isGood && made % EVERY !== 1 % EVERY) continue;
        asked += 1;
        // The first and every tenth come without a credential too, and those that must not succeed with that of a user.
        const mayAsk = withoutRights.has(operation.operationId) ? 'U0' : 'SA';
        const { isGood, ...sent } = request;
        for (const who of asked % 10 === 1 ? [server, server.asUser(mayAsk)] : [server.asUser(mayAsk)]) {
          const answer = await who.inject(sent as Parameters<typeof server.inject>[0]);
          if (isGood && who !== server) good.push(answer.statusCode);
          const isFine =
            answer.statusCode < 500 || ([503, 507].includes(answer.statusCode) && declared.has(answer.statusCode));
          if (!isFine)
            strange.push(
              `${answer.statusCode} ${request.url.slice(0, 200)} ${String(request.payload ?? '').slice(0, 200)}`,
            );
        }
      }

      expect(strange).toEqual([]);
      expect(asked).toBeGreaterThan(0);
      if (/\{(?:id|version)\}/.test(path)) expect(good.filter((status) => status !== 404)).not.toEqual([]);
      expect((await server.inject({ method: 'GET', url: '/api/health' })).statusCode).toBe(200);
    },
    60_000,
  );
});

describe('the calls of resumable uploads, with hostile values', () => {
  const tus = { 'tus-resumable': '1.0.0' };
  const offsetType = 'application/offset+octet-stream';
  const pair = (name: string, text: string) => `${name} ${Buffer.from(text).toString('base64')}`;

  it.each([
    ['/api/uploads', ['HEAD', 'PATCH', 'DELETE']],
    ['/api/imports', ['HEAD', 'PATCH']],
  ])(
    '%s',
    async (door, methods) => {
      const mission = await addMission(db, { state: 'Ready' });
      const sensor = await addSensor(db, mission, { state: 'Ready' });
      const strange: string[] = [];

      async function send(method: string, url: string, headers: Record<string, string>, payload?: Buffer) {
        const call = { method, url, headers: { ...tus, ...headers }, ...(payload && { payload }) };
        const answer = await server.asUser('A2').inject(call as Parameters<typeof server.inject>[0]);
        const isFine = answer.statusCode < 500 || answer.statusCode === 507;
        if (!isFine) strange.push(`${answer.statusCode} ${method} ${url} ${JSON.stringify(headers).slice(0, 200)}`);
        return answer;
      }
      async function begun(): Promise<string> {
        const metadata = `${pair('sensorId', sensor)},${pair('filename', 'a.ts')}`;
        const made = await send('POST', door, { 'upload-length': '10', 'upload-metadata': metadata });
        expect(made.statusCode).toBe(201);
        return String(made.headers.location);
      }
      // Bytes that clients cannot put into a header, the parser of HTTP refuses too.
      const texts = hostile.map(String);
      const inHeaders = texts.filter((text) => /^[\x20-\x7e]*$/.test(text));

      for (const text of inHeaders) {
        for (const name of [
          'tus-resumable',
          'upload-length',
          'upload-metadata',
          'upload-defer-length',
          'content-type',
        ]) {
          await send('POST', door, { 'upload-length': '10', [name]: text });
        }
      }
      for (const text of texts) {
        for (const name of ['sensorId', 'filename', 'purpose', 'lastModified', text]) {
          const good = [pair('sensorId', sensor), pair('filename', 'a.ts')].filter(
            (one) => !one.startsWith(`${name} `),
          );
          const metadata = [...good, pair(/^[\x21-\x7e]+$/.test(name) ? name : 'x', text)].join(',');
          await send('POST', door, { 'upload-length': '10', 'upload-metadata': metadata });
        }
        await db.deleteFrom('tasks').execute();
      }
      for (const method of methods) {
        for (const text of texts) {
          const url = `${door}/${encodeURIComponent(wellFormed(text))}`;
          await send(method, url, { 'content-type': offsetType, 'upload-offset': '0' }, Buffer.from('x'));
        }
      }
      const address = await begun();
      for (const text of inHeaders) {
        for (const name of ['tus-resumable', 'upload-offset', 'upload-checksum', 'content-type', 'content-encoding']) {
          const headers = { 'content-type': offsetType, 'upload-offset': '0', 'content-encoding': '', [name]: text };
          await send('PATCH', address, headers, Buffer.from('x'));
        }
      }
      const more = Buffer.alloc(100);
      await send('PATCH', address, { 'content-type': offsetType, 'upload-offset': '0' }, more);

      expect(strange).toEqual([]);
      expect((await send('HEAD', address, {})).headers['upload-offset']).toMatch(/^\d+$/);
    },
    60_000,
  );
});
