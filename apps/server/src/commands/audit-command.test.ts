import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testDatabase } from '../../test/database.ts';
import { chained, GENESIS } from '../base/audit/chain.ts';
import { auditCheckpoints, missingTail } from '../base/audit/checkpoints.ts';
import { auditDirectories } from '../base/audit/directories.ts';
import { signingKey } from '../base/audit/signing-key.ts';
import type { AuditEntry, ChainedRow } from '../base/db/audit-rows.ts';
import { AuditCommandError, runAuditCommand } from './audit-command.ts';

const BATCH = 2000;
const folder = await mkdtemp(join(tmpdir(), 'osprey-audit-'));
afterAll(() => rm(folder, { recursive: true, force: true }));
let nowMs = 0;
const clocks = { nowUs: () => 1_700_000_000_000_000 + nowMs * 1000, nowMs: () => nowMs };
const log = { error: (fields: object) => expect.unreachable(JSON.stringify(fields)) };

const entry = (n: number): AuditEntry => ({
  time: n,
  monotonic: n,
  actor_id: '00000000-0000-4000-8000-000000000001',
  role: 'user',
  clearance: 3,
  session: null,
  address: '10.0.0.1',
  action: 'media.begin',
  item_id: '00000000-0000-4000-8000-000000000002',
  item_label: 3,
  groups: ['00000000-0000-4000-8000-000000000003'],
  decision: 'allowed',
  via: null,
  result: `row ${n}`,
  reason: null,
});

type Trail = Awaited<ReturnType<typeof trail>>;

/** A database of its own with this many rows of the api and ten of the worker, and two checkpoints: halfway, at the end. */
async function trail(name: string, rows: number) {
  const db = await testDatabase();
  const directories = auditDirectories(join(folder, name));
  const forwarded: number[] = [];
  const checkpoints = auditCheckpoints({
    db,
    key: await signingKey(directories.keys),
    file: directories.checkpoints,
    forward: ({ number }) => forwarded.push(number),
    log,
    ...clocks,
  });
  // Closes the checkpoints to stop their timers; the test calls them at the right moments.
  await checkpoints.close();

  async function add(node: string, count: number): Promise<void> {
    const newest = db.selectFrom('audit').select(['seq', 'hash']).where('node', '=', node).orderBy('seq', 'desc');
    let last = (await newest.limit(1).executeTakeFirst()) ?? { seq: 0, hash: GENESIS };
    for (let at = 0; at < count; at += BATCH) {
      const entries = Array.from({ length: Math.min(BATCH, count - at) }, (_none, i) => entry(last.seq + i + 1));
      const some = chained(node, last, entries);
      await db.insertInto('audit').values(some).execute();
      last = some.at(-1)!;
    }
  }

  async function run(...args: string[]) {
    let said = '';
    const write = async (text: string) => {
      said += text;
    };
    const clock = { nowUs: clocks.nowUs, nowMs: () => performance.now() };
    const code = await runAuditCommand({ database: async () => db, directories, write, ...clock }, args);
    return { code, said };
  }

  await add('api', rows / 2);
  await checkpoints.take();
  await add('api', rows / 2);
  await add('worker', 10);
  await checkpoints.take();
  return { db, directories, checkpoints, forwarded, add, run };
}

const rowAt = async ({ db }: Trail, seq: number) =>
  (await db.selectFrom('audit').selectAll().where('node', '=', 'api').where('seq', '=', seq).executeTakeFirst())!;
const putBack = ({ db }: Trail, rows: ChainedRow[]) => db.insertInto('audit').values(rows).execute();

/** Puts things right again after the look. */
async function tampered(of: Trail, change: string, undo: () => Promise<unknown>) {
  await sql.raw(change).execute(of.db);
  const outcome = await of.run('verify');
  await undo();
  return outcome;
}

