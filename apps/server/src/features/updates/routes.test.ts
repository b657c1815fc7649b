import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Updates } from '@osprey/contract';
import { expect, it } from 'vitest';
import { type Subject, testServer } from '../../../test/server.ts';
import { updateFolder } from '../../../test/updates.ts';

const site = await updateFolder();
const { asUser, db } = await testServer({ config: { updateDir: site.folder, updateKey: site.keyFile } });

const update = (version: string, by: Subject = 'SA') =>
  asUser(by).inject({ method: 'POST', url: `/api/update?version=${encodeURIComponent(version)}` });

it('T-112 takes a version of three numbers alone, and nothing else that it could be told', async () => {
  for (const version of ['1;id', '1.2', '1.2.3-beta', '../1.2.3', '1.2.3\n', '', '1.2.3.4', '１.2.3', '9'.repeat(40)]) {
    expect([version, (await update(version)).statusCode]).toEqual([version, 400]);
  }
  const more = await asUser('SA').inject({ method: 'POST', url: '/api/update?version=9.9.9&force=1' });
  expect(more.statusCode).toBe(400);
});

it('T-112 refuses a package with the reason, and leaves a row in the audit', async () => {
  await site.pack('9.9.9');
  const archive = join(site.folder, 'osprey-9.9.9.tar.gz');
  const bytes = await readFile(archive);
  bytes[30]! ^= 1;
  await writeFile(archive, bytes);

  const [old, missing, changed] = [await update('0.0.1'), await update('8.8.8'), await update('9.9.9')];

  expect(old.json()).toMatchObject({ code: 'ruleRefused', text: expect.stringContaining('is not newer than') });
  expect(missing.json()).toMatchObject({ text: expect.stringContaining('It has no manifest') });
  expect(changed.json()).toMatchObject({ text: expect.stringContaining('the SHA-256 differs') });
  const rows = await db.selectFrom('audit').selectAll().where('action', '=', 'server.update').orderBy('seq').execute();
  expect(rows.map(({ decision }) => decision)).toEqual(['refused', 'refused', 'refused']);
  expect(rows[2]?.result).toMatch(/^\d+\.\d+\.\d+ to 9\.9\.9$/);
  expect(rows[2]?.reason).toMatch(/^Its archive is not the one that was signed/);
});

it('lets superAdmins alone update, and admins see what there is', async () => {
  for (const by of ['A2', 'GA', 'U1', 'guest'] as const) expect((await update('9.9.9', by)).statusCode).toBe(403);
  const seen = async (by: Subject) => asUser(by).inject({ method: 'GET', url: '/api/updates' });

  expect((await seen('A2')).json() as Updates).toMatchObject({ isSet: true, problem: null, running: null });
  expect([(await seen('GA')).statusCode, (await seen('U1')).statusCode]).toEqual([403, 403]);
});
