import { AppError } from '@osprey/contract';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { testDatabase } from '../../../test/database.ts';
import type { ChainedRow } from '../db/audit-rows.ts';
import { HASHED_COLUMNS } from './chain.ts';
import { requestAudit } from './request-audit.ts';
import { chainVerifier } from './verify.ts';
import { auditWriter } from './writer.ts';

const db = await testDatabase();
const log = { error: () => undefined };
const nowUs = () => 1_700_000_000_000_000;
const asking = { actor: null, session: null, address: '127.0.0.1' };

const rowsOf = async (node: string) =>
  (await db.selectFrom('audit').selectAll().where('node', '=', node).orderBy('seq').execute()) as ChainedRow[];

function firstBrokenRow(rows: readonly ChainedRow[]): number | null {
  const verifier = chainVerifier({ checkpoints: [], keys: new Map(), isComplete: true });
  for (const row of rows) verifier.row(row);
  return verifier.end().faults[0]?.seq ?? null;
}

describe('the audit', () => {
  it('has every column of its table in the hash', async () => {
    const { rows } = await sql<{ name: string }>`
      select column_name as name from information_schema.columns where table_name = 'audit'`.execute(db);

    const hashed = [...HASHED_COLUMNS, 'previous_hash', 'hash'];
    expect(rows.map(({ name }) => name).sort()).toEqual(hashed.sort());
  });

  it('is one unbroken chain, also when many write at once and two processes of a node overlap', async () => {
    const writers = [auditWriter({ db, node: 'one', log }), auditWriter({ db, node: 'one', log })];
    const audits = writers.map((writer) => requestAudit(writer, asking, nowUs));

    await Promise.all(
      Array.from({ length: 1500 }, (_none, i) =>
        audits[i % 2]!.write({ action: `act ${i}`, subject: crypto.randomUUID(), usergroups: [crypto.randomUUID()] }),
      ),
    );

    const rows = await rowsOf('one');
    expect(rows).toHaveLength(1500);
    expect(firstBrokenRow(rows)).toBeNull();
  });

  it('names the first row that was changed, removed or swapped', async () => {
    const audit = requestAudit(auditWriter({ db, node: 'two', log }), asking, nowUs);
    for (let i = 0; i < 5; i++) await audit.write({ action: `act ${i}`, reason: 'because' });
    const rows = await rowsOf('two');

    expect(firstBrokenRow(rows.with(2, { ...rows[2]!, reason: 'no reason' }))).toBe(3);
    expect(firstBrokenRow(rows.toSpliced(1, 1))).toBe(2);
    expect(firstBrokenRow([rows[0]!, rows[2]!, rows[1]!, rows[3]!, rows[4]!])).toBe(2);
    expect(firstBrokenRow(rows)).toBeNull();
  });

  it('writes reads of what is above UNCLASSIFIED alone', async () => {
    const audit = requestAudit(auditWriter({ db, node: 'three', log }), asking, nowUs);
    const item = { id: crypto.randomUUID(), usergroups: [] };

    await audit.read('mission.read', { ...item, securityClassification: 'UNCLASSIFIED' });
    await audit.read('mission.read', { ...item, securityClassification: 'RESTRICTED' });

    expect(await rowsOf('three')).toMatchObject([{ action: 'mission.read', item_id: item.id, item_label: 2 }]);
  });

  it('refuses what it cannot keep', async () => {
    const audit = requestAudit(auditWriter({ db, node: 'four', log }), asking, nowUs);
    await sql`alter table audit rename to audit_away`.execute(db);

    const refused = await audit.write({ action: 'act' }).catch((error: unknown) => error);

    await sql`alter table audit_away rename to audit`.execute(db);
    expect(refused).toBeInstanceOf(AppError);
    expect(refused).toMatchObject({ code: 'unavailable' });
    await audit.write({ action: 'act' });
    expect(await rowsOf('four')).toHaveLength(1);
  });
});
