import { randomBytes } from 'node:crypto';
import type { Insertable } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/db/schema.ts';
import { openApi } from '../../src/http/openapi.ts';
import { addDocument } from '../documents.ts';
import { addMission, addSensor } from '../missions.ts';
import { addPlatform } from '../platforms.ts';
import { makeUser, testServer } from '../server.ts';
import { exampleOf, type Schema } from './examples.ts';

type Parameter = { name: string; in: 'path' | 'query'; required: boolean; schema: Schema };
type Operation = {
  operationId: string;
  parameters: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, unknown>;
};
type Request = { method: string; url: string; headers?: Record<string, string>; payload?: string | Buffer };

const server = await testServer();
const { db } = server;

type Items = { known: Record<string, string>; id: string };

/** What is there, so that a call comes past its door; new for each call, since calls delete. */
async function itemsFor(operation: string): Promise<Items> {
  const mission = await addMission(db, { state: 'Ready' });
  const sensor = await addSensor(db, mission, { state: 'Ready' });
  const id = await idFor(operation, mission, sensor);
  return { id, known: { mission, sensor, sensorId: sensor, id, missionIdOrName: mission } };
}

async function idFor(operation: string, mission: string, sensor: string): Promise<string> {
  const name = `n-${crypto.randomUUID()}`;
  if (/document/i.test(operation)) return addDocument(db);
  if (/platform/i.test(operation)) return addPlatform(db, { audience: 'everyone' });
  if (/sensor|asset/i.test(operation)) return sensor;
  if (/usergroup/i.test(operation)) return idOf('usergroups', { name, classification: 1, created: 0 });
  if (/user|password|link|second/i.test(operation)) return makeUser(db, { name, role: 'user', clearance: 1 });
  if (/job/i.test(operation)) {
    const none = { sensor_id: sensor, file_id: null, error: null, heartbeat: null };
    return idOf('jobs', { kind: 'ingest', state: 'failed', mission_id: mission, created: 0, ...none });
  }
  return mission;
}

async function idOf<Table extends 'usergroups' | 'jobs'>(
  table: Table,
  row: Insertable<Database[Table]>,
): Promise<string> {
  const made = await db
    .insertInto<'usergroups' | 'jobs'>(table)
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

/** A lone surrogate cannot stand in an address: its bytes can. */
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
  yield plain;

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
    yield { ...plain, headers, payload: JSON.stringify(good) };
    for (const field of fields) {
      for (const value of hostileJson) {
        yield { ...plain, headers, payload: JSON.stringify({ ...(good as object), [field]: value }) };
      }
    }
    for (const payload of ['{', '{"a":1', '[', '"', '\ufeff{}', '{"a":1,"a":2}', 'nul'])
      yield { ...plain, headers, payload };
    yield { ...plain, headers: { 'content-type': 'text/plain' }, payload: 'x' };
    yield { ...plain, headers, payload: `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}` };
  } else if (type === 'multipart/form-data') {
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const forms = [
      '',
      '--x--\r\n',
      '--x\r\n',
      '--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n1\r\n--x--\r\n',
      '--x\r\ncontent-disposition: form-data\r\n\r\n1\r\n--x--\r\n',
      '--x\r\ncontent-disposition: form-data; name="file"; filename="../../a.ts"\r\n\r\nG\r\n--x--\r\n',
      `--x\r\ncontent-disposition: form-data; name="__proto__"; filename="${'n'.repeat(5000)}"\r\n\r\nG\r\n--x--\r\n`,
    ];
    for (const payload of forms) yield { ...plain, headers, payload };
    yield { ...plain, headers: { 'content-type': 'multipart/form-data' }, payload: '--x--' };
    yield { ...plain, headers, payload: randomBytes(500) };
  }
}

const operations = Object.entries(openApi().paths as Record<string, Record<string, Operation>>).flatMap(
  ([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
);

/** It would end the server. */
const withoutRights = new Set(['shutdown']);
/** It ends the session of the run. */
const last = operations.findIndex(({ operation }) => operation.operationId === 'logout');
operations.push(...operations.splice(last, 1));

describe('every call of the contract, with what nobody would send', () => {
  it.each(operations.map((one) => [`${one.method} ${one.path}`, one] as const))(
    '%s',
    async (_name, { path, method, operation }) => {
      const declared = new Set(Object.keys(operation.responses).map(Number));
      const strange: string[] = [];
      let asked = 0;
      const items = await itemsFor(operation.operationId);
      for (const request of requestsOf(path, method, { operation, ...items })) {
        asked += 1;
        // Every tenth comes without a credential, and what must not succeed with that of a user.
        const mayAsk = withoutRights.has(operation.operationId) ? 'U0' : 'SA';
        const who = asked % 10 === 0 ? server : server.asUser(mayAsk);
        const answer = await who.inject(request as Parameters<typeof server.inject>[0]);
        const isFine =
          answer.statusCode < 500 || ([503, 507].includes(answer.statusCode) && declared.has(answer.statusCode));
        if (!isFine)
          strange.push(
            `${answer.statusCode} ${request.url.slice(0, 200)} ${String(request.payload ?? '').slice(0, 200)}`,
          );
      }

      expect(strange).toEqual([]);
      expect(asked).toBeGreaterThan(0);
      expect((await server.inject({ method: 'GET', url: '/api/health' })).statusCode).toBe(200);
    },
    60_000,
  );
});
