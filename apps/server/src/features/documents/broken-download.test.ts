import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Mission } from '@osprey/contract';
import { beforeAll, expect, it } from 'vitest';
import { addCase, addCaseExport } from '../../../test/cases.ts';
import { atEnd } from '../../../test/cleanup.ts';
import { documentsOf } from '../../../test/documents.ts';
import { flightBytes } from '../../../test/flight.ts';
import { recordingServer } from '../../../test/recordings.ts';
import { basicOf } from '../../../test/server.ts';
import { keepingDependencies } from '../../compose/upkeep.ts';
import { credentialRepository } from '../identity/credentials.ts';
import { DEVICE_COOKIE } from '../identity/session.ts';

/** Added to both clocks. */
let aheadMs = 0;
const server = await recordingServer({
  clock: { nowMs: () => performance.now() + aheadMs, nowUs: () => (Date.now() + aheadMs) * 1000 },
});
const { db, dependencies } = server;
/** Factor of the limits: `npm run soak` has the machine for itself. */
const slack = process.env.OSPREY_FIGURES ? 1 : 3;
/** More than the buffers between a server and a client that stops reading can hold. */
const BYTES = 16 * 1024 * 1024;
/** Longer than every link is good for, shorter than a session. */
const HOUR_MS = 3_600_000;

type Headers = Record<string, string>;
type Browser = { id: string; cookie: Headers; page: Headers };
type Download = { path: string; bytes: Buffer };

let address = '';
let mine: Browser;
let another: Browser;
let mission: Mission;
const flight = flightBytes({ seconds: 20, bitsPerSecond: 8e6 });

/** A session of a browser: its page sends Basic with the cookie, its downloads and pictures the cookie alone. */
async function openBrowser(): Promise<Browser> {
  const credentials = credentialRepository({ db, nowUs: dependencies.nowUs });
  const where = { client: 'browser', address: '127.0.0.1', cookie: true };
  const made = await credentials.make({ userId: server.userId('A2'), ...where });
  const cookie = { cookie: `${DEVICE_COOKIE}=${made.cookie}`, 'sec-fetch-site': 'same-origin' };
  return { id: made.id, cookie, page: { ...cookie, authorization: basicOf('A2', made.secret) } };
}

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'osprey-broken-download-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'kea.ts');
  await writeFile(path, flight);
  mission = (await server.record({ name: 'Kea' }, [{ path }], 'A2')).mission;
  [mine, another] = [await openBrowser(), await openBrowser()];
  address = await server.listen();
});

async function ordered<Answer>(method: 'POST' | 'GET', url: string, payload?: object): Promise<Answer> {
  const answer = await server.inject({ method, url, headers: mine.page, ...(payload && { payload }) });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as Answer;
}

/** Reads an answer to its end, or breaks the connection after `breakBehind` bytes. */
async function received(path: string, headers: Headers, breakBehind = Number.POSITIVE_INFINITY) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    httpGet(new URL(path, address), { headers, agent: false }, resolve).once('error', reject);
  });
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= breakBehind) break;
  }
  answer.destroy();
  return { status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) };
}

async function documentLink(): Promise<Download> {
  const bytes = randomBytes(BYTES);
  const { body } = await documentsOf(server).post('A2', { title: 'x' }, { name: 'x.bin', bytes });
  const { accessToken } = await ordered<{ accessToken: string }>('POST', `/api/documents/${body._id}/token`);
  return { path: `/api/documents/${body._id}/content?token=${accessToken}`, bytes };
}

async function originalLink(): Promise<Download> {
  const [sensor] = mission.sensors;
  return { path: `/api/media/${sensor!._id}/${sensor!.assets[0]!._id}.ts`, bytes: flight };
}

async function exportLink(): Promise<Download> {
  const body = { missions: ['Kea'], async: true };
  const { id } = await ordered<{ id: string }>('POST', '/api/missions/export', body);
  await keepingDependencies(dependencies).tasks.settle();
  const { ticket } = await ordered<{ ticket: string }>('POST', `/api/exports/${id}/ticket`);
  const whole = await server.asUser('A2').inject({ url: `/api/exports/${id}` });
  const own = await received(`/api/exports/${id}`, mine.page);
  expect(own.bytes.equals(whole.rawPayload)).toBe(true);
  return { path: `/api/exports/${id}?ticket=${ticket}`, bytes: own.bytes };
}

