import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, it } from 'vitest';
import { atEnd } from '../../../test/cleanup.ts';
import { testDatabase } from '../../../test/database.ts';
import { signCheckpoint } from '../../base/audit/checkpoint.ts';
import { auditCheckpoints, missingTail } from '../../base/audit/checkpoints.ts';
import { auditDirectories } from '../../base/audit/directories.ts';
import { requestAudit } from '../../base/audit/request-audit.ts';
import { publicKeysOf, signingKey } from '../../base/audit/signing-key.ts';
import { auditWriter } from '../../base/audit/writer.ts';
import type { AuditEntry } from '../../base/db/audit-rows.ts';
import type { Database } from '../../base/db/schema.ts';
import { runAuditCommand } from '../../commands/audit-command.ts';
import { removeOldAudit } from './retention.ts';

const DAY_US = 24 * 3600 * 1e6;
const KEEP_DAYS = 100;
const log = { error: (fields: object) => expect.unreachable(JSON.stringify(fields)) };

let db: Kysely<Database>;
let directories: ReturnType<typeof auditDirectories>;
/** The day it is. */
let today: number;
const nowUs = () => 1_700_000_000_000_000 + today * DAY_US;

beforeEach(async () => {
  db = await testDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'osprey-audit-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  directories = auditDirectories(folder);
  today = 0;
});

const entry = (action: string): AuditEntry => ({
  ...{ time: nowUs(), monotonic: 0, actor_id: null, role: null, clearance: null, session: null, address: null },
  ...{ action, item_id: null, item_label: null, groups: null, decision: 'allowed', via: null, result: null },
  reason: null,
});

async function write(node: string, count: number): Promise<void> {
  const writer = auditWriter({ db, node, log });
  await Promise.all(Array.from({ length: count }, () => writer.write(entry('mission.read'))));
}

async function sign(): Promise<void> {
  const key = await signingKey(directories.keys);
  const checkpoints = auditCheckpoints({ db, key, file: directories.checkpoints, nowUs, nowMs: () => 0, log });
  // Closing signs all rows that have no checkpoint yet.
  await checkpoints.close();
}

const remove = async () =>
  removeOldAudit({
    ...{ db, nowUs, keepDays: KEEP_DAYS, keys: await publicKeysOf(directories.keys) },
    audit: requestAudit(auditWriter({ db, node: 'main', log }), { actor: null, session: null, address: '' }, nowUs),
  });

async function verify(): Promise<string> {
  let said = '';
  const write = async (text: string) => {
    said += text;
  };
  const command = { database: async () => db, directories, write, nowUs };
  await runAuditCommand({ ...command, nowMs: () => performance.now() }, ['verify']);
  return said;
}

async function rowsLeft(node: string): Promise<number[]> {
  const rows = await db.selectFrom('audit').select('seq').where('node', '=', node).orderBy('seq').execute();
  return rows.map(({ seq }) => seq);
}

describe('rows of the audit that are old enough', () => {
  it('go in whole stretches up to a checkpoint, and the rest still holds from the next row', async () => {
    await write('api', 5);
    await sign();
    today = 1;
    await write('api', 3);
    today = 2;
    await sign();
    await write('api', 4);

    today = KEEP_DAYS + 1;
    expect(await remove()).toBe(5);
    expect(await rowsLeft('api')).toEqual([6, 7, 8, 9, 10, 11, 12]);
    expect(await verify()).toMatch(/^The audit holds: 8 rows, 2 checkpoints/);
    expect(await remove()).toBe(0);

    const [reported] = await db.selectFrom('audit').select(['action', 'result']).where('node', '=', 'main').execute();
    expect(reported).toEqual({ action: 'audit.remove', result: 'api up to row 5 (checkpoint 1)' });
    await sign();
    expect(await missingTail(db, directories.checkpoints)).toBeNull();
  });

  it('stay if a chain has nothing after its checkpoint: it goes on with the next row', async () => {
    await write('worker', 2);
    await sign();
    await write('worker', 2);
    await write('api', 1);
    await sign();
    today = 2 * KEEP_DAYS;

    expect(await remove()).toBe(2);
    expect([await rowsLeft('worker'), await rowsLeft('api')]).toEqual([[3, 4], [1]]);
    await write('worker', 1);
    await sign();

    expect(await rowsLeft('worker')).toEqual([3, 4, 5]);
    expect(await verify()).toMatch(/^The audit holds/);
  });

  it('are not found by a checkpoint of an old date with a foreign signature, or that is older than its rows', async () => {
    await write('api', 5);
    await sign();
    today = KEEP_DAYS + 1;
    await write('api', 5);
    const { hash } = await db.selectFrom('audit').select('hash').where('seq', '=', 9).executeTakeFirstOrThrow();
    const content = { number: 2, time: 1, chains: [{ node: 'api', seq: 9, hash: hash.toString('hex') }] };
    const put = async (folder: string) => {
      const { key, signature, chains, ...rest } = signCheckpoint(await signingKey(folder), content);
      const row = { ...rest, chains: JSON.stringify(chains), key_id: key, signature: Buffer.from(signature, 'base64') };
      await db.insertInto('audit_checkpoints').values(row).execute();
    };

    await put(join(directories.keys, '..', 'stranger'));
    expect(await remove()).toBe(0);
    await db.deleteFrom('audit_checkpoints').where('number', '=', 2).execute();
    await put(directories.keys);
    expect(await remove()).toBe(0);

    expect(await rowsLeft('api')).toHaveLength(10);
  });
});