describe('T-104 npm run audit -- verify', () => {
  const ROWS = 100_000;
  const FEWER = 10_000;
  let large: Trail;
  /** Faults that are found in the same way for any number of rows. */
  let short: Trail;
  beforeAll(async () => {
    large = await trail('large', ROWS);
    short = await trail('short', FEWER);
  }, 120_000);

  it('reads 100,000 rows, and says that they hold', async () => {
    const { code, said } = await large.run('verify');

    expect(said).toMatch(
      /^The audit holds: 100010 rows, 2 checkpoints, the last of 2023-11-14T22:13:20.000Z; \d+ rows\/s\.\n$/,
    );
    expect(code).toBe(0);
  }, 60_000);

  it('names a row that was changed', async () => {
    const change = `update audit set item_label = 1 where node = 'api' and seq = 6123`;
    const undo = () => short.db.updateTable('audit').set({ item_label: 3 }).where('seq', '=', 6123).execute();

    const { code, said } = await tampered(short, change, undo);

    expect(code).toBe(1);
    expect(said).toMatch(/^api: Row 6123 is not as it was written\.\nThe audit does NOT hold: /);
  }, 60_000);

  it('names a row that was deleted', async () => {
    const row = await rowAt(short, 777);

    const { said } = await tampered(short, `delete from audit where node = 'api' and seq = 777`, () =>
      putBack(short, [row]),
    );

    expect(said).toContain('api: Row 777 is missing.');
  }, 60_000);

  it('names the first of two rows that were swapped', async () => {
    const swap = `update audit set seq = 1003 - seq - 1000002 where node = 'api' and seq in (501, 502);
      update audit set seq = seq + 1000002 where node = 'api' and seq < 0`;

    const { said } = await tampered(short, swap, () => sql.raw(swap).execute(short.db));

    expect(said).toMatch(/^api: Row 501 /);
  }, 60_000);

  it('names the tail that was cut off, and so does the health of the server', async () => {
    const rows = [await rowAt(short, FEWER - 1), await rowAt(short, FEWER)];
    expect(await missingTail(short.db, short.directories.checkpoints)).toBeNull();

    let missing: string | null = null;
    const { said } = await tampered(short, `delete from audit where node = 'api' and seq >= ${FEWER - 1}`, async () => {
      missing = await missingTail(short.db, short.directories.checkpoints);
      await putBack(short, rows);
    });

    expect(said).toContain('api: Rows 9999 to 10000 are missing: checkpoint 2 was signed when they were there.');
    expect(missing).toContain('chain api ends before row 10000, which checkpoint 2 vouches for');
  }, 60_000);
});

describe('checkpoints', () => {
  const ROWS = 4000;
  let small: Trail;
  beforeAll(async () => {
    small = await trail('small', ROWS);
  });

  it('finds a chain that was rewritten with good hashes, and one that was removed whole', async () => {
    const rows = await small.db.selectFrom('audit').selectAll().where('node', '=', 'worker').orderBy('seq').execute();
    await small.db.deleteFrom('audit').where('node', '=', 'worker').execute();
    const without = await small.run('verify');
    await putBack(
      small,
      chained(
        'worker',
        { seq: 0, hash: GENESIS },
        rows.map((_row, i) => entry(i + 100)),
      ),
    );
    const anew = await small.run('verify');
    await small.db.deleteFrom('audit').where('node', '=', 'worker').execute();
    await putBack(small, rows);

    expect(without.said).toContain('worker: Rows 1 to 10 are missing');
    expect(anew.said).toContain('worker: Rows 1 to 10 are not those that checkpoint 2 signed');
    expect((await small.run('verify')).code).toBe(0);
  }, 60_000);

  it('finds rows cut off together with their checkpoint, by the file outside the database', async () => {
    const rows = await small.db
      .selectFrom('audit')
      .selectAll()
      .where('seq', '>', ROWS / 2)
      .where('node', '=', 'api')
      .execute();
    const [retained] = await small.db.deleteFrom('audit_checkpoints').where('number', '=', 2).returningAll().execute();
    await small.db
      .deleteFrom('audit')
      .where('node', '=', 'api')
      .where('seq', '>', ROWS / 2)
      .execute();

    const { said } = await small.run('verify');

    for (let at = 0; at < rows.length; at += BATCH) await putBack(small, rows.slice(at, at + BATCH));
    await small.db
      .insertInto('audit_checkpoints')
      .values({ ...retained!, chains: JSON.stringify(retained!.chains) })
      .execute();
    expect(said).toContain('api: Rows 2001 to 4000 are missing');
  }, 60_000);

  it('takes no checkpoint that another key signed', async () => {
    const strange = join(folder, 'strange');
    await signingKey(strange);
    const [keyFile] = (await import('node:fs')).readdirSync(strange).filter((name) => name.endsWith('.pub.pem'));

    const { code, said } = await small.run('verify', '--public-key', join(strange, keyFile!));

    expect(code).toBe(1);
    expect(said).toContain('Checkpoint 1 does not carry the signature of a key that is known here.');
  }, 60_000);
});