it.each([
  ['a document, by its link', documentLink],
  ['an original', originalLink],
  ['an archive, by its ticket', exportLink],
])('%s is gone on with in its session after its connection broke, an hour later', async (_what, link) => {
  const { path, bytes } = await link();

  const begun = await received(path, mine.cookie, 100_000);
  aheadMs += HOUR_MS;
  const from = begun.bytes.length;
  const range = { range: `bytes=${from}-`, 'if-range': String(begun.headers.etag) };
  const rest = await received(path, { ...mine.cookie, ...range });

  expect(begun.status).toBe(200);
  expect(from).toBeLessThan(bytes.length);
  // Strong, or browsers start again.
  expect(begun.headers.etag).toMatch(/^"[^"]+"$/);
  expect(rest.status).toBe(206);
  expect(rest.headers['content-range']).toBe(`bytes ${from}-${bytes.length - 1}/${bytes.length}`);
  expect(rest.headers.etag).toBe(begun.headers.etag);
  expect(Buffer.concat([begun.bytes, rest.bytes]).equals(bytes)).toBe(true);
});

it('is sent whole if the tag is that of other bytes, a weak one or a date', async () => {
  const { path, bytes } = await originalLink();

  for (const tag of ['"another"', 'Wed, 21 Oct 2026 07:28:00 GMT', `W/"${mission.sensors[0]!.assets[0]!._id}"`]) {
    const answer = await received(path, { ...mine.cookie, range: 'bytes=1000-', 'if-range': tag });

    expect([tag, answer.status, answer.bytes.equals(bytes)]).toEqual([tag, 200, true]);
  }
});

it('is begun once by the ticket of an archive, however little time has gone by', async () => {
  const { path, bytes } = await exportLink();

  const [first, second] = [await received(path, mine.cookie), await received(path, mine.cookie)];

  expect([first.status, first.bytes.equals(bytes)]).toEqual([200, true]);
  expect(second.status).toBe(404);
});

it('resumes for no other session: an expired link opens nothing without its session, nor what it did not begin', async () => {
  const { path, bytes } = await documentLink();
  const ticketed = await exportLink();
  aheadMs += HOUR_MS;
  const status = async (where: string, headers: Headers) => (await received(where, headers)).status;
  const range = { range: 'bytes=1000-' };

  expect(await status(path, range)).toBe(401);
  expect(await status(path, { ...another.cookie, ...range })).toBe(401);
  expect(await status(path, mine.cookie)).toBe(401);
  expect(await status(`${path}x`, { ...mine.cookie, ...range })).toBe(401);
  expect(await status(ticketed.path, { ...another.cookie, ...range })).toBe(404);
  expect(await status(ticketed.path, mine.cookie)).toBe(404);
  expect(bytes.length).toBe(BYTES);

  await db.deleteFrom('credentials').where('id', '=', mine.id).execute();
  // Reported by a notice, within a second: a transfer that began before it is cut.
  const opened = () => status(path, { ...mine.cookie, ...range }).catch(() => null);
  await expect.poll(opened, { interval: 20 }).toBe(401);
});

/** Finds a document, or the package of a case, to download: its address, and the query that raises its label. */
async function downloadOf(what: 'content' | 'video' | 'package') {
  if (what !== 'package') {
    const { body } = await documentsOf(server).post('A2', { title: 'x' }, { name: 'x.ts', bytes: flight });
    const rise = db.updateTable('documents').set({ classification: 5 }).where('id', '=', body._id);
    return { url: `${address}/api/documents/${body._id}/${what}`, rise };
  }
  const id = await addCase(db);
  const version = await addCaseExport(db, id, { size_bytes: flight.length });
  await dependencies.storage.put(`exports/case-${version}.zip`, [flight]);
  const rise = db.updateTable('cases').set({ own_classification: 5 }).where('id', '=', id);
  return { url: `${address}/api/cases/${id}/exports/${version}/file`, rise };
}

it.each(['content', 'video', 'package'] as const)('T-033 the %s ends with the right to it', async (part) => {
  const { url, rise } = await downloadOf(part);
  const answer = await fetch(url, { headers: server.headersOf('A2') });
  // The client stops reading, so that the download stays open.
  const reader = answer.body!.getReader();
  await reader.read();
  await expect.poll(() => server.reads.size()).toBe(1);

  const started = performance.now();
  await rise.execute();
  await expect.poll(() => server.reads.size(), { interval: 20 }).toBe(0);

  expect(performance.now() - started).toBeLessThan(slack * 1000);
  await expect(drained(reader)).rejects.toThrow();
  expect((await fetch(url, { headers: server.headersOf('A2') })).status).toBe(404);
});

async function drained(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}
