import { AppError, type newDocument } from '@osprey/contract';
import { beforeEach, expect, it } from 'vitest';
import type { z } from 'zod';
import { documentsOf } from '../../../test/documents.ts';
import { recordingServer } from '../../../test/recordings.ts';
import type { Subject } from '../../../test/server.ts';
import { actorsById } from '../../base/access/actors.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import { auditWriter } from '../../base/audit/writer.ts';
import { admission } from '../../uploads/admission.ts';
import { packagesOf } from '../cases/exports/used-bytes.ts';
import { documentChanges } from './changes.ts';
import { documentCreator, type GivenBytes, type GivenFile } from './create.ts';
import { documentRepository } from './repository.ts';

const server = await recordingServer({ jobs: ['document'] });
const { db, groups } = server;
const { storage, queue, nowUs, config, log } = server.dependencies;
const { post, list } = documentsOf(server);

const place = { type: 'Point', coordinates: [24.1, 37.5] };
const bytes = Buffer.from(JSON.stringify({ type: 'Feature', geometry: place, properties: { name: 'Lighthouse' } }));
const fileName = 'Kea/light.geojson';
const requested: z.input<typeof newDocument> = {
  title: 'Light',
  documentType: 'Report',
  securityClassification: 2,
  usergroups: [groups.G1],
  tags: ['coast'],
};

/** In small pieces, as a stream brings them. */
async function* pieces(complete: Uint8Array) {
  for (let start = 0; start < complete.byteLength; start += 7) yield complete.subarray(start, start + 7);
}

const changedIds: string[] = [];

function creator(limits: { userQuotaBytes?: number; reserveBytes?: number } = {}) {
  return documentCreator({
    storage,
    admission: admission({ db, storage, nowUs, packagesOf, reserveBytes: null, userQuotaBytes: null, ...limits }),
    documents: documentRepository({ db }),
    changes: documentChanges({ db, queue, nowUs, systemHigh: config.systemHigh }),
    changed: (_noun, ids) => changedIds.push(...ids),
  });
}

async function by(who: Subject) {
  const { actor } = (await actorsById(db, [server.userId(who)])).get(server.userId(who))!;
  const asking = { actor, session: null, address: '' };
  return { actor, audit: requestAudit(auditWriter({ db, node: 'worker', log }), asking, nowUs) };
}

const create = async (file: GivenBytes | GivenFile, fields = {}, who: Subject = 'U1') =>
  (await creator().createDocument(await by(who), file, { ...requested, ...fields })).id;

async function keys(): Promise<string[]> {
  const found: string[] = [];
  for (const folder of ['uploads', 'documents', 'made']) {
    for await (const { key } of storage.list(folder)) found.push(key);
  }
  return found.sort();
}

/** All rows and files of a document, without what differs from one to the next. */
async function traceOf(id: string) {
  const { creation_time, storage_key, ...row } = await db
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const of = { document_id: id };
  const groupsOf = await db
    .selectFrom('document_usergroups')
    .select('usergroup_id')
    .where(...is(of))
    .execute();
  const shapes = await db
    .selectFrom('document_shapes')
    .select('shape')
    .where(...is(of))
    .execute();
  const jobs = await db
    .selectFrom('jobs')
    .select(['kind', 'state'])
    .where(...is(of))
    .execute();
  const audit = await db
    .selectFrom('audit')
    .select(['action', 'actor_id', 'role', 'item_label', 'groups', 'decision', 'result'])
    .where('item_id', '=', id)
    .execute();
  const stored: Buffer[] = [];
  for await (const part of storage.read(storage_key)) stored.push(part as Buffer);
  const files = (await keys()).filter((key) => key.includes(id)).map((key) => key.replace(id, 'id'));
  return { row: { ...row, id: null }, groupsOf, shapes, jobs, audit, files, text: Buffer.concat(stored).toString() };
}
const is = ({ document_id }: { document_id: string }) => ['document_id', '=', document_id] as const;

beforeEach(async () => {
  await db.deleteFrom('documents').execute();
  changedIds.length = 0;
});