describe('npm run audit -- export', () => {
  const ROWS = 4000;
  let small: Trail;
  beforeAll(async () => {
    small = await trail('exported', ROWS);
  });

  it('gives what verify takes without a database, and every change to it is found', async () => {
    const path = join(folder, 'export.ndjson');
    const { said } = await small.run('export');
    await writeFile(path, said);
    const lines = said.trimEnd().split('\n');
    const changed = lines.with(1234, lines[1234]!.replace('row 1234', 'row 1235'));
    const cut = lines.filter((line) => !line.includes('"row 4000"'));

    expect(lines).toHaveLength(1 + ROWS + 10 + 2);
    expect((await small.run('verify', path)).said).toMatch(/^The audit holds: 4010 rows, 2 checkpoints/);
    await writeFile(path, changed.join('\n'));
    expect((await small.run('verify', path)).said).toContain('api: Row 1234 is not as it was written.');
    await writeFile(path, cut.join('\n'));
    expect((await small.run('verify', path)).said).toContain(
      'api: Row 4000 is missing: checkpoint 2 was signed when it was there.',
    );
    await writeFile(path, lines.with(5, 'nonsense').join('\n'));
    await expect(small.run('verify', path)).rejects.toThrow(`Line 6 of ${path} is not as an export has it.`);
  }, 120_000);

  it('refuses words that it does not know', async () => {
    await expect(small.run('burn')).rejects.toThrow(AuditCommandError);
    await expect(small.run('export', '--format', 'pdf')).rejects.toThrow('allowed is ndjson or csv');
    await expect(small.run('export', '--colour')).rejects.toThrow('--help');
  });
});

describe('the making of checkpoints', () => {
  let small: Trail;
  beforeAll(async () => {
    small = await trail('made', 2);
  });

  it('are signed after 1,000 rows, after 10 minutes, and never twice over the same rows', async () => {
    expect(await small.checkpoints.take()).toBeNull();
    await small.add('api', 1000);
    small.checkpoints.written(1000);
    // Last of what is done with one.
    await expect.poll(() => small.forwarded).toEqual([1, 2, 3]);

    await small.add('api', 1);
    small.checkpoints.written(1000);
    nowMs += 10 * 60_000;
    small.checkpoints.written(1000);
    await expect.poll(() => small.forwarded).toEqual([1, 2, 3, 4]);

    expect(await small.db.selectFrom('audit_checkpoints').select('number').execute()).toHaveLength(4);
    const file = await readFile(small.directories.checkpoints, 'utf8');
    expect(file.split('\n').filter((line) => line !== '')).toHaveLength(4);
    expect((await stat(small.directories.checkpoints)).mode & 0o777).toBe(0o600);
    expect((await stat(join(small.directories.keys, 'signing.pem'))).mode & 0o777).toBe(0o600);
  });

  it('go on under another key, and those of the old one still count', async () => {
    const private_ = join(small.directories.keys, 'signing.pem');
    await copyFile(private_, join(folder, 'old.pem'));
    await rm(private_);
    const next = auditCheckpoints({
      db: small.db,
      key: await signingKey(small.directories.keys),
      file: small.directories.checkpoints,
      log,
      ...clocks,
    });
    await small.add('api', 1);

    const made = await next.take();
    await next.close();

    expect(made?.number).toBe(5);
    const { code, said } = await small.run('verify');
    expect(said).toContain('5 checkpoints');
    expect(code).toBe(0);
  }, 60_000);
});
