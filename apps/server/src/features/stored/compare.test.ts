import { randomUUID } from 'node:crypto';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabase } from '../../../test/database.ts';
import { addFile, addMission, addSensor } from '../../../test/missions.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import { auditWriter } from '../../base/audit/writer.ts';
import type { Database } from '../../base/db/schema.ts';
import { readSetting, writeSetting } from '../../base/db/settings.ts';
import { folderStorage } from '../../base/storage/folder.ts';
import type { Storage } from '../../base/storage/storage.ts';
import { type FoundDamage, reportDamage } from '../../base/stored/report-damage.ts';
import { type StoredFiles, storedFiles } from '../../base/stored/stored-files.ts';
import { compareFiles } from '../missions/compare-files.ts';
import { filesCheck } from '../system/checks.ts';
import { comparison } from './compare.ts';

let db: Kysely<Database>;
let root: string;
let storage: Storage;
let stored: StoredFiles;
let lines: string[];
let changed: string[];
const nowUs = () => Date.now() * 1000;

beforeEach(async () => {
  db = await testDatabase();
  root = await mkdtemp(join(tmpdir(), 'osprey-compare-'));
  atEnd(() => rm(root, { recursive: true, force: true }));
  storage = folderStorage({ root });
  stored = storedFiles({ db, nowUs });
  [lines, changed] = [[], []];
});

async function recorded(classification = 1) {
  const missionId = await addMission(db, { classification });
  const sensorId = await addSensor(db, missionId);
  const id = randomUUID();
  const key = `originals/${sensorId}/${id}.ts`;
  const { sha256 } = await storage.put(key, [Buffer.from('bytes')]);
  await addFile(db, sensorId, { id, storage_key: key, size_bytes: 5, sha256 });
  return { id, noun: 'files' as const, missionId, key };
}

function compare(): Promise<void> {
  const asking = { actor: null, session: null, address: '' };
  const audit = requestAudit(auditWriter({ db, node: 'worker', log: console }), asking, nowUs);
  const log = { error: (_fields: object, text: string) => void lines.push(text) };
  return comparison({
    ...{ storage, stored },
    look: () => compareFiles({ db, storage }),
    state: { read: () => readSetting(db, 'files'), write: (found) => writeSetting(db, 'files', found) },
    away: async ({ files }) => void lines.push(`away ${files}`),
    missing: (found: readonly FoundDamage[]) => reportDamage({ db, audit, log }, found),
    changed: (items) => void changed.push(...items.map(({ itemId }) => itemId)),
  })();
}

const rows = () =>
  db.selectFrom('audit').select(['action', 'item_id', 'item_label', 'reason']).orderBy('seq').execute();
const health = () => filesCheck(db, stored)();

it('names a missing file with its mission and label, once, and health says what the list of damaged files has', async () => {
  const [lost, complete] = [await recorded(3), await recorded()];
  await rm(storage.path(lost.key));

  await compare();
  await compare();

  const reason = `${lost.key}: it is missing`;
  expect(await rows()).toEqual([{ action: 'file.damaged', item_id: lost.missionId, item_label: 3, reason }]);
  expect(lines).toEqual(['a stored file is damaged']);
  expect(changed).toEqual([lost.missionId]);
  expect((await stored.open()).map(({ id }) => id)).toEqual([lost.id]);
  expect(await health()).toMatchObject({
    state: 'failed',
    text: expect.stringContaining(`one file of recordings and documents, ${lost.key}`),
  });
  await stored.accept(lost, { by: randomUUID(), reason: 'nobody needs it' }).catch(() => undefined);
  expect(await stored.read(complete)).toMatchObject({ fault: null });
});

it('is one line, one row and one entry of health for many missing files, and the list names each', async () => {
  const files = [];
  for (let i = 0; i < 12; i++) files.push(await recorded(1 + (i % 5)));
  for (const { key } of files) await rm(storage.path(key));

  await compare();

  expect(lines).toEqual(['stored files are damaged']);
  const [row, ...more] = await rows();
  expect(more).toEqual([]);
  expect(row).toMatchObject({ action: 'file.damaged', item_id: null, item_label: 5 });
  expect(row?.reason).toMatch(/^12 files, the first: /);
  expect(row?.reason?.match(/it is missing/g)).toHaveLength(10);
  expect((await stored.open()).map(({ id }) => id).sort()).toEqual(files.map(({ id }) => id).sort());
  const { text } = await health();
  expect(text).toMatch(/^Not in the storage: 12 files of recordings and documents, the first /);
  expect(text.match(/originals\//g)).toHaveLength(10);
});

it('marks nothing while the disk itself is away, says so once, and is as before when it is back', async () => {
  const files = [await recorded(), await recorded()];
  await rename(root, `${root}-away`);

  await compare();
  await compare();

  expect(lines).toEqual(['away 2']);
  expect(await stored.open()).toEqual([]);
  expect(await health()).toMatchObject({
    state: 'failed',
    text: expect.stringMatching(/^The disk of .* is not there, with 2 files/),
  });
  await rename(`${root}-away`, root);
  await compare();
  expect(await health()).toMatchObject({ state: 'ok' });
  for (const file of files) expect(await stored.read(file)).toMatchObject({ fault: null });
});

it('takes the mark from a file that is there again', async () => {
  const { key, id, missionId } = await recorded();
  await rename(storage.path(key), `${root}/kept`);
  await compare();
  expect(await stored.open()).toHaveLength(1);

  await rename(`${root}/kept`, storage.path(key));
  changed = [];
  await compare();

  expect(await stored.open()).toEqual([]);
  expect(changed).toEqual([missionId]);
  expect(await stored.read({ noun: 'files', id })).toMatchObject({ fault: null });
  expect(await health()).toMatchObject({ state: 'ok' });
});