it('equals one that is uploaded, whether from bytes or from a file of the storage', async () => {
  const lists = { usergroups: JSON.stringify([groups.G1]), tags: '["coast"]' };
  const fields = { title: 'Light', documentType: 'Report', securityClassification: '2', ...lists };
  const uploaded = (await post('U1', fields, { name: fileName, bytes })).body._id;
  await storage.put('made/light', [bytes]);

  const ofBytes = await create({ fileName, bytes: pieces(bytes) });
  const ofFile = await create({ fileName, key: 'made/light' });
  await server.work();

  const trace = await traceOf(uploaded);
  expect(await traceOf(ofBytes)).toEqual(trace);
  expect(await traceOf(ofFile)).toEqual(trace);
  expect(trace).toMatchObject({
    row: { file_name: 'light.geojson', content: 'geojson', state: 'Ready', author: 'U1', marked: true },
    jobs: [{ kind: 'document', state: 'done' }],
    audit: [{ action: 'document.create', item_label: 2, groups: [groups.G1] }],
    text: bytes.toString(),
  });
  expect(trace.shapes).toHaveLength(1);
  expect(changedIds).toEqual([ofBytes, ofFile]);
  const found = (await list('U1', 'search=lighthouse')).map(({ _id }) => _id).sort();
  expect(found).toEqual([uploaded, ofBytes, ofFile].sort());
  expect(await storage.stat('made/light')).toBeNull();
});

it('takes the id that is given, and a second try finds the document of the first', async () => {
  const id = crypto.randomUUID();
  await storage.put('made/once', [bytes]);
  await storage.put('made/again', [Buffer.from('other bytes')]);

  expect(await create({ fileName, key: 'made/once', id })).toBe(id);
  expect(await create({ fileName, key: 'made/again', id })).toBe(id);

  expect((await list('SA')).map(({ _id }) => _id)).toEqual([id]);
  expect((await traceOf(id)).text).toBe(bytes.toString());
  expect((await storage.stat('made/again'))?.sizeBytes).toBe(11);
  await storage.remove('made/again');
});

async function* broken() {
  yield bytes.subarray(0, 5);
  throw new AppError('unavailable');
}

const crossed = [
  [
    [0, 0],
    [2, 2],
    [2, 0],
    [0, 2],
    [0, 0],
  ],
];
const refusals: [string, string, { who?: Subject; fields?: object; file?: GivenBytes; limits?: object }][] = [
  ['a title that is no title', 'invalid', { fields: { title: 'a/b' } }],
  ['a label above the clearance', 'forbidden', { fields: { securityClassification: 5 } }],
  ['a usergroup that is not theirs', 'unknownUsergroup', { fields: { usergroups: [crypto.randomUUID()] } }],
  ['the guest', 'forbidden', { who: 'guest' }],
  ['an outline that crosses itself', 'invalid', { fields: { geometry: { type: 'Polygon', coordinates: crossed } } }],
  ['no bytes', 'emptyFile', { file: { fileName, bytes: pieces(Buffer.alloc(0)) } }],
  ['a NUL in the name', 'unsupportedFile', { file: { fileName: 'a\0b', bytes: pieces(bytes) } }],
  ['bytes that end early', 'unavailable', { file: { fileName, bytes: broken() } }],
  ['a user without room', 'quotaReached', { limits: { userQuotaBytes: bytes.byteLength - 1 } }],
  ['a full disk', 'diskFull', { limits: { reserveBytes: 1e18 } }],
];

it.each(refusals)('refuses %s and leaves no bytes', async (_what, code, { who, fields, file, limits }) => {
  const before = await keys();
  const audited = await db.selectFrom('audit').select('seq').execute();
  const jobs = await db.selectFrom('jobs').select('id').execute();

  const made = creator(limits).createDocument(await by(who ?? 'U1'), file ?? { fileName, bytes: pieces(bytes) }, {
    ...requested,
    ...fields,
  });

  expect(await made.catch((error: AppError) => error.code)).toBe(code);
  expect(await keys()).toEqual(before);
  expect(await db.selectFrom('documents').select('id').execute()).toEqual([]);
  expect(await db.selectFrom('audit').select('seq').execute()).toEqual(audited);
  expect(await db.selectFrom('jobs').select('id').execute()).toEqual(jobs);
  expect(changedIds).toEqual([]);
});

it('leaves a refused file of the storage at its key', async () => {
  await storage.put('made/kept', [bytes]);
  const before = await keys();

  await expect(create({ fileName, key: 'made/kept' }, { title: '' })).rejects.toMatchObject({ code: 'invalid' });
  const geometry = { type: 'Polygon', coordinates: crossed };
  await expect(create({ fileName, key: 'made/kept' }, { geometry })).rejects.toMatchObject({ code: 'invalid' });

  expect(await keys()).toEqual(before);
  await storage.remove('made/kept');
});
